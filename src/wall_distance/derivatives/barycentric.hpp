// SPDX-License-Identifier: Apache-2.0
// Barycentric coordinates of the point of a triangle that is nearest to a given one, in double.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

namespace shoal::wall_distance {

using Coordinates = std::array<double, 3>;

/// A point of a triangle, as weights of its corners, and its squared distance in units of the triangle.
struct TrianglePoint {
  std::array<double, 3> weight = {1, 0, 0};
  double distance2 = 0;
};

inline double dot(const Coordinates& a, const Coordinates& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

inline Coordinates scaled_difference(const Coordinates& a, const Coordinates& b, double scale) {
  return {(a[0] - b[0]) * scale, (a[1] - b[1]) * scale, (a[2] - b[2]) * scale};
}

/// Squared distance of p from u a + v b.
inline double distance2_to(const Coordinates& p, double u, const Coordinates& a, double v, const Coordinates& b) {
  const Coordinates between{p[0] - u * a[0] - v * b[0], p[1] - u * a[1] - v * b[1], p[2] - u * a[2] - v * b[2]};
  return dot(between, between);
}

/// Part of the segment from a to b that ends at its nearest point to p: 0 to 1. 0 if a and b are the same.
inline double part_of_segment(const Coordinates& p, const Coordinates& a, const Coordinates& b) {
  const Coordinates along = scaled_difference(b, a, 1), from = scaled_difference(p, a, 1);
  const double length2 = dot(along, along);
  return length2 > 0 ? std::clamp(dot(from, along) / length2, 0.0, 1.0) : 0;
}

/// Nearest point of the triangle of corners. Corners may coincide or lie on a line.
inline TrianglePoint nearest_on_triangle(const std::array<Coordinates, 3>& corner, const Coordinates& point) {
  double size = 0;
  for (int side = 1; side < 3; ++side)
    for (std::size_t axis = 0; axis < 3; ++axis)
      size = std::max(size, std::abs(corner[static_cast<std::size_t>(side)][axis] - corner[0][axis]));
  const double scale = size > 0 ? 1 / size : 1;
  const Coordinates origin{}, a = scaled_difference(corner[1], corner[0], scale),
                              b = scaled_difference(corner[2], corner[0], scale),
                              p = scaled_difference(point, corner[0], scale);
  const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), ap = dot(a, p), bp = dot(b, p);
  const double area2 = aa * bb - ab * ab;
  if (area2 > 0) {
    const double u = (bb * ap - ab * bp) / area2, v = (aa * bp - ab * ap) / area2;
    if (u >= 0 && v >= 0 && u + v <= 1) return {{1 - u - v, u, v}, distance2_to(p, u, a, v, b)};
  }
  const double on_a = part_of_segment(p, origin, a), on_b = part_of_segment(p, origin, b),
               on_ab = part_of_segment(p, a, b);
  TrianglePoint best{{1 - on_a, on_a, 0}, distance2_to(p, on_a, a, 0, b)};
  for (const TrianglePoint& candidate : {TrianglePoint{{1 - on_b, 0, on_b}, distance2_to(p, 0, a, on_b, b)},
                                         TrianglePoint{{0, 1 - on_ab, on_ab}, distance2_to(p, 1 - on_ab, a, on_ab, b)}})
    if (candidate.distance2 < best.distance2) best = candidate;
  return best;
}

}  // namespace shoal::wall_distance
