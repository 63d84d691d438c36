// SPDX-License-Identifier: Apache-2.0
// Vectors and matrices of three dimensions in double precision, on every device.
#pragma once
#include <array>

#include <shoal/item/host_device.hpp>

namespace shoal {

struct Vector3 {
  double component[3];

  SHOAL_HD double& operator[](int axis) { return component[axis]; }
  SHOAL_HD double operator[](int axis) const { return component[axis]; }
};

/// A 3 by 3 matrix as its rows.
struct Matrix3 {
  Vector3 row[3];

  SHOAL_HD Vector3& operator[](int k) { return row[k]; }
  SHOAL_HD const Vector3& operator[](int k) const { return row[k]; }
};

inline Vector3 to_vector3(const std::array<double, 3>& vector) { return {{vector[0], vector[1], vector[2]}}; }

SHOAL_HD double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

SHOAL_HD Vector3 cross(const Vector3& a, const Vector3& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

SHOAL_HD Vector3 product(const Matrix3& matrix, const Vector3& x) {
  return {{dot(matrix[0], x), dot(matrix[1], x), dot(matrix[2], x)}};
}

/// Solution of a symmetric system.
SHOAL_HD Vector3 solve_symmetric(const Matrix3& a, const Vector3& b) {
  const Matrix3 adjugate{{cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])}};
  const double determinant = dot(a[0], adjugate[0]);
  Vector3 x = product(adjugate, b);
  for (double& component : x.component) component /= determinant;
  return x;
}

}  // namespace shoal
