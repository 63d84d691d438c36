// SPDX-License-Identifier: Apache-2.0
// Approximate distance from a point to a primitive in float, with a bound of its error: inexpensive enough for many
// primitives. The exact distance in double-double is computed only for those that may be the nearest.
#pragma once
#include "wall_distance/geometry/primitive_distance_item.hpp"

namespace shoal::wall_distance {

/// A primitive in a frame of its own plane, relative to an origin.
///
/// The first corner of the longest edge is the origin of the frame, the second one is on the first axis, and the third
/// corner has a second coordinate ≥ 0, so distances are well-conditioned for slivers too. The altitude of the third
/// corner divides the primitive into two right triangles; the nearest point is in the one on the side of the projected
/// point.
struct PlanarPrimitive {
  float corner[3];            ///< m, the first corner, relative to the origin
  float first[3], second[3];  ///< unit vectors in the plane
  float normal[3];            ///< unit vector
  float base[2];              ///< m, part of the longest edge on each side of the foot of the altitude
  float slope[2], rise[2];    ///< direction of the slanted edge of each right triangle, upwards: (−slope, rise)
  float slant[2];             ///< m, length of the slanted edges
};

/// Structure of arrays for vector instructions: [...][primitive].
template <int width>
struct PlanarPrimitives {
  float corner[3][width], first[3][width], second[3][width], normal[3][width];
  float base[2][width], slope[2][width], rise[2][width], slant[2][width];

  SHOAL_HD void put(int i, const PlanarPrimitive& primitive) {
    for (int axis = 0; axis < 3; ++axis) {
      corner[axis][i] = primitive.corner[axis];
      first[axis][i] = primitive.first[axis];
      second[axis][i] = primitive.second[axis];
      normal[axis][i] = primitive.normal[axis];
    }
    for (int side = 0; side < 2; ++side) {
      base[side][i] = primitive.base[side];
      slope[side][i] = primitive.slope[side];
      rise[side][i] = primitive.rise[side];
      slant[side][i] = primitive.slant[side];
    }
  }
  SHOAL_HD PlanarPrimitive primitive(int i) const {
    return {{corner[0][i], corner[1][i], corner[2][i]},
            {first[0][i], first[1][i], first[2][i]},
            {second[0][i], second[1][i], second[2][i]},
            {normal[0][i], normal[1][i], normal[2][i]},
            {base[0][i], base[1][i]},
            {slope[0][i], slope[1][i]},
            {rise[0][i], rise[1][i]},
            {slant[0][i], slant[1][i]}};
  }
};

/// Error of `planar_distance_squared`: its root is the distance ± planar_error × (|w|∞ + size), where size is the
/// largest coordinate of the corners relative to the origin. There are about 30 roundings of 2^-24 of numbers of at
/// most twice that size; the bound leaves a margin.
inline constexpr float planar_error = 0x1p-19f;

/// Approximate squared distance from w to a primitive.
/// @param w_x,w_y,w_z  m, relative to the origin of the primitive
SHOAL_HD float planar_distance_squared(const PlanarPrimitive& primitive, float w_x, float w_y, float w_z) {
  const float r_x = w_x - primitive.corner[0], r_y = w_y - primitive.corner[1], r_z = w_z - primitive.corner[2];
  const auto along = [&](const float(&axis)[3]) { return axis[0] * r_x + axis[1] * r_y + axis[2] * r_z; };
  const float from_foot = along(primitive.first) - primitive.base[0], y = along(primitive.second),
              height = along(primitive.normal);
  const bool is_second = from_foot > 0;
  const float slope = is_second ? primitive.slope[1] : primitive.slope[0],
              rise = is_second ? primitive.rise[1] : primitive.rise[0];
  const float slant = is_second ? primitive.slant[1] : primitive.slant[0];
  const float x =
      std::abs(from_foot) - (is_second ? primitive.base[1] : primitive.base[0]);  // relative to the base's end
  const bool is_below = x * rise + y * slope <= 0;  // below the slanted edge: nearest to the base, or inside
  const float up = max(0.0f, min(y * rise - x * slope, slant));
  const float off_x = is_below ? max(x, 0.0f) : x + up * slope;
  const float off_y = is_below ? min(y, 0.0f) : y - up * rise;
  return height * height + (off_x * off_x + off_y * off_y);
}

/// A point is far from a primitive if its distance from the origin exceeds the primitive's size by this factor.
inline constexpr float far_ratio = 8;

/// Approximate squared distance for points far away, and more accurate there: |w|² less a small term.
/// Its root is the distance × (1 ± 2^-21), ± planar_error × size.
SHOAL_HD float far_distance_squared(const PlanarPrimitive& primitive, float w_x, float w_y, float w_z) {
  const float r_x = w_x - primitive.corner[0], r_y = w_y - primitive.corner[1], r_z = w_z - primitive.corner[2];
  const auto along = [&](const float(&axis)[3]) { return axis[0] * r_x + axis[1] * r_y + axis[2] * r_z; };
  const float from_foot = along(primitive.first) - primitive.base[0], y = along(primitive.second);
  const bool is_second = from_foot > 0;
  const float slope = is_second ? primitive.slope[1] : primitive.slope[0],
              rise = is_second ? primitive.rise[1] : primitive.rise[0];
  const float slant = is_second ? primitive.slant[1] : primitive.slant[0],
              base = is_second ? primitive.base[1] : primitive.base[0];
  const float across = std::abs(from_foot), x = across - base;
  const bool is_below = x * rise + y * slope <= 0;
  const float up = max(0.0f, min(y * rise - x * slope, slant));
  // Nearest point of the primitive, relative to the foot of the altitude.
  const float near_x = is_below ? min(across, base) : base - up * slope;
  const float near_y = is_below ? max(y, 0.0f) : up * rise;
  const auto from = [&](int axis, float r) { return r - primitive.base[0] * primitive.first[axis]; };
  const float f_x = from(0, r_x), f_y = from(1, r_y), f_z = from(2, r_z);
  const float reduction = near_x * (across + (across - near_x)) + near_y * (y + (y - near_y));
  return (f_x * f_x + f_y * f_y + f_z * f_z) - reduction;
}

}  // namespace shoal::wall_distance
