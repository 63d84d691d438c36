// SPDX-License-Identifier: Apache-2.0
// Exact distance from a point to a primitive.
//
// At a height of 1e-7 of a body's length, the difference of two coordinates in double has an error of 1e-9 of the
// height. So offsets are computed in double-double arithmetic. The projection onto an edge or plane is computed in
// double, twice: the second time from the remainder of the first. The distance is then right to the last bit, except
// for one double rounding, at any height, for any offset of the coordinates and any shape of the face.
#pragma once
#include <limits>

#include "wall_distance/geometry/double_double_item.hpp"

namespace shoal::wall_distance {

/// A triangle, a segment (two corners are the same point) or a point (all three are); faces consist of these.
///
/// The corners ascend by x, then y, then z. So two faces that share an edge compute exactly the same distance to it,
/// and equal distances compare as equal.
struct Primitive {
  double x[3], y[3], z[3];  ///< m
};

/// Offset from the nearest point of a primitive to a point, and its squared length.
struct PrimitiveDistance {
  DoubleDoubleVector offset;  ///< m
  DoubleDouble squared;       ///< m²
};

SHOAL_HD PrimitiveDistance with_length(const DoubleDoubleVector& offset) { return {offset, squared_length(offset)}; }

/// Offsets below this share of the size of a face are rounding errors of a point on the face.
inline constexpr double touching_share = 0x1p-90;

SHOAL_HD DoubleDoubleVector zero_if_touching(const DoubleDoubleVector& offset, double size) {
  return largest_component(offset) <= touching_share * size ? DoubleDoubleVector{} : offset;
}

/// Offsets from the corners of a primitive to a point, m.
struct CornerOffsets {
  DoubleDoubleVector offset[3];
};

SHOAL_HD CornerOffsets corner_offsets(const DoubleDoubleVector& point, const Primitive& primitive) {
  CornerOffsets corners;
  for (int i = 0; i < 3; ++i)
    corners.offset[i] = point - DoubleDoubleVector{{primitive.x[i], 0}, {primitive.y[i], 0}, {primitive.z[i], 0}};
  return corners;
}

/// Offset from the nearest point of a segment to a point.
/// @param from_begin,from_end  offsets from the ends of the segment to the point
SHOAL_HD DoubleDoubleVector offset_from_segment(const DoubleDoubleVector& from_begin,
                                                const DoubleDoubleVector& from_end) {
  const DoubleDoubleVector along = from_begin - from_end;
  const double length_squared = rounded_dot(along, along);
  if (!(length_squared > 0)) return from_begin;
  const double first = rounded_dot(from_begin, along) / length_squared;
  const DoubleDoubleVector remainder = from_begin - first * along;
  const double second = rounded_dot(remainder, along) / length_squared;
  if (first + second <= 0) return from_begin;
  if (first + second >= 1) return from_end;
  return zero_if_touching(remainder - second * along, largest_component(along));
}

/// Computes the offset from the plane of a triangle. Returns true if the projection of the point is inside the
/// triangle.
SHOAL_HD bool offset_from_interior(const CornerOffsets& corners, DoubleDoubleVector& offset) {
  const DoubleDoubleVector u = corners.offset[0] - corners.offset[1];
  const DoubleDoubleVector v = corners.offset[0] - corners.offset[2];
  const double uu = rounded_dot(u, u);
  if (!(uu > 0)) return false;
  const double slant = rounded_dot(v, u) / uu;
  const DoubleDoubleVector e = v - slant * u;  // perpendicular to u, which keeps slivers accurate
  const double ee = rounded_dot(e, e);
  if (!(ee > 0)) return false;
  DoubleDouble along_u, along_e;
  offset = corners.offset[0];
  for (int round = 0; round < 2; ++round) {
    const double more_u = rounded_dot(offset, u) / uu;
    offset = offset - more_u * u;
    const double more_e = rounded_dot(offset, e) / ee;
    offset = offset - more_e * e;
    along_u = along_u + DoubleDouble{more_u, 0};
    along_e = along_e + DoubleDouble{more_e, 0};
  }
  const DoubleDouble weight_1 = along_u - slant * along_e;
  const DoubleDouble weight_0 = DoubleDouble{1, 0} - (weight_1 + along_e);
  offset = zero_if_touching(offset, max(largest_component(u), largest_component(v)));
  return weight_0.high >= 0 && weight_1.high >= 0 && along_e.high >= 0;
}

/// Test in double for the feature (corner, edge or interior) of a primitive that contains the nearest point. It is
/// sufficient where the point is not close to the boundary between the regions of two features.
///
/// Products of `distance` and `size` have a relative rounding error of 2^-49. Where the numbers exceed the margins,
/// distance_to_any_feature() comes to the same feature, and to the same bits.
///
/// Source: the regions are those of Ericson (2005), Real-Time Collision Detection, section 5.1.5.
struct FeatureTest {
  double offset[3][3];                           ///< m, [corner][axis] from the corners to the point
  double u[3], v[3];                             ///< m, from corner 0 to 1 and to 2
  double u_dot[3], v_dot[3];                     ///< m², scalar products of u and v with each of `offset`
  double across_12, across_02, across_01, area;  ///< m⁴, barycentric weights across from the edges, and their sum
  double distance = 0, size = 0;                 ///< m, largest coordinates of `offset`, and of u and v

