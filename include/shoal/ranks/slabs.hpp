// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace shoal {

/// Layers of cells across the slowest axis of a grid, shared out over ranks in one contiguous slab each.
///
///     Slabs slabs = cut_by_weight(particles_of_layer, ranks.size());
///     for (std::int64_t layer = slabs.first(rank); layer < slabs.end(rank); ++layer) ...
struct Slabs {
  std::vector<std::int64_t> cut;  ///< [ranks + 1] first layer of each rank, then the number of layers; ascending

  int ranks() const { return static_cast<int>(cut.size()) - 1; }
  std::int64_t layers() const { return cut.back(); }
  std::int64_t first(int rank) const { return cut[static_cast<std::size_t>(rank)]; }
  std::int64_t end(int rank) const { return cut[static_cast<std::size_t>(rank) + 1]; }
  std::int64_t count(int rank) const { return end(rank) - first(rank); }

  /// Rank that has a layer, 0 <= layer < layers(). Slabs without layers have none.
  int owner(std::int64_t layer) const;

  friend bool operator==(const Slabs&, const Slabs&) = default;
};

/// @throws Error  no rank, the first cut is not 0, or the cuts do not ascend: names the rank
void require_valid(const Slabs& slabs);

/// Slabs whose heaviest rank has as little weight as possible. Of several such, those with the first cut as low as
/// possible, then the second, and so on: the same on every rank and in every run.
/// @param weight  [layers] for example particles; not negative
/// @param ranks   number of slabs
/// @param least   fewest layers of a rank; 0 allows ranks without layers
/// @throws Error  fewer than ranks · least layers: names both, and how many ranks can be used
/// @throws Error  a negative weight, weights whose sum is 2^63 or more, ranks < 1, or least < 0
Slabs cut_by_weight(std::span<const std::int64_t> weight, int ranks, int least = 2);

/// Slabs on the way from `present` to `wanted`: a cut moves at most to the middle of the slab that it enters. Layers then
/// go to next ranks only. No slab gets thinner than the thinnest one of both. Repeated moves end at `wanted` if no slab of
/// it is empty.
/// @throws Error  slabs that are not valid, or of different numbers of ranks or layers
Slabs move_toward(const Slabs& present, const Slabs& wanted);

/// Items first, first + 1, ..., first + count − 1.
struct Share {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// This rank's share of items that are numbered over all ranks: consecutive ones in the order of ranks, in shares whose
/// counts differ by at most one. For work on one item at a time, such as points of wall_distance or cells of collision.
/// @throws Error  count < 0
Share share_of(std::int64_t count, const Communicator& ranks);

}  // namespace shoal
