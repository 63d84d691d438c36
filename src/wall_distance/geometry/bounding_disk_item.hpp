// SPDX-License-Identifier: Apache-2.0
// A thin disk around neighboring primitives of a surface. Where the surface is not parallel to an axis, a bounding box
// extends beyond it by half its own size, and points far away would have to visit hundreds of boxes; a disk does not.
#pragma once
#include "wall_distance/geometry/planar_primitive_item.hpp"

namespace shoal::wall_distance {

/// All points within `half_height` of a plane through the origin of the primitives, and within `radius` of its normal.
struct BoundingDisk {
  float normal[3];    ///< unit vector, to rounding
  float half_height;  ///< m
  float radius;       ///< m
  float unused[3];    ///< padding to whole loads of 16 bytes

  static constexpr float error = 0x1p-20f;

  /// Approximate squared distance from w. Its root is the distance ± error × |w|∞ ± planar_error × the primitives'
  /// size.
  /// @param w  m, relative to the origin of the primitives
  SHOAL_HD float squared_distance(const float (&w)[3]) const {
    const float height = normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2];
    const float squared = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    const float across = max(fast_sqrt(max(squared - height * height, 0.0f)) - radius, 0.0f);
    const float above = max(std::abs(height) - half_height, 0.0f);
    return above * above + across * across;
  }
};

/// A normal of the primitive, as long as twice its area; for a segment in the plane z = 0 a normal in that plane.
SHOAL_HD DoubleVector area_normal(const Primitive& primitive) {
  const LongestEdgeFirst corners(primitive);
  const DoubleVector edge = corners.corner[1] - corners.corner[0];
  const DoubleVector area = cross(edge, corners.corner[2] - corners.corner[0]);
  if (length(area) > no_direction * dot(edge, edge)) return area;
  const bool is_along_z = 2 * edge.axis[2] * edge.axis[2] > dot(edge, edge);
  return length(edge) * cross(edge, is_along_z ? DoubleVector{{1, 0, 0}} : DoubleVector{{0, 0, 1}});
}

/// Sum of normals, each of which is reversed if that makes the sum longer.
struct NormalSum {
  DoubleVector sum{};

  SHOAL_HD void add(const DoubleVector& area) { sum = dot(sum, area) < 0 ? sum - area : sum - -1.0 * area; }

  /// Unit vector; any one if the sum is 0.
  SHOAL_HD void round_to(float (&rounded)[3]) const {
    const double size = length(sum);
    for (int axis = 0; axis < 3; ++axis)
      rounded[axis] = size > 0 ? static_cast<float>(sum.axis[axis] / size) : axis == 0 ? 1.0f : 0.0f;
  }
};

/// Extent of primitives along a normal and across it.
struct DiskExtent {
  double half_height = 0;     ///< m
  double radius_squared = 0;  ///< m²

  /// @param rounded_normal  BoundingDisk::normal
  /// @param origin          [3] m
  SHOAL_HD void include(const Primitive& shape, const float (&rounded_normal)[3], const double* origin) {
    const DoubleVector normal = unit({{static_cast<double>(rounded_normal[0]), static_cast<double>(rounded_normal[1]),
                                       static_cast<double>(rounded_normal[2])}});
    for (int i = 0; i < 3; ++i) {
      const DoubleVector corner{{shape.x[i] - origin[0], shape.y[i] - origin[1], shape.z[i] - origin[2]}};
      const DoubleVector across = corner - dot(corner, normal) * normal;
      half_height = max(half_height, std::abs(dot(corner, normal)));
      radius_squared = max(radius_squared, dot(across, across));
    }
  }
  SHOAL_HD void round_to(BoundingDisk& disk) const {
    disk.half_height = static_cast<float>(half_height) * (1 + 0x1p-20f);
    disk.radius = static_cast<float>(std::sqrt(radius_squared)) * (1 + 0x1p-20f);
  }
};

/// @param primitive  function of k = 0, ..., count - 1
/// @param origin     [3] m
SHOAL_CALLS_ARGUMENT
template <class GetPrimitive>
SHOAL_HD BoundingDisk bounding_disk(GetPrimitive&& primitive, int count, const double* origin) {
  NormalSum normals;
  for (int k = 0; k < count; ++k) normals.add(area_normal(primitive(k)));
  BoundingDisk disk{};
  normals.round_to(disk.normal);
  DiskExtent extent;
  for (int k = 0; k < count; ++k) extent.include(primitive(k), disk.normal, origin);
  extent.round_to(disk);
  return disk;
}

}  // namespace shoal::wall_distance
