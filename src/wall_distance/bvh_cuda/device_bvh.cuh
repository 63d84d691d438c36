// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/memory/scratch.hpp"
#include "wall_distance/geometry/bounding_disk_item.hpp"
#include "wall_distance/walls/device_primitives.cuh"

namespace shoal {

/// Eight boxes in float from the center of the tree, rounded outwards: two groups of four that lie side by side, each
/// [middle x, y, z, half the width x, y, z][box].
struct alignas(64) BoxNode {
  static constexpr int width = 8, group = 4;
  float number[2][6][group];
};

/// Pieces that follow each other in the order. Their origin is the middle of their box.
struct alignas(16) TreeLeaf {
  static constexpr int width = 4;
  FlatPiece piece[width];
  LeafDisk disk;
};

/// The tree over the pieces of one body, where the mesh has it. No pointers: box c of node j of level l + 1 is around
/// node 8 j + c of level l; leaves are level 0.
struct BodyTree {
  static constexpr int most_levels = 11;
  double center[3];                  ///< m
  float size;                        ///< m, the largest coordinate of a corner from the center
  std::int32_t levels;               ///< the level of the root
  std::int32_t pieces, first_piece;  ///< in the order
  std::int32_t count[most_levels];   ///< nodes of each level, 0 above the root
  std::int32_t first[most_levels];   ///< number of the first one among those of all bodies
};

/// The trees of all bodies as kernels take them.
struct DeviceTrees {
  const BodyTree* trees;  ///< [bodies]
  const BoxNode* nodes;
  const TreeLeaf* leaves;
  const std::int32_t* order;  ///< [pieces] one body after the other
  std::int32_t bodies;
};

/// Builds the trees and fits them to pieces that change their shapes, all on the device.
class TreesOnDevice {
 public:
  /// @throws Error  more pieces than a tree can number
  TreesOnDevice(const Queue& queue, const WallPieces& pieces);

  /// Orders pieces anew. Allocates at the first call only.
  void build(const DevicePieces& pieces);
  /// Keeps the order of pieces.
  void fit(const DevicePieces& pieces);

  DeviceTrees view() const {
    return {trees_.data(), nodes_.data(), leaves_.data(), order_.data(), static_cast<std::int32_t>(trees_.count())};
  }
  std::int64_t bytes() const;

 private:
  void measure(const DevicePieces& pieces);
  void fit_boxes(const DevicePieces& pieces);

  Queue queue_;
  Scratch scratch_;
  std::vector<std::int32_t> level_first_;  ///< [levels + 1] among nodes; level_first_[1] = 0
  Array<BodyTree> trees_;
  Array<unsigned long long> bounds_;  ///< [bodies][6] see device_trees.cu
  std::int32_t largest_ = 0;          ///< pieces of the largest body
  Array<std::int32_t> order_;         ///< [pieces] one body after the other
  Array<BoxNode> nodes_;
  Array<TreeLeaf> leaves_;
};

}  // namespace shoal
