// SPDX-License-Identifier: Apache-2.0
// A thin disk around pieces that lie side by side on a surface. Where the surface is not along an axis, a box around
// them reaches out of it by half of their size, and far points would look into hundreds of boxes; a disk does not.
#pragma once
#include "wall_distance/geometry/planar_primitive_item.hpp"

namespace shoal {

/// All points within `half` of a plane through the origin of the pieces, and within `radius` of the normal there.
struct LeafDisk {
  float normal[3];  ///< a unit vector, as nearly as float has it
  float half;       ///< m
  float radius;     ///< m
  float unused[3];

  static constexpr float error = 0x1p-20f;

  /// The squared distance from w, nearly: its root is the distance ± error × |w|∞ ± flat_error × the pieces' size.
  /// @param w  m, from the origin of the pieces
  SHOAL_HD float squared_distance(const float (&w)[3]) const {
    const float height = normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2];
    const float squared = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    const float across = max(fast_sqrt(max(squared - height * height, 0.0f)) - radius, 0.0f);
    const float above = max(std::abs(height) - half, 0.0f);
    return above * above + across * across;
  }
};

/// Across a piece, the longer the larger it is; for a segment in the plane z = 0, in that plane.
SHOAL_HD PlainVector across_piece(const FacePiece& piece) {
  const LongestEdgeFirst corners(piece);
  const PlainVector edge = corners.corner[1] - corners.corner[0];
  const PlainVector area = cross(edge, corners.corner[2] - corners.corner[0]);
  if (dot(area, area) > 0) return area;
  const bool is_along_z = 2 * edge.at[2] * edge.at[2] > dot(edge, edge);
  return length(edge) * cross(edge, is_along_z ? PlainVector{{1, 0, 0}} : PlainVector{{0, 0, 1}});
}

/// @param piece   piece(k), k = 0, ..., count - 1
/// @param origin  [3] m
SHOAL_CALLS_ARGUMENT
template <class Piece>
SHOAL_HD LeafDisk leaf_disk(Piece&& piece, int count, const double* origin) {
  PlainVector sum{};
  for (int k = 0; k < count; ++k) {
    const PlainVector across = across_piece(piece(k));
    sum = dot(sum, across) < 0 ? sum - across : sum - -1.0 * across;
  }
  const double size = length(sum);
  LeafDisk disk{};
  PlainVector normal{};
  for (int axis = 0; axis < 3; ++axis) {
    disk.normal[axis] = size > 0 ? static_cast<float>(sum.at[axis] / size) : axis == 0 ? 1.0f : 0.0f;
    normal.at[axis] = static_cast<double>(disk.normal[axis]);
  }
  normal = unit(normal);
  double half = 0, radius_squared = 0;
  for (int k = 0; k < count; ++k) {
    const FacePiece its = piece(k);
    for (int i = 0; i < 3; ++i) {
      const PlainVector corner{{its.x[i] - origin[0], its.y[i] - origin[1], its.z[i] - origin[2]}};
      const PlainVector across = corner - dot(corner, normal) * normal;
      half = max(half, std::abs(dot(corner, normal)));
      radius_squared = max(radius_squared, dot(across, across));
    }
  }
  disk.half = static_cast<float>(half) * (1 + 0x1p-20f);
  disk.radius = static_cast<float>(std::sqrt(radius_squared)) * (1 + 0x1p-20f);
  return disk;
}

}  // namespace shoal
