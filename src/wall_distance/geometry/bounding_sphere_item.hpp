// SPDX-License-Identifier: Apache-2.0
// Bounding spheres of primitives. Their centers are the face centers to which the paper measures distances.
//
// The center lies on the primitive, and all of the primitive is within `radius` of it. So the smallest distance to a
// center is an upper bound of the result, and a primitive whose center is farther than that by more than its radius is
// not the nearest. The exact distances of the remaining primitives are computed; rounding here costs time, never a
// wrong result.
#pragma once
#include "wall_distance/geometry/primitive_distance_item.hpp"
#include "wall_distance/motion/body_pose_item.hpp"

namespace shoal::wall_distance {

/// Coordinates in m, relative to an origin close to all primitives.
template <class Real>
struct alignas(4 * sizeof(Real)) BoundingSphere {
  Real x, y, z, radius;
};

/// Bounds of the rounding error of a distance between a point and a center.
template <class Real>
struct SphereRounding;
template <>
struct SphereRounding<double> {
  static constexpr double share = 0x1p-36;  ///< relative to distances and coordinates; covers rotations right to 1e-12
  static constexpr double least = 1e-150;   ///< m, keeps squares from vanishing
};
template <>
struct SphereRounding<float> {
  static constexpr float share =
      0x1p-21f;  ///< eight units: rounding of coordinates, differences, squares and their sum
  static constexpr float least = 1e-18f;
};

/// Distance where there is no primitive, m.
template <class Real>
inline constexpr Real infinite_distance = std::numeric_limits<Real>::infinity();

/// A query point in the coordinates of the bounding spheres.
template <class Real>
struct SphereQuery {
  Real x, y, z;   ///< m, relative to the origin of the spheres
  Real rounding;  ///< m, bound of the absolute rounding error of any distance from this point

  /// @param rotation_error  m, see SphereOrigin::rotation_error()
  SHOAL_HD SphereQuery(const DoubleDoubleVector& point, const double* origin, double rotation_error)
      : x(static_cast<Real>(point.x.high - origin[0])),
        y(static_cast<Real>(point.y.high - origin[1])),
        z(static_cast<Real>(point.z.high - origin[2])) {
    const Real farthest = max(std::abs(x), max(std::abs(y), std::abs(z)));
    rounding =
        SphereRounding<Real>::share * farthest + static_cast<Real>(2 * rotation_error) + SphereRounding<Real>::least;
  }

  /// Squared distance to the center of a sphere, m².
  SHOAL_HD Real squared(const BoundingSphere<Real>& sphere) const {
    const Real along_x = x - sphere.x, along_y = y - sphere.y, along_z = z - sphere.z;
    return fma(along_x, along_x, fma(along_y, along_y, along_z * along_z));
  }

  /// Search radius, m: a primitive whose center is farther than this by more than its radius is not the nearest.
  /// @param least  m², squared() of any sphere; the smaller, the better
  SHOAL_HD Real search_radius(Real least) const {
    return fast_sqrt(least) * (1 + 4 * SphereRounding<Real>::share) + 4 * rounding;
  }
};

/// Returns false if a primitive is not the nearest; true for NaN.
template <class Real>
SHOAL_HD bool may_be_nearest(Real squared, Real radius, Real search_radius) {
  const Real limit = search_radius + radius;
  return !(squared > limit * limit);
}

/// Bounding sphere of a primitive at the pose of its body. The center of a segment is its middle, that of a triangle
/// the mean of its corners.
template <class Real>
SHOAL_HD BoundingSphere<Real> bounding_sphere(const Primitive& primitive, const BodyPose& pose, const double* origin) {
  const auto same = [&](int i, int j) {
    return primitive.x[i] == primitive.x[j] && primitive.y[i] == primitive.y[j] && primitive.z[i] == primitive.z[j];
  };
  const bool is_segment = same(0, 1) || same(1, 2);
  const auto mean = [&](const double(&axis)[3]) {
    return is_segment ? axis[0] / 2 + axis[2] / 2 : (axis[0] + axis[1] + axis[2]) / 3;
  };
  const double center[3] = {mean(primitive.x), mean(primitive.y), mean(primitive.z)};
  double squared = 0;
  for (int i = 0; i < 3; ++i) {
    const double along[3] = {primitive.x[i] - center[0], primitive.y[i] - center[1], primitive.z[i] - center[2]};
    squared = max(squared, along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  }
  DoubleDoubleVector moved = pose.from_body({{center[0], 0}, {center[1], 0}, {center[2], 0}});
  if (pose.moved)
    moved = moved - DoubleDoubleVector{{-pose.translation[0], 0}, {-pose.translation[1], 0}, {-pose.translation[2], 0}};
  const auto from_origin = [&](const DoubleDouble& a, int axis) {
    return static_cast<Real>((a - DoubleDouble{origin[axis], 0}).high);
  };
  const double radius = fast_sqrt(squared);
  return {from_origin(moved.x, 0), from_origin(moved.y, 1), from_origin(moved.z, 2),
          static_cast<Real>(radius) * (1 + 8 * SphereRounding<Real>::share) + SphereRounding<Real>::least};
}

/// A sphere that is never the nearest one.
template <class Real>
SHOAL_HD BoundingSphere<Real> sphere_at_infinity() {
  return {infinite_distance<Real>, infinite_distance<Real>, infinite_distance<Real>, 0};
}

}  // namespace shoal::wall_distance
