// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <vector>

#include "wall_distance/geometry/distance_bound_item.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal {

/// A bounding-volume hierarchy over the pieces of one body, where the mesh has it: boxes and leaves of eight, laid out
/// for vector instructions. Boxes are in float around the center of the body, rounded outwards. All that is in float is
/// scaled, so that its squares neither vanish nor overflow, whatever the size of the walls.
struct WallTree {
  static constexpr int width = 8;
  static constexpr std::int32_t no_child = std::numeric_limits<std::int32_t>::max();

  struct alignas(64) Node {
    float lower[3][width], upper[3][width];
    std::int32_t child[width];  ///< ≥ 0: a node; < 0: leaf −1 − child; no_child: none, and none follows
  };
  struct alignas(64) Leaf {
    double origin[3];
    float size;  ///< scaled, the longest edge of the box around its pieces
    std::int32_t count;
    std::int32_t piece[width];
    FlatPieces<width> flat;
  };

  double scale;             ///< what a meter is in float: a power of two
  double center[3];         ///< m
  std::vector<Node> nodes;  ///< the root is the first one
  std::vector<Leaf> leaves;

  /// @throws Error  more pieces than a tree can number
  WallTree(const WallPieces& pieces, std::int32_t body, double scale);

  /// Fits all boxes to pieces that have other shapes.
  void refit(const WallPieces& pieces, double scale);

  std::int64_t bytes() const {
    return static_cast<std::int64_t>(nodes.capacity() * sizeof(Node) + leaves.capacity() * sizeof(Leaf));
  }
};

/// The scale for trees of these pieces: their longest extent is then between 1/2 and 1.
double tree_scale(const WallPieces& pieces);

}  // namespace shoal
