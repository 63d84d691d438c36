// SPDX-License-Identifier: Apache-2.0
// A lower bound of the distance from a point to a piece of a face, in float: cheap enough to try many pieces, and only
// those that may be nearest are then seen in double.
#pragma once
#include "wall_distance/face_item.hpp"

namespace shoal {

/// Pieces, each in the plane of its own: the first corner of its longest edge is 0, the second is on the first axis,
/// the third corner has a second coordinate ≥ 0. Distances are then well-conditioned for slivers, too. Members lie side
/// by side for vector instructions: [...][piece].
template <int width>
struct FlatPieces {
  float corner[3][width];                   ///< m, the first corner, from the origin of these pieces
  float first[3][width], second[3][width];  ///< unit vectors in the plane
  float normal[3][width];                   ///< unit vector
  float length[3][width];                   ///< m, of the edges 0-1, 1-2 and 0-2
  float along_1[2][width];                  ///< unit vector of the edge 1-2 in the plane
  float along_2[2][width];                  ///< unit vector of the edge 0-2
};

/// How far rounding may take `flat_distance_squared`: its root is at most the distance + this × (|w|∞ + size), where
/// size is the largest coordinate of the piece's corners from the origin. Some 30 roundings of 2^-24 of numbers that
/// are up to twice as large as those, and room.
inline constexpr float flat_error = 0x1p-19f;

/// The squared distance to a segment that starts at 0, from its coordinates along and across.
SHOAL_HD float to_segment_squared(float along, float across, float length) {
  const float beyond = along - larger(0.0f, smaller(along, length));
  return across * across + beyond * beyond;
}

/// The squared distance from w to piece i, nearly.
/// @param w_x,w_y,w_z  m, from the origin of the pieces
template <int width>
SHOAL_HD float flat_distance_squared(const FlatPieces<width>& pieces, int i, float w_x, float w_y, float w_z) {
  const float r_x = w_x - pieces.corner[0][i], r_y = w_y - pieces.corner[1][i], r_z = w_z - pieces.corner[2][i];
  const auto along = [&](const float(&axis)[3][width]) {
    return axis[0][i] * r_x + axis[1][i] * r_y + axis[2][i] * r_z;
  };
  const float x = along(pieces.first), y = along(pieces.second), height = along(pieces.normal);
  const float from_1 = x - pieces.length[0][i];
  const float across_1 = from_1 * pieces.along_1[1][i] - y * pieces.along_1[0][i];
  const float across_2 = y * pieces.along_2[0][i] - x * pieces.along_2[1][i];
  const float along_1 = from_1 * pieces.along_1[0][i] + y * pieces.along_1[1][i];
  const float along_2 = x * pieces.along_2[0][i] + y * pieces.along_2[1][i];
  const float in_plane = smaller(to_segment_squared(x, y, pieces.length[0][i]),
                                 smaller(to_segment_squared(along_1, across_1, pieces.length[1][i]),
                                         to_segment_squared(along_2, across_2, pieces.length[2][i])));
  const bool inside = larger(-y, larger(across_1, across_2)) < 0;
  return height * height + (inside ? 0.0f : in_plane);
}

}  // namespace shoal
