// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "wall_distance/geometry/planar_primitive_item.hpp"

namespace shoal::wall_distance {

/// Eight successive primitives with a common origin.
struct PlanarGroup {
  static constexpr int width = 8;
  double origin[3];  ///< m
  float size;        ///< m, largest coordinate of a corner relative to the origin
  PlanarPrimitives<width> planar;
};

/// Groups of all primitives: primitive k is number k mod 8 of group k / 8.
std::vector<PlanarGroup> planar_groups(const std::vector<Primitive>& primitives);

}  // namespace shoal::wall_distance