  SHOAL_HD FeatureTest(const DoubleDoubleVector& point, const Primitive& primitive) {
    for (int i = 0; i < 3; ++i) {
      offset[i][0] = (point.x.high - primitive.x[i]) + point.x.low;
      offset[i][1] = (point.y.high - primitive.y[i]) + point.y.low;
      offset[i][2] = (point.z.high - primitive.z[i]) + point.z.low;
      for (const double along : offset[i]) distance = max(distance, std::abs(along));
    }
    for (int axis = 0; axis < 3; ++axis) {
      u[axis] = offset[0][axis] - offset[1][axis];
      v[axis] = offset[0][axis] - offset[2][axis];
      size = max(size, max(std::abs(u[axis]), std::abs(v[axis])));
    }
    for (int i = 0; i < 3; ++i) {
      u_dot[i] = dot(u, offset[i]);
      v_dot[i] = dot(v, offset[i]);
    }
    const auto product_difference = [](double a, double b, double c, double d) {
      return fma(a, b, -rounded_product(c, d));
    };
    across_12 = product_difference(u_dot[1], v_dot[2], u_dot[2], v_dot[1]);
    across_02 = product_difference(u_dot[2], v_dot[0], u_dot[0], v_dot[2]);
    across_01 = product_difference(u_dot[0], v_dot[1], u_dot[1], v_dot[0]);
    area = across_12 + across_02 + across_01;
  }

  /// The feature with the nearest point, as a mask of its corners (1, 2, 4): one for a corner, two for an edge, all for
  /// the interior. 0 if that is uncertain: close to the boundary of two regions, for slivers and without area.
  SHOAL_HD int certain_feature() const {
    const double square = size * size;
    const double off_line = 0x1p-20 * (size * distance), off_plane = 0x1p-40 * (square * (distance * distance));
    if (!(area > 0x1p-20 * (square * square) + 4 * off_plane)) return 0;
    const double inside = 0x1p-30 * area + off_plane;
    if (across_12 > inside && across_02 > inside && across_01 > inside) return 7;
    if (u_dot[0] < -off_line && v_dot[0] < -off_line) return 1;
    if (u_dot[1] > off_line && v_dot[1] - u_dot[1] < -off_line) return 2;
    if (v_dot[2] > off_line && u_dot[2] - v_dot[2] < -off_line) return 4;
    if (across_01 < -off_plane && u_dot[0] > off_line && u_dot[1] < -off_line) return 3;
    if (across_02 < -off_plane && v_dot[0] > off_line && v_dot[2] < -off_line) return 5;
    if (across_12 < -off_plane && v_dot[1] - u_dot[1] > off_line && u_dot[2] - v_dot[2] > off_line) return 6;
    return 0;
  }

