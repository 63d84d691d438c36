// SPDX-License-Identifier: Apache-2.0
#include "collision/ranks/rank_groups.hpp"

#include <vector>

namespace shoal::collision {

template <class Real>
void RankGroups<Real>::add(Real* sums, const std::function<void(Range)>& add_part, Real* q) const {
  const int rank = ranks_.rank();
  const auto bytes = [](Range part) { return static_cast<std::size_t>(part.count()) * sizeof(Real); };
  const Range part = part_of(rank);
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  for (int group = 0; group < groups_; ++group) {
    Real* const sum = sums + group * count_;
    if (!has(group)) receives.push_back({sum + part.begin, bytes(part), rank_of(group)});
    for (int peer = 0; peer < ranks_.size() && has(group); ++peer)
      if (peer != rank) sends.push_back({sum + part_of(peer).begin, bytes(part_of(peer)), peer});
  }
  transport_.exchange(sends, receives);
  add_part(part);
  sends.clear();
  receives.clear();
  for (int peer = 0; peer < ranks_.size(); ++peer) {
    if (peer == rank) continue;
    sends.push_back({q + part.begin, bytes(part), peer});
    receives.push_back({q + part_of(peer).begin, bytes(part_of(peer)), peer});
  }
  transport_.exchange(sends, receives);
}

template class RankGroups<float>;
template class RankGroups<double>;

}  // namespace shoal::collision
