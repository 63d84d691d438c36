// SPDX-License-Identifier: Apache-2.0
// The distance from one point to one face.
//
// At a height of 1e-7 of a body's length, the difference of two coordinates in double is wrong by 1e-9 of the height.
// So what is left after a foot was subtracted is carried in twice the precision (`Twofold`), and the foot itself is
// found in double, twice: the second time from what is left. The distance is then right to the last bit but for a
// double rounding, whatever the height, the offset of the coordinates or the shape of the face.
#pragma once
#include <limits>

#include "wall_distance/twofold_item.hpp"

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
  offset = zero_if_on_the_face(offset, larger(largest_component(u), largest_component(v)));
  return weight_0.high >= 0 && weight_1.high >= 0 && along_e.high >= 0;
}

/// From the nearest point of a piece to `point`.
///
/// If the foot on the plane is not in the triangle, the nearest point is on one of the edges; that is also how a piece
/// without area comes to be a segment or a point.
SHOAL_HD FaceSight see_face(const TwofoldVector& point, const FacePiece& piece) {
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
