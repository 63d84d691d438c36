// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <vector>

#include "wall_distance/face_bound_item.hpp"
#include "wall_distance/wall_pieces.hpp"

namespace shoal {

/// A bounding-volume hierarchy over the pieces of one body, where the mesh has it: boxes and leaves of eight, laid out
/// for vector instructions. Boxes are in float around the centre of the body, rounded outwards.
struct WallTree {
  static constexpr int width = 8;
  static constexpr std::int32_t no_child = std::numeric_limits<std::int32_t>::max();

  struct alignas(64) Node {
    float lower[3][width], upper[3][width];
    std::int32_t child[width];  ///< ≥ 0: a node; < 0: leaf −1 − child; no_child: none, and none follows
  };
  struct alignas(64) Leaf {
    double origin[3];
    float size;  ///< m, the longest edge of the box around its pieces
    std::int32_t count;
    std::int32_t piece[width];
    FlatPieces<width> flat;
  };

  double centre[3];
  std::vector<Node> nodes;  ///< the root is the first one
  std::vector<Leaf> leaves;

  /// @throws Error  more pieces than a tree can number
  WallTree(const WallPieces& pieces, std::int32_t body);

  /// Fits all boxes to pieces that have other shapes.
  void refit(const WallPieces& pieces);

  std::int64_t bytes() const {
    return static_cast<std::int64_t>(nodes.capacity() * sizeof(Node) + leaves.capacity() * sizeof(Leaf));
  }
};

}  // namespace shoal
