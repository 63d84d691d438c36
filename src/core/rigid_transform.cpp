// SPDX-License-Identifier: Apache-2.0
#include <shoal/rigid_transform.hpp>

#include <cmath>

#include "core/motion_item.hpp"
#include "core/text.hpp"

namespace shoal {

std::array<double, 3> RigidTransform::apply(const std::array<double, 3>& x) const {
  std::array<double, 3> moved = translation;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) moved[row] += rotation[3 * row + column] * x[column];
  return moved;
}

std::array<double, 3> RigidTransform::apply_inverse(const std::array<double, 3>& x) const {
  std::array<double, 3> original{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      original[column] += rotation[3 * row + column] * (x[row] - translation[row]);
  return original;
}

RigidTransform RigidTransform::then(const RigidTransform& next) const {
  RigidTransform both;
  both.translation = next.apply(translation);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) {
      both.rotation[3 * row + column] = 0;
      for (std::size_t k = 0; k < 3; ++k)
        both.rotation[3 * row + column] += next.rotation[3 * row + k] * rotation[3 * k + column];
    }
  return both;
}

RigidTransform RigidTransform::shift(const std::array<double, 3>& by) { return {.translation = by}; }

RigidTransform RigidTransform::about(const std::array<double, 3>& point, const std::array<double, 3>& axis,
                                     double angle) {
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  require(length > 0 && std::isfinite(length), "rigid transform: the axis is (", axis[0], ", ", axis[1], ", ", axis[2],
          "), expected finite numbers that are not all 0.");
  const double unit[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
  const auto rotation = motion::rotation_about<3>(unit, std::cos(angle), std::sin(angle));
  RigidTransform rotated;
  for (std::size_t row = 0; row < 3; ++row) {
    rotated.translation[row] = point[row];
    for (std::size_t column = 0; column < 3; ++column) {
      rotated.rotation[3 * row + column] = rotation.matrix[row][column];
      rotated.translation[row] -= rotation.matrix[row][column] * point[column];
    }
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
