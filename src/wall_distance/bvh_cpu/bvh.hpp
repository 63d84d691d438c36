// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <vector>

#include "wall_distance/geometry/distance_bound_item.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {

/// Bounding-volume hierarchy over the primitives of one body, in the frame of the mesh: nodes with eight boxes and
/// leaves with eight primitives, laid out for vector instructions.
///
/// Boxes are in float relative to the center of the body, rounded outwards. All lengths in float are scaled, so their
/// squares neither underflow nor overflow, whatever the size of the walls.
struct Bvh {
  static constexpr int width = 8;
  static constexpr std::int32_t no_child = std::numeric_limits<std::int32_t>::max();

  struct alignas(64) Node {
    float lower[3][width], upper[3][width];  ///< scaled
    std::int32_t child[width];  ///< ≥ 0: a node; < 0: leaf −1 − child; no_child: none, and none follows
  };
  struct alignas(64) Leaf {
    double origin[3];               ///< m
    float size;                     ///< scaled, longest edge of the box around its primitives
    std::int32_t count;             ///< number of its primitives
    std::int32_t primitive[width];  ///< numbers of its primitives
    PlanarPrimitives<width> planar;
  };

  double scale;             ///< scaled length of a meter; a power of two
  double center[3];         ///< m
  std::vector<Node> nodes;  ///< the first node is the root
  std::vector<Leaf> leaves;

  /// @throws Error  more primitives than 32-bit numbers
  Bvh(const WallPrimitives& primitives, std::int32_t body, double scale, int threads);

  /// Fits all boxes to primitives with other shapes.
  void refit(const WallPrimitives& primitives, double scale, int threads);

  std::int64_t bytes() const {
    return static_cast<std::int64_t>(nodes.capacity() * sizeof(Node) + leaves.capacity() * sizeof(Leaf));
  }
};

/// Scale for the trees of these primitives: their longest scaled extent is between 1/2 and 1.
double bvh_scale(const WallPrimitives& primitives, int threads);

}  // namespace shoal::wall_distance
