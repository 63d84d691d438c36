// SPDX-License-Identifier: Apache-2.0
// A lower bound of the distance from a point to a piece of a face, in float: cheap enough to try many pieces, and only
// those that may be nearest are then seen in double.
#pragma once
#include "wall_distance/geometry/primitive_distance_item.hpp"

namespace shoal {

/// A piece in the plane of its own: the first corner of its longest edge is 0, the second is on the first axis, the
/// third corner has a second coordinate ≥ 0. Distances are then well-conditioned for slivers, too. The third corner's
/// height cuts the piece into two triangles with right angles; the nearest point is in the one on whose side the foot
/// of a point is.
struct FlatPiece {
  float corner[3];            ///< m, the first corner, from the origin of the piece
  float first[3], second[3];  ///< unit vectors in the plane
  float normal[3];            ///< unit vector
  float base[2];              ///< m, of each triangle along the longest edge, from the height's foot
  float slope[2], rise[2];    ///< of the slanted edge, upwards: the unit vector (−slope, rise)
  float slant[2];             ///< m, its length
};

/// Pieces side by side for vector instructions: [...][piece].
template <int width>
struct FlatPieces {
  float corner[3][width], first[3][width], second[3][width], normal[3][width];
  float base[2][width], slope[2][width], rise[2][width], slant[2][width];

  SHOAL_HD void put(int i, const FlatPiece& piece) {
    for (int axis = 0; axis < 3; ++axis) {
      corner[axis][i] = piece.corner[axis];
      first[axis][i] = piece.first[axis];
      second[axis][i] = piece.second[axis];
      normal[axis][i] = piece.normal[axis];
    }
    for (int side = 0; side < 2; ++side) {
      base[side][i] = piece.base[side];
      slope[side][i] = piece.slope[side];
      rise[side][i] = piece.rise[side];
      slant[side][i] = piece.slant[side];
    }
  }
  SHOAL_HD FlatPiece piece(int i) const {
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

/// How far rounding may take `flat_distance_squared`: its root is the distance ± this × (|w|∞ + size), where size is
/// the largest coordinate of the piece's corners from the origin. Some 30 roundings of 2^-24 of numbers that are up to
/// twice as large as those, and room.
inline constexpr float flat_error = 0x1p-19f;

/// The squared distance from w to a piece, nearly.
/// @param w_x,w_y,w_z  m, from the origin of the piece
SHOAL_HD float flat_distance_squared(const FlatPiece& piece, float w_x, float w_y, float w_z) {
  const float r_x = w_x - piece.corner[0], r_y = w_y - piece.corner[1], r_z = w_z - piece.corner[2];
  const auto along = [&](const float(&axis)[3]) { return axis[0] * r_x + axis[1] * r_y + axis[2] * r_z; };
  const float from_foot = along(piece.first) - piece.base[0], y = along(piece.second), height = along(piece.normal);
  const bool is_second = from_foot > 0;
  const float slope = is_second ? piece.slope[1] : piece.slope[0], rise = is_second ? piece.rise[1] : piece.rise[0];
  const float slant = is_second ? piece.slant[1] : piece.slant[0];
  const float x = std::abs(from_foot) - (is_second ? piece.base[1] : piece.base[0]);  // from the end of the base
  const bool is_below = x * rise + y * slope <= 0;  // the slanted edge: nearest to the base, or inside
  const float up = max(0.0f, min(y * rise - x * slope, slant));
  const float off_x = is_below ? max(x, 0.0f) : x + up * slope;
  const float off_y = is_below ? min(y, 0.0f) : y - up * rise;
  return height * height + (off_x * off_x + off_y * off_y);
}

/// A point farther than this times the size of a piece from its origin is far from it.
inline constexpr float far_sizes = 8;

/// The same for far points, and much nearer to the truth there: |w|² less what the piece takes off it, which is small.
/// Its root is the distance × (1 ± 2^-21), ± flat_error × size.
SHOAL_HD float far_distance_squared(const FlatPiece& piece, float w_x, float w_y, float w_z) {
  const float r_x = w_x - piece.corner[0], r_y = w_y - piece.corner[1], r_z = w_z - piece.corner[2];
  const auto along = [&](const float(&axis)[3]) { return axis[0] * r_x + axis[1] * r_y + axis[2] * r_z; };
  const float from_foot = along(piece.first) - piece.base[0], y = along(piece.second);
  const bool is_second = from_foot > 0;
  const float slope = is_second ? piece.slope[1] : piece.slope[0], rise = is_second ? piece.rise[1] : piece.rise[0];
  const float slant = is_second ? piece.slant[1] : piece.slant[0], base = is_second ? piece.base[1] : piece.base[0];
  const float across = std::abs(from_foot), x = across - base;
  const bool is_below = x * rise + y * slope <= 0;
  const float up = max(0.0f, min(y * rise - x * slope, slant));
  // The nearest point of the piece, and the height's foot, from which both are counted.
  const float near_x = is_below ? min(across, base) : base - up * slope;
  const float near_y = is_below ? max(y, 0.0f) : up * rise;
  const auto from = [&](int axis, float r) { return r - piece.base[0] * piece.first[axis]; };
  const float f_x = from(0, r_x), f_y = from(1, r_y), f_z = from(2, r_z);
  const float taken = near_x * (across + (across - near_x)) + near_y * (y + (y - near_y));
  return (f_x * f_x + f_y * f_y + f_z * f_z) - taken;
}

}  // namespace shoal
