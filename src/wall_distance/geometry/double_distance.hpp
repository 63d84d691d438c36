// SPDX-License-Identifier: Apache-2.0
// Distance from a point to a primitive in double precision.
//
// The computed distance d' of a primitive at the distance d has |d' - d| <= 2^-46 (1 + k) (d + l) with its longest edge
// l, and k = l / h for the height h of a triangle on that edge, k = 0 for segments, points, and triangles with
// h <= 2^-46 l. The vector from the first corner to the point, of length d + l at most, has a relative error of 2^-53. So
// have its scalar and vector products, which divided by the area make k times that error in the foot. The factor 2^-46
// = 128 2^-53 exceeds the sum of all such errors. A foot is always within its primitive, up to rounding.
#pragma once
#include <algorithm>
#include <cmath>

#include "wall_distance/geometry/primitive_distance_item.hpp"

namespace shoal::wall_distance {

struct DoubleVector {
  double x, y, z;
};
inline DoubleVector operator-(const DoubleVector& a, const DoubleVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline DoubleVector operator*(double s, const DoubleVector& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const DoubleVector& a, const DoubleVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline DoubleVector cross(const DoubleVector& a, const DoubleVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline DoubleVector corner(const Primitive& primitive, int i) {
  return {primitive.x[i], primitive.y[i], primitive.z[i]};
}

constexpr double rounding_share = 0x1p-46;
constexpr double least_square = 1e-280;  ///< m² or m⁴; smaller squares may have lost digits

/// 1 / square; 0 if that is too small.
inline double inverse(double square) { return square >= least_square ? 1 / square : 0; }

/// A segment between the first and the last corner of a primitive.
struct DoubleSegment {
  DoubleVector begin, along;
  double inverse_square;  ///< 1/m²

  DoubleSegment(const DoubleVector& from, const DoubleVector& end)
      : begin(from), along(end - from), inverse_square(inverse(dot(along, along))) {}
  explicit DoubleSegment(const Primitive& primitive) : DoubleSegment(corner(primitive, 0), corner(primitive, 2)) {}

  double longest_edge() const { return std::sqrt(dot(along, along)); }
  double aspect_ratio() const { return 0; }

  /// Vector from the nearest point of the segment, m.
  DoubleVector offset(const DoubleVector& point) const {
    const DoubleVector from_begin = point - begin;
    const double share = std::clamp(dot(from_begin, along) * inverse_square, 0.0, 1.0);
    return from_begin - share * along;
  }
};

struct DoubleTriangle {
  DoubleSegment first, second, third;
  DoubleVector normal;
  double inverse_square;  ///< 1/m⁴, of the normal

  explicit DoubleTriangle(const Primitive& primitive)
      : first(corner(primitive, 0), corner(primitive, 1)),
        second(corner(primitive, 0), corner(primitive, 2)),
        third(corner(primitive, 1), corner(primitive, 2)),
        normal(cross(first.along, second.along)),
        inverse_square(inverse(dot(normal, normal))) {}

  double longest_edge() const { return std::max({first.longest_edge(), second.longest_edge(), third.longest_edge()}); }
  /// Longest edge divided by the height on it; 0 without area.
  double aspect_ratio() const {
    const double longest = longest_edge(), height = std::sqrt(dot(normal, normal)) / longest;
    return height > rounding_share * longest ? longest / height : 0;
  }

  DoubleVector offset(const DoubleVector& point) const {
    DoubleVector nearest = first.offset(point);
    const auto include = [&](const DoubleVector& candidate) {
      if (dot(candidate, candidate) < dot(nearest, nearest)) nearest = candidate;
    };
    include(second.offset(point));
    include(third.offset(point));
    const DoubleVector from_begin = point - first.begin;
    const double along_first = dot(normal, cross(from_begin, second.along)) * inverse_square;
    const double along_second = dot(normal, cross(first.along, from_begin)) * inverse_square;
    if (along_first > 0 && along_second > 0 && along_first + along_second < 1)
      include(from_begin - along_first * first.along - along_second * second.along);
    return nearest;
  }
};

}  // namespace shoal::wall_distance
