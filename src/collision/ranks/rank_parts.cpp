// SPDX-License-Identifier: Apache-2.0
#include "collision/ranks/rank_parts.hpp"

#include <algorithm>
#include <vector>

#include "collision/spheres/sphere_classes.hpp"

namespace shoal::collision {

RankParts RankParts::equal(const CollisionSetup& setup, std::int64_t count) {
  Slabs slabs{{0}};
  for (int rank = 0; rank < setup.ranks.size(); ++rank)
    slabs.cut.push_back(part_range(count, rank, setup.ranks.size()).end);
  return {setup.ranks, setup.transport.get(), slabs};
}

RankParts RankParts::of_planes(const CollisionSetup& setup) {
  const SupportRows rows(setup.support());
  const int n = setup.n();
  std::vector<std::int64_t> nodes;
  for (int z = 0; z < n; ++z) {
    nodes.push_back(0);
    for (int y = 0; y < n; ++y) nodes.back() += std::max(0, n - 2 * rows.first(y, z));
  }
  Slabs slabs = cut_by_weight(nodes, setup.ranks.size(), 0);
  for (std::int64_t& cut : slabs.cut) cut *= static_cast<std::int64_t>(n) * n;
  return {setup.ranks, setup.transport.get(), slabs};
}

void RankParts::gather_bytes(std::byte* values, std::size_t value_bytes) const {
  if (ranks_.size() == 1) return;
  const auto piece = [&](int rank) { return values + static_cast<std::size_t>(part(rank).begin) * value_bytes; };
  const auto bytes = [&](int rank) { return static_cast<std::size_t>(part(rank).count()) * value_bytes; };
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  for (int peer = 0; peer < ranks_.size(); ++peer) {
    if (peer == ranks_.rank()) continue;
    sends.push_back({piece(ranks_.rank()), bytes(ranks_.rank()), peer});
    receives.push_back({piece(peer), bytes(peer), peer});
  }
  transport_->exchange(sends, receives);
}

}  // namespace shoal::collision
