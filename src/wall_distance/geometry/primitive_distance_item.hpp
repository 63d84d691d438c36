// SPDX-License-Identifier: Apache-2.0
// The distance from one point to one face.
//
// At a height of 1e-7 of a body's length, the difference of two coordinates in double is wrong by 1e-9 of the height.
// So what is left after a foot was subtracted is carried in twice the precision (`Twofold`), and the foot itself is
// found in double, twice: the second time from what is left. The distance is then right to the last bit but for a
// double rounding, whatever the height, the offset of the coordinates or the shape of the face.
#pragma once
#include <limits>

#include "wall_distance/geometry/double_double_item.hpp"

namespace shoal {

/// A triangle, a segment (two corners are the same point) or a point (all three are): what a face is made of. The
/// corners ascend by x, then y, then z; so two faces that share an edge compute the same distance from it, bit for bit,
/// and ties are ties.
struct FacePiece {
  double x[3], y[3], z[3];
};

/// Where a point sees a face: what leads from the face's nearest point to the point, and its length.
struct FaceSight {
  TwofoldVector offset;
  Twofold squared;
};

SHOAL_HD FaceSight sight(const TwofoldVector& offset) { return {offset, squared_length(offset)}; }

/// A point closer to the inside of a face than this part of the face's size is on it: that is what rounding in
/// `Twofold` leaves of a distance of 0.
inline constexpr double on_the_face = 0x1p-90;

SHOAL_HD TwofoldVector zero_if_on_the_face(const TwofoldVector& offset, double size) {
  return largest_component(offset) <= on_the_face * size ? TwofoldVector{} : offset;
}

/// A piece as one point sees it: what leads from each corner to the point.
struct CornerSights {
  TwofoldVector from[3];
};

SHOAL_HD CornerSights see_corners(const TwofoldVector& point, const FacePiece& piece) {
  CornerSights sights;
  for (int i = 0; i < 3; ++i) sights.from[i] = point - TwofoldVector{{piece.x[i], 0}, {piece.y[i], 0}, {piece.z[i], 0}};
  return sights;
}

/// From the segment between two corners to the point.
/// @param from_begin,from_end  from the corners to the point
SHOAL_HD TwofoldVector from_segment(const TwofoldVector& from_begin, const TwofoldVector& from_end) {
  const TwofoldVector along = from_begin - from_end;
  const double length_squared = rounded_dot(along, along);
  if (!(length_squared > 0)) return from_begin;
  const double first = rounded_dot(from_begin, along) / length_squared;
  const TwofoldVector left = from_begin - first * along;
  const double second = rounded_dot(left, along) / length_squared;
  if (first + second <= 0) return from_begin;
  if (first + second >= 1) return from_end;
  return zero_if_on_the_face(left - second * along, largest_component(along));
}

/// From the inside of the triangle to the point, if its foot is there.
SHOAL_HD bool from_inside(const CornerSights& sights, TwofoldVector& offset) {
  const TwofoldVector u = sights.from[0] - sights.from[1];
  const TwofoldVector v = sights.from[0] - sights.from[2];
  const double uu = rounded_dot(u, u);
  if (!(uu > 0)) return false;
  const double slant = rounded_dot(v, u) / uu;
  const TwofoldVector e = v - slant * u;  // normal to u: slivers are as easy as any other triangle
  const double ee = rounded_dot(e, e);
  if (!(ee > 0)) return false;
  Twofold along_u, along_e;
  offset = sights.from[0];
  for (int round = 0; round < 2; ++round) {
    const double more_u = rounded_dot(offset, u) / uu;
    offset = offset - more_u * u;
    const double more_e = rounded_dot(offset, e) / ee;
    offset = offset - more_e * e;
    along_u = along_u + Twofold{more_u, 0};
    along_e = along_e + Twofold{more_e, 0};
  }
  const Twofold weight_1 = along_u - slant * along_e;
  const Twofold weight_0 = Twofold{1, 0} - (weight_1 + along_e);
  offset = zero_if_on_the_face(offset, max(largest_component(u), largest_component(v)));
  return weight_0.high >= 0 && weight_1.high >= 0 && along_e.high >= 0;
}

/// A piece as one point sees it in double, which is enough to tell what of it is nearest where that is not close.
///
/// Rounding may take products of `reach` and `size` by 2^-49 of them. Where numbers are farther from 0 than the
/// margins, all that see_anywhere() computes comes to the same, and to the same bits.
///
/// Source: the regions are those of Ericson (2005), Real-Time Collision Detection, section 5.1.5.
struct PlainSight {
  double from[3][3];                 ///< m, [corner][axis] to the point
  double u[3], v[3];                 ///< m, from corner 0 to 1 and to 2
  double u_at[3], v_at[3];           ///< m², products of u and v with each of `from`
  double of_12, of_02, of_01, area;  ///< m⁴, weights of the corners across from these edges, and their sum
  double reach = 0, size = 0;        ///< m, the largest coordinates of `from`, and of u and v