  /// Squared distance, m², with an error of at most 2^-38 distance².
  /// @param feature  result of certain_feature(), not 0
  SHOAL_HD double squared(int feature) const {
    if (feature == 7) {
      const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
      const double height = dot(n, offset[0]);
      return height * height / dot(n, n);
    }
    const bool has_0 = (feature & 1) != 0, has_1 = (feature & 2) != 0, has_2 = (feature & 4) != 0;
    const double to_corner = has_0   ? dot(offset[0], offset[0])
                             : has_1 ? dot(offset[1], offset[1])
                                     : dot(offset[2], offset[2]);
    double along = 0, edge = 1;
    if (has_0 && has_1) along = u_dot[0], edge = dot(u, u);
    if (has_0 && has_2) along = v_dot[0], edge = dot(v, v);
    if (has_1 && has_2) along = v_dot[1] - u_dot[1], edge = dot(u, u) + dot(v, v) - 2 * dot(u, v);
    return max(0.0, to_corner - along * along / edge);
  }

 private:
  SHOAL_HD static double dot(const double (&a)[3], const double (&b)[3]) {
    return fma(a[0], b[0], fma(a[1], b[1], rounded_product(a[2], b[2])));
  }
};

/// Exact distance to a primitive, without a feature test.
///
/// If the projection of the point is not inside the triangle, the nearest point is on one of the edges. This also
/// covers primitives without area, which are segments or points.
SHOAL_HD PrimitiveDistance distance_to_any_feature(const DoubleDoubleVector& point, const Primitive& primitive) {
  const CornerOffsets corners = corner_offsets(point, primitive);
  DoubleDoubleVector offset;
  if (offset_from_interior(corners, offset)) return with_length(offset);
  PrimitiveDistance nearest = with_length(offset_from_segment(corners.offset[0], corners.offset[1]));
  const PrimitiveDistance second = with_length(offset_from_segment(corners.offset[0], corners.offset[2]));
  if (second.squared < nearest.squared) nearest = second;
  const PrimitiveDistance third = with_length(offset_from_segment(corners.offset[1], corners.offset[2]));
  if (third.squared < nearest.squared) nearest = third;
  return nearest;
}

/// Exact distance to a primitive, with the bits of distance_to_any_feature(). Skips features that are certainly
/// farther.
SHOAL_HD PrimitiveDistance distance_to(const DoubleDoubleVector& point, const Primitive& primitive) {
  const int feature = FeatureTest(point, primitive).certain_feature();
  if (feature == 0 || feature == 7) return distance_to_any_feature(point, primitive);
  const auto from_corner = [&](int i) {
    return point - DoubleDoubleVector{{primitive.x[i], 0}, {primitive.y[i], 0}, {primitive.z[i], 0}};
  };
  const int first = (feature & 1) != 0 ? 0 : (feature & 2) != 0 ? 1 : 2, last = (feature & 4) != 0 ? 2 : feature / 2;
  if (first == last) return with_length(from_corner(first));
  return with_length(offset_from_segment(from_corner(first), from_corner(last)));
}

/// Distance rounded to double, m; within one unit in the last place of the exact distance.
SHOAL_HD double rounded_distance(const PrimitiveDistance& result) { return rounded_sqrt(result.squared); }

/// The nearest primitive so far. Of equal distances the smaller number wins, so the order of the tests does not matter.
struct NearestPrimitive {
  double distance = std::numeric_limits<double>::infinity();  ///< m
  std::int64_t primitive = -1;                                ///< number of the primitive; −1: none yet
  DoubleDoubleVector offset;                                  ///< m, from the nearest point, in the frame of the body

  /// Computes the exact distance to primitive `number` and keeps it if it is the nearest.
  SHOAL_HD void test(const DoubleDoubleVector& point, const Primitive& shape, std::int64_t number) {
    const PrimitiveDistance result = distance_to(point, shape);
    const double rounded = rounded_distance(result);
    if (rounded > distance || (rounded == distance && primitive >= 0 && number > primitive)) return;
    distance = rounded;
    primitive = number;
    offset = result.offset;
  }
};

}  // namespace shoal::wall_distance
