// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "wall_distance/geometry/primitive_distance_item.hpp"

namespace shoal::testing_support {

/// 113 bits: long double has 64, which is not enough to judge heights of 1e-7 of a face's size.
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

/// By the signs of three triple products, not by coordinates in the triangle's plane as the library does.
inline Quadruple squared_distance(const std::array<double, 3>& point, const Corners& corners) {
  const QuadrupleVector p = point, a = corners[0], b = corners[1], c = corners[2];
  const QuadrupleVector normal = cross(b - a, c - a);
  const Quadruple nn = dot(normal, normal);
  const auto side = [&](const QuadrupleVector& from, const QuadrupleVector& to) {
    return dot(cross(to - from, p - from), normal);
  };
  if (nn > 0 && side(a, b) >= 0 && side(b, c) >= 0 && side(c, a) >= 0) {
    const Quadruple height = dot(normal, p - a);
    return height * height / nn;
  }
  return std::min({squared_to_segment(p, a, b), squared_to_segment(p, b, c), squared_to_segment(p, a, c)});
}

/// How many units in the last place `distance` is from √squared.
inline double units_off(double distance, Quadruple squared) {
  if (distance == 0) return squared == 0 ? 0 : 1e300;
  const Quadruple off = (Quadruple(distance) * distance - squared) / (2 * Quadruple(distance));
  return std::abs(static_cast<double>(off) / (std::nextafter(distance, 1e300) - distance));
}

inline FacePiece piece_of(Corners corners) {
  std::sort(corners.begin(), corners.end());
  FacePiece piece;
  for (std::size_t i = 0; i < 3; ++i) {
    piece.x[i] = corners[i][0];
    piece.y[i] = corners[i][1];
    piece.z[i] = corners[i][2];
  }
  return piece;
}

inline FaceSight see(const std::array<double, 3>& p, const Corners& corners) {
  return see_face({{p[0], 0}, {p[1], 0}, {p[2], 0}}, piece_of(corners));
}

/// Triangles of all shapes, and a point near each: at a height of 10^-7 to 1 edges, over the face or beside it.
struct RandomFaces {
  std::mt19937_64 random{1};
  double next() { return std::uniform_real_distribution<double>(-1, 1)(random); }

  /// Corners within a box of 2; `flatness` is how far the third corner is from the line through the others.
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
