// SPDX-License-Identifier: Apache-2.0
// Leaves and boxes of a tree, for its construction and its refit.
#pragma once
#include <cmath>

#include "wall_distance/bvh_cpu/box.hpp"
#include "wall_distance/bvh_cpu/bvh.hpp"

namespace shoal::wall_distance {

/// A box as nodes store it: floats relative to the center of the body, scaled and rounded outwards. Empty at first.
///
/// Lower ends are negated, so that one maximum of eight floats joins two boxes.
struct NodeBox {
  float end[8] = {-infinity, -infinity, -infinity, 0, -infinity, -infinity, -infinity, 0};

  static constexpr float infinity = std::numeric_limits<float>::infinity();

  NodeBox() = default;
  NodeBox(const Bvh& tree, const Box& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      end[axis] = above((tree.center[axis] - box.lower[axis]) * tree.scale);
      end[4 + axis] = above((box.upper[axis] - tree.center[axis]) * tree.scale);
    }
  }

  NodeBox& operator+=(const NodeBox& box) {
    for (int i = 0; i < 8; ++i) end[i] = end[i] < box.end[i] ? box.end[i] : end[i];
    return *this;
  }
  float edge(int axis) const { return end[4 + axis] + end[axis]; }
  float twice_middle(int axis) const { return end[4 + axis] - end[axis]; }
  /// Half the surface area; 0 if the box is empty.
  float area() const {
    const float x = edge(0), y = edge(1), z = edge(2);
    return x >= 0 ? x * y + y * z + z * x : 0;
  }

  void store(Bvh::Node& node, std::size_t i) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      node.lower[axis][i] = -end[axis];
      node.upper[axis][i] = end[4 + axis];
    }
  }

 private:
  /// A float above a difference computed in double, whatever the rounding of the difference.
  static float above(double a) { return std::nextafter(std::nextafter(static_cast<float>(a), infinity), infinity); }
};

/// Fits a leaf to its primitives. Returns their box.
Box fit_leaf(Bvh::Leaf& leaf, const WallPrimitives& primitives, double scale);

/// Builds the nodes and leaves of a tree.
/// @param tree    has scale and center
/// @param number  [primitives] of the body
void build_bvh(Bvh& tree, const WallPrimitives& primitives, const std::vector<std::int32_t>& number, int threads);

}  // namespace shoal::wall_distance
