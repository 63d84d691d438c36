// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "deposit/deposit_method.hpp"

namespace shoal::deposit::sparse_nodes {

constexpr int tile_width = 31;  ///< Nodes along x; lane 0 has the cell before them
constexpr int tile_height = 8;  ///< Rows of nodes in a plane, in 3-D

/// Nodes of a warp: lane l > 0 has the nodes at x + l, in `rows` rows and `planes` planes.
struct Tile {
  std::int32_t x = 0, y = 0, z = 0;  ///< Cell of lane 0 in the first row and plane, one below the first node
  std::int32_t rows = 0;
  std::int32_t planes = 0;
};

/// Partition of all nodes into tiles.
class Tiles {
 public:
  /// @param resident_warps  number of warps that the device holds at once
  template <class Real>
  Tiles(const DepositSpace<Real>& space, std::int64_t resident_warps)
      : nodes_{space.axes[0].node_count(), space.axes[1].node_count(), space.z_nodes()} {
    const std::int32_t across = parts(nodes_.x, tile_width);
    if (space.dimensions > 2) {
      size_.y = tile_height;
      size_.z = best_length(nodes_.z, std::int64_t{across} * parts(nodes_.y, size_.y), resident_warps);
    } else {
      size_.y = best_length(nodes_.y, across, resident_warps);
      size_.z = 1;
    }
    count_ = {across, parts(nodes_.y, size_.y), parts(nodes_.z, size_.z)};
  }

  SHOAL_HD std::int64_t count() const { return std::int64_t{count_.x} * count_.y * count_.z; }

  __device__ Tile at(std::int32_t number) const {
    const std::int32_t row = number / count_.x;
    const std::int32_t y = row % count_.y * size_.y;
    const std::int32_t z = row / count_.y * size_.z;
    return {number % count_.x * tile_width - 1, y - 1, z - 1, ::min(size_.y, nodes_.y - y),
            ::min(size_.z, nodes_.z - z)};
  }

 private:
  static std::int32_t parts(std::int32_t nodes, std::int32_t length) { return (nodes + length - 1) / length; }

  /// Best length of tiles along the last axis. A cut costs a layer of cells that two tiles read; warps run in rounds of
  /// as many as the device holds.
  static std::int32_t best_length(std::int32_t nodes, std::int64_t columns, std::int64_t resident_warps) {
    constexpr std::int32_t min_length = 4;
    std::int32_t best = nodes;
    std::int64_t least_time = 0;
    for (std::int32_t cuts = 1; cuts == 1 || cuts <= nodes / min_length; ++cuts) {
      const std::int32_t length = parts(nodes, cuts);
      const std::int64_t rounds = (columns * parts(nodes, length) + resident_warps - 1) / resident_warps;
      const std::int64_t time = rounds * (length + 1);
      if (cuts > 1 && time >= least_time) continue;
      least_time = time;
      best = length;
    }
    return best;
  }

  GridIndex nodes_;
  GridIndex size_;
  GridIndex count_;
};

}  // namespace shoal::deposit::sparse_nodes
