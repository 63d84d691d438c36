// SPDX-License-Identifier: Apache-2.0
// Construction of the planar frame of a primitive, see distance_bound_item.hpp. All in double, so that float rounds
// once.
#pragma once
#include "wall_distance/geometry/distance_bound_item.hpp"

namespace shoal::wall_distance {

struct DoubleVector {
  double axis[3];

  SHOAL_HD friend DoubleVector operator-(const DoubleVector& a, const DoubleVector& b) {
    return {{a.axis[0] - b.axis[0], a.axis[1] - b.axis[1], a.axis[2] - b.axis[2]}};
  }
  SHOAL_HD friend DoubleVector operator*(double s, const DoubleVector& a) {
    return {{s * a.axis[0], s * a.axis[1], s * a.axis[2]}};
  }
};

SHOAL_HD double dot(const DoubleVector& a, const DoubleVector& b) {
  return a.axis[0] * b.axis[0] + a.axis[1] * b.axis[1] + a.axis[2] * b.axis[2];
}
SHOAL_HD double length(const DoubleVector& a) { return std::sqrt(dot(a, a)); }
SHOAL_HD DoubleVector unit(const DoubleVector& a) { return 1 / length(a) * a; }
SHOAL_HD DoubleVector cross(const DoubleVector& a, const DoubleVector& b) {
  return {{a.axis[1] * b.axis[2] - a.axis[2] * b.axis[1], a.axis[2] * b.axis[0] - a.axis[0] * b.axis[2],
           a.axis[0] * b.axis[1] - a.axis[1] * b.axis[0]}};
}

/// Part of a that is perpendicular to a unit vector. Computed twice, which keeps nearly parallel vectors accurate.
SHOAL_HD DoubleVector perpendicular_part(DoubleVector a, const DoubleVector& direction) {
  for (int round = 0; round < 2; ++round) a = a - dot(a, direction) * direction;
  return a;
}

/// Any unit vector perpendicular to a unit vector.
SHOAL_HD DoubleVector any_perpendicular(const DoubleVector& direction) {
  int shortest = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(direction.axis[axis]) < std::abs(direction.axis[shortest])) shortest = axis;
  DoubleVector along_axis{};
  along_axis.axis[shortest] = 1;
  return unit(perpendicular_part(along_axis, direction));
}

/// Share of its length below which nothing but rounding errors is left of a vector whose part along a direction was
/// removed. These point anywhere.
inline constexpr double no_direction = 0x1p-45;

/// Corners of a primitive: the ends of the longest edge, then the third corner.
struct LongestEdgeFirst {
  DoubleVector corner[3];

  SHOAL_HD explicit LongestEdgeFirst(const Primitive& primitive) {
    const auto take = [&](int a, int b, int c) {
      const int numbers[3] = {a, b, c};
      for (int i = 0; i < 3; ++i)
        corner[i] = {{primitive.x[numbers[i]], primitive.y[numbers[i]], primitive.z[numbers[i]]}};
    };
    const auto edge = [&](int a, int b) {
      return length(
          {{primitive.x[b] - primitive.x[a], primitive.y[b] - primitive.y[a], primitive.z[b] - primitive.z[a]}});
    };
    const double edge_01 = edge(0, 1), edge_02 = edge(0, 2), edge_12 = edge(1, 2);
    if (edge_12 > max(edge_01, edge_02))
      take(1, 2, 0);
    else if (edge_02 > edge_01)
      take(0, 2, 1);
    else
      take(0, 1, 2);
  }
};

/// Planar frame of a primitive.
/// @param origin  [3] m
SHOAL_HD PlanarPrimitive planar_primitive(const Primitive& primitive, const double* origin) {
  const auto round_to = [](const DoubleVector& vector, float(&rounded)[3]) {
    for (int axis = 0; axis < 3; ++axis) rounded[axis] = static_cast<float>(vector.axis[axis]);
  };
  const LongestEdgeFirst corners(primitive);
  const DoubleVector edge = corners.corner[1] - corners.corner[0];
  const DoubleVector to_third = corners.corner[2] - corners.corner[0];
  const double edge_length = length(edge);
  const DoubleVector first = edge_length > 0 ? unit(edge) : DoubleVector{{1, 0, 0}};
  const DoubleVector across = perpendicular_part(to_third, first);
  const double across_length = length(across);
  const double height = across_length > no_direction * length(to_third) ? across_length : 0;
  const DoubleVector second = height > 0 ? unit(across) : any_perpendicular(first);
  PlanarPrimitive planar;
  round_to(corners.corner[0] - DoubleVector{{origin[0], origin[1], origin[2]}}, planar.corner);
  round_to(first, planar.first);
  round_to(second, planar.second);
  round_to(cross(first, second), planar.normal);
  const double foot = max(0.0, min(dot(to_third, first), edge_length));
  for (int side = 0; side < 2; ++side) {
    const double base = side == 0 ? foot : edge_length - foot;
    const double slant = std::sqrt(base * base + height * height);
    planar.base[side] = static_cast<float>(base);
    planar.slope[side] = slant > 0 ? static_cast<float>(base / slant) : 1;
    planar.rise[side] = slant > 0 ? static_cast<float>(height / slant) : 0;
    planar.slant[side] = static_cast<float>(slant);
  }
  return planar;
}

}  // namespace shoal::wall_distance
