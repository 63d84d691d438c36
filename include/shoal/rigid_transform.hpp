// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

namespace shoal {

/// Rigid motion of a body: a point x of the mesh moves to R x + t.
///
///     auto pitched = shoal::RigidTransform::about({0.25, 0, 0}, {0, 0, 1}, 0.1);
struct RigidTransform {
  std::array<double, 9> rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< R, row by row
  std::array<double, 3> translation = {0, 0, 0};                 ///< t, m

  friend bool operator==(const RigidTransform&, const RigidTransform&) = default;

  /// R x + t.
  std::array<double, 3> apply(const std::array<double, 3>& x) const;

  /// Rᵀ (x − t), the point that `apply` moves to x.
  std::array<double, 3> apply_inverse(const std::array<double, 3>& x) const;

  /// The motion by this transform, then by `next`.
  RigidTransform then(const RigidTransform& next) const;

  static RigidTransform shift(const std::array<double, 3>& by);

  /// Rotation by `angle` (radians, counter-clockwise seen from the tip of `axis`) about the line through `point` along
  /// `axis`, which need not be a unit vector. In 2-D the axis is z.
  /// @throws Error  the axis has no length
  static RigidTransform about(const std::array<double, 3>& point, const std::array<double, 3>& axis, double angle);
};

/// @throws Error  a number is not finite, or the matrix is not a rotation: not orthonormal to 1e-12, or a reflection
void require_valid(const RigidTransform& transform);

}  // namespace shoal