  SHOAL_HD PlainSight(const TwofoldVector& point, const FacePiece& piece) {
    for (int i = 0; i < 3; ++i) {
      from[i][0] = (point.x.high - piece.x[i]) + point.x.low;
      from[i][1] = (point.y.high - piece.y[i]) + point.y.low;
      from[i][2] = (point.z.high - piece.z[i]) + point.z.low;
      for (const double along : from[i]) reach = max(reach, std::abs(along));
    }
    for (int axis = 0; axis < 3; ++axis) {
      u[axis] = from[0][axis] - from[1][axis];
      v[axis] = from[0][axis] - from[2][axis];
      size = max(size, max(std::abs(u[axis]), std::abs(v[axis])));
    }
    for (int i = 0; i < 3; ++i) {
      u_at[i] = dot(u, from[i]);
      v_at[i] = dot(v, from[i]);
    }
    const auto product_difference = [](double a, double b, double c, double d) {
      return fma(a, b, -rounded_product(c, d));
    };
    of_12 = product_difference(u_at[1], v_at[2], u_at[2], v_at[1]);
    of_02 = product_difference(u_at[2], v_at[0], u_at[0], v_at[2]);
    of_01 = product_difference(u_at[0], v_at[1], u_at[1], v_at[0]);
    area = of_12 + of_02 + of_01;
  }

  /// What surely has the nearest point: a bit for each corner of a corner, an edge or the inside. 0 if that is not
  /// sure: close to where two of them meet, for slivers and for pieces without area.
  SHOAL_HD int surely_nearest() const {
    const double square = size * size;
    const double off_line = 0x1p-20 * (size * reach), off_plane = 0x1p-40 * (square * (reach * reach));
    if (!(area > 0x1p-20 * (square * square) + 4 * off_plane)) return 0;
    const double inside = 0x1p-30 * area + off_plane;
    if (of_12 > inside && of_02 > inside && of_01 > inside) return 7;
    if (u_at[0] < -off_line && v_at[0] < -off_line) return 1;
    if (u_at[1] > off_line && v_at[1] - u_at[1] < -off_line) return 2;
    if (v_at[2] > off_line && u_at[2] - v_at[2] < -off_line) return 4;
    if (of_01 < -off_plane && u_at[0] > off_line && u_at[1] < -off_line) return 3;
    if (of_02 < -off_plane && v_at[0] > off_line && v_at[2] < -off_line) return 5;
    if (of_12 < -off_plane && v_at[1] - u_at[1] > off_line && u_at[2] - v_at[2] > off_line) return 6;
    return 0;
  }

  /// m², the distance, wrong by up to 2^-38 reach².
  /// @param nearest  what surely_nearest() said, not 0
  SHOAL_HD double squared(int nearest) const {
    if (nearest == 7) {
      const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
      const double height = dot(n, from[0]);
      return height * height / dot(n, n);
    }
    const bool has_0 = (nearest & 1) != 0, has_1 = (nearest & 2) != 0, has_2 = (nearest & 4) != 0;
    const double to_corner = has_0 ? dot(from[0], from[0]) : has_1 ? dot(from[1], from[1]) : dot(from[2], from[2]);
    double along = 0, edge = 1;
    if (has_0 && has_1) along = u_at[0], edge = dot(u, u);
    if (has_0 && has_2) along = v_at[0], edge = dot(v, v);
    if (has_1 && has_2) along = v_at[1] - u_at[1], edge = dot(u, u) + dot(v, v) - 2 * dot(u, v);
    return max(0.0, to_corner - along * along / edge);
  }

 private:
  SHOAL_HD static double dot(const double (&a)[3], const double (&b)[3]) {
    return fma(a[0], b[0], fma(a[1], b[1], rounded_product(a[2], b[2])));
  }
};

/// From the nearest point of a piece to `point`, wherever it is.
///
/// If the foot on the plane is not in the triangle, the nearest point is on one of the edges; that is also how a piece
/// without area comes to be a segment or a point.
SHOAL_HD FaceSight see_anywhere(const TwofoldVector& point, const FacePiece& piece) {
  const CornerSights sights = see_corners(point, piece);
  TwofoldVector offset;
  if (from_inside(sights, offset)) return sight(offset);
  FaceSight nearest = sight(from_segment(sights.from[0], sights.from[1]));
  const FaceSight second = sight(from_segment(sights.from[0], sights.from[2]));
  if (second.squared < nearest.squared) nearest = second;
  const FaceSight third = sight(from_segment(sights.from[1], sights.from[2]));
  if (third.squared < nearest.squared) nearest = third;
  return nearest;
}

/// The same, and the same bits, without what is surely farther.
SHOAL_HD FaceSight see_face(const TwofoldVector& point, const FacePiece& piece) {
  const int nearest = PlainSight(point, piece).surely_nearest();
  if (nearest == 0 || nearest == 7) return see_anywhere(point, piece);
  const auto from_corner = [&](int i) {
    return point - TwofoldVector{{piece.x[i], 0}, {piece.y[i], 0}, {piece.z[i], 0}};
  };
  const int first = (nearest & 1) != 0 ? 0 : (nearest & 2) != 0 ? 1 : 2, last = (nearest & 4) != 0 ? 2 : nearest / 2;
  if (first == last) return sight(from_corner(first));
  return sight(from_segment(from_corner(first), from_corner(last)));
}

/// m, rounded to double; within a unit in the last place of the exact distance.
SHOAL_HD double distance(const FaceSight& sight) { return rounded_sqrt(sight.squared); }

/// The nearest piece so far. Ties go to the smaller number, so the order in which pieces are seen does not matter.
struct NearestFace {
  double distance = std::numeric_limits<double>::infinity();
  std::int64_t piece = -1;
  TwofoldVector offset;

  SHOAL_HD void see(const TwofoldVector& point, const FacePiece& its_piece, std::int64_t number) {
    const FaceSight found = see_face(point, its_piece);
    const double found_distance = shoal::distance(found);
    if (found_distance > distance || (found_distance == distance && piece >= 0 && number > piece)) return;
    distance = found_distance;
    piece = number;
    offset = found.offset;
  }
};

}  // namespace shoal
