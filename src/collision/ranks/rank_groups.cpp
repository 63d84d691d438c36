// SPDX-License-Identifier: Apache-2.0
#include "collision/ranks/rank_groups.hpp"

#include <vector>

namespace shoal::collision {

template <class Real>
void RankGroups<Real>::add(Real* sums, const std::function<void(Range)>& add_part, Real* q) const {
  const auto bytes = [](Range part) { return static_cast<std::size_t>(part.count()) * sizeof(Real); };
  const Range own_part = parts_.own_part();
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  for (int group = 0; group < groups_; ++group) {
    Real* const sum = sums + group * count_;
    if (!has(group)) receives.push_back({sum + own_part.begin, bytes(own_part), rank_of(group)});
    for (int peer = 0; peer < ranks_.size() && has(group); ++peer) {
      const Range part = parts_.part(peer);
      if (peer != ranks_.rank()) sends.push_back({sum + part.begin, bytes(part), peer});
    }
  }
  transport_.exchange(sends, receives);
  add_part(own_part);
  parts_.gather(q);
}

template class RankGroups<float>;
template class RankGroups<double>;

}  // namespace shoal::collision
