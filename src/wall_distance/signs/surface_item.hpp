// SPDX-License-Identifier: Apache-2.0
// Geometry of the primitives of closed walls. The order of all roundings is fixed, so host and device give the same bits.
#pragma once
#include "wall_distance/signs/corner_angle_item.hpp"
#include "wall_distance/signs/pseudonormal_item.hpp"

namespace shoal::wall_distance {

/// Vector in units of the size of the walls.
struct SurfaceVector {
  double x, y, z;
};

SHOAL_HD SurfaceVector operator-(const SurfaceVector& a, const SurfaceVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SHOAL_HD SurfaceVector operator*(double s, const SurfaceVector& a) {
  return {rounded_product(s, a.x), rounded_product(s, a.y), rounded_product(s, a.z)};
}
SHOAL_HD double dot(const SurfaceVector& a, const SurfaceVector& b) {
  return rounded_product(a.x, b.x) + rounded_product(a.y, b.y) + rounded_product(a.z, b.z);
}
SHOAL_HD double length(const SurfaceVector& a) { return std::sqrt(dot(a, a)); }
SHOAL_HD SurfaceVector cross(const SurfaceVector& a, const SurfaceVector& b) {
  return {rounded_product(a.y, b.z) - rounded_product(a.z, b.y), rounded_product(a.z, b.x) - rounded_product(a.x, b.z),
          rounded_product(a.x, b.y) - rounded_product(a.y, b.x)};
}

SHOAL_HD void add(OutwardNormal& sum, double weight, const OutwardNormal& normal) {
  sum.x += rounded_product(weight, normal.x);
  sum.y += rounded_product(weight, normal.y);
  sum.z += rounded_product(weight, normal.z);
}

SHOAL_HD void reverse(OutwardNormal& normal) { normal = {-normal.x, -normal.y, -normal.z}; }

/// Power of two that scales coordinates, so that their products stay in range.
/// @param largest  largest absolute coordinate of the walls
SHOAL_HD double surface_scale(double largest) {
  if (!(largest > 0)) return 1;
  const int exponent = std::ilogb(largest);
  return std::ldexp(1.0, exponent > -1000 ? -exponent : 1000);
}

/// Returns true if the corners of a primitive are different vertices: a triangle, in 2-D a segment.
/// @param vertex  [3] vertices of the corners
SHOAL_HD bool has_area(int dimensions, const std::int32_t* vertex) {
  return dimensions == 2 ? vertex[0] != vertex[2] : vertex[0] != vertex[1] && vertex[1] != vertex[2];
}

/// Primitives of closed walls; all memory is on one device.
struct SurfaceShapes {
  const Primitive* shape;          ///< [primitives]
  const std::int8_t* orientation;  ///< [primitives] see WallPrimitives
  double scale;                    ///< see surface_scale()
  int dimensions;

  SHOAL_HD SurfaceVector corner(std::int64_t k, int i) const {
    const Primitive& primitive = shape[k];
    return scale * SurfaceVector{primitive.x[i], primitive.y[i], primitive.z[i]};
  }

  /// Unit normal of a primitive with area; 0 if its altitude, relative to its longest edge, is a rounding error.
  SHOAL_HD OutwardNormal unit_normal(std::int64_t k) const {
    constexpr double flattest = 1e-12;
    const SurfaceVector u = corner(k, 1) - corner(k, 0), v = corner(k, 2) - corner(k, 0);
    const double longest = max(length(u), max(length(v), length(v - u)));
    const SurfaceVector a = 1 / longest * u, b = 1 / longest * v;
    const SurfaceVector across = dimensions == 2 ? SurfaceVector{b.y, -b.x, 0} : cross(a, b);
    const double size = length(across);
    OutwardNormal normal;
    if (size > flattest) add(normal, orientation[k] / size, {across.x, across.y, across.z});
    return normal;
  }

  /// Weight of the normal of a primitive at its corner i: the angle there, in 2-D 1.
  SHOAL_HD double weight(std::int64_t k, int i) const {
    if (dimensions == 2) return 1;
    const SurfaceVector apex = corner(k, i), u = corner(k, (i + 1) % 3) - apex, v = corner(k, (i + 2) % 3) - apex;
    return angle_of(length(cross(u, v)), dot(u, v));
  }

  /// Six times the volume (in 2-D: twice the area) between an apex and a primitive.
  SHOAL_HD double volume(const SurfaceVector& apex, std::int64_t k) const {
    const SurfaceVector a = corner(k, 0) - apex, b = corner(k, 1) - apex, c = corner(k, 2) - apex;
    const double volume = dimensions == 2 ? rounded_product(a.x, c.y) - rounded_product(a.y, c.x) : dot(a, cross(b, c));
    return orientation[k] * volume;
  }
};

/// Returns true if a unit normal was computed.
SHOAL_HD bool is_unit(const OutwardNormal& normal) { return normal.x != 0 || normal.y != 0 || normal.z != 0; }

}  // namespace shoal::wall_distance
