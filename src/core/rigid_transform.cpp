// SPDX-License-Identifier: Apache-2.0
#include <shoal/rigid_transform.hpp>

#include <cmath>

#include "core/text.hpp"

namespace shoal {

RigidTransform RigidTransform::shift(const std::array<double, 3>& by) { return {.translation = by}; }

RigidTransform RigidTransform::about(const std::array<double, 3>& point, const std::array<double, 3>& axis,
                                     double angle) {
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  require(length > 0 && std::isfinite(length), "rigid transform: the axis is (", axis[0], ", ", axis[1], ", ", axis[2],
          "), expected finite numbers that are not all 0.");
  const double u = axis[0] / length, v = axis[1] / length, w = axis[2] / length;
  const double c = std::cos(angle), s = std::sin(angle), d = 1 - c;
  RigidTransform rotated{.rotation = {c + u * u * d, u * v * d - w * s, u * w * d + v * s, v * u * d + w * s,
                                      c + v * v * d, v * w * d - u * s, w * u * d - v * s, w * v * d + u * s,
                                      c + w * w * d}};
  for (std::size_t row = 0; row < 3; ++row) {
    rotated.translation[row] = point[row];
    for (std::size_t column = 0; column < 3; ++column)
      rotated.translation[row] -= rotated.rotation[3 * row + column] * point[column];
  }
  return rotated;
}

void require_valid(const RigidTransform& transform) {
  for (const double number : transform.rotation)
    require(std::isfinite(number), "rigid transform: the rotation contains ", number, ", expected finite numbers.");
  for (const double number : transform.translation)
    require(std::abs(number) <= 1e100, "rigid transform: the translation contains ", number,
            " m, expected at most 1e100 m in magnitude.");
  const auto& r = transform.rotation;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) {
      const double product = r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2];
      require(std::abs(product - (i == j ? 1 : 0)) <= 1e-12, "rigid transform: the scalar product of rows ", i, " and ",
              j, " of the rotation is ", product, ", expected ", i == j ? 1 : 0,
              ". The rows of a rotation are orthonormal.");
    }
  const double determinant =
      r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) + r[2] * (r[3] * r[7] - r[4] * r[6]);
  require(determinant > 0, "rigid transform: the determinant of the rotation is ", determinant,
          ", expected 1. The matrix is a reflection.");
}

}  // namespace shoal
