// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "wall_distance/geometry/primitive_distance_item.hpp"

namespace shoal::testing_support {

using namespace wall_distance;

/// Has 113 bits. The 64 bits of long double do not suffice to judge heights of 1e-7 of a face's size.
using Quadruple = __float128;
using Corners = std::array<std::array<double, 3>, 3>;

struct QuadrupleVector {
  Quadruple x, y, z;

  QuadrupleVector(const std::array<double, 3>& a) : x(a[0]), y(a[1]), z(a[2]) {}
  QuadrupleVector(Quadruple x_, Quadruple y_, Quadruple z_) : x(x_), y(y_), z(z_) {}
  QuadrupleVector operator-(const QuadrupleVector& b) const { return {x - b.x, y - b.y, z - b.z}; }
  QuadrupleVector operator*(Quadruple s) const { return {s * x, s * y, s * z}; }
};
inline Quadruple dot(const QuadrupleVector& a, const QuadrupleVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline QuadrupleVector cross(const QuadrupleVector& a, const QuadrupleVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Quadruple squared_to_segment(const QuadrupleVector& p, const QuadrupleVector& a, const QuadrupleVector& b) {
  const QuadrupleVector along = b - a;
  const Quadruple length = dot(along, along);
  const Quadruple part = length > 0 ? dot(p - a, along) / length : Quadruple(0);
  const QuadrupleVector left = (p - a) - along * std::clamp(part, Quadruple(0), Quadruple(1));
  return dot(left, left);
}

/// Squared distance by the signs of three triple products; the library uses coordinates in the triangle's plane.
inline Quadruple squared_distance(const std::array<double, 3>& point, const Corners& corners) {
  const QuadrupleVector p = point, a = corners[0], b = corners[1], c = corners[2];
  const QuadrupleVector normal = cross(b - a, c - a);
  const Quadruple nn = dot(normal, normal);
  const auto side = [&](const QuadrupleVector& begin, const QuadrupleVector& end) {
    return dot(cross(end - begin, p - begin), normal);
  };
  if (nn > 0 && side(a, b) >= 0 && side(b, c) >= 0 && side(c, a) >= 0) {
    const Quadruple height = dot(normal, p - a);
    return height * height / nn;
  }
  return std::min({squared_to_segment(p, a, b), squared_to_segment(p, b, c), squared_to_segment(p, a, c)});
}

/// Error of `distance` relative to √squared, in units in the last place.
inline double units_off(double distance, Quadruple squared) {
  if (distance == 0) return squared == 0 ? 0 : 1e300;
  const Quadruple error = (Quadruple(distance) * distance - squared) / (2 * Quadruple(distance));
  return std::abs(static_cast<double>(error) / (std::nextafter(distance, 1e300) - distance));
}

inline Primitive primitive_of(Corners corners) {
  std::sort(corners.begin(), corners.end());
  Primitive primitive;
  for (std::size_t i = 0; i < 3; ++i) {
    primitive.x[i] = corners[i][0];
    primitive.y[i] = corners[i][1];
    primitive.z[i] = corners[i][2];
  }
  return primitive;
}

/// Exact distance of the library.
inline PrimitiveDistance exact_distance(const std::array<double, 3>& p, const Corners& corners) {
  return distance_to({{p[0], 0}, {p[1], 0}, {p[2], 0}}, primitive_of(corners));
}

/// Random triangles of all shapes, and a point near each: at a height of 10^-7 to 1 edges, above or beside the face.
struct RandomFaces {
  std::mt19937_64 random{1};
  double next() { return std::uniform_real_distribution<double>(-1, 1)(random); }

  /// Corners within a box of 2; `flatness` is the distance of the third corner from the line through the others.
  Corners corners(double flatness) {
    Corners c;
    for (auto& corner : c) corner = {next(), next(), next()};
    if (flatness < 1) {
      const double part = next();
      for (std::size_t axis = 0; axis < 3; ++axis)
        c[2][axis] = c[0][axis] + part * (c[1][axis] - c[0][axis]) + flatness * next();
    }
    return c;
  }
  std::array<double, 3> point_near(const Corners& c) {
    const double s = 0.6 + 0.9 * next(), t = 0.6 + 0.9 * next(), height = std::pow(10, -3.5 + 3.5 * next());
    std::array<double, 3> p, u, v;
    for (std::size_t axis = 0; axis < 3; ++axis) u[axis] = c[1][axis] - c[0][axis], v[axis] = c[2][axis] - c[0][axis];
    const std::array<double, 3> n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double length = std::hypot(n[0], n[1], n[2]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      p[axis] = c[0][axis] + s * u[axis] + t * v[axis] + (length > 0 ? height * n[axis] / length : height);
    return p;
  }
};

}  // namespace shoal::testing_support
