// SPDX-License-Identifier: Apache-2.0
// A piece brought to the plane of its own, as face_bound_item.hpp takes it.
#pragma once
#include "wall_distance/geometry/distance_bound_item.hpp"

namespace shoal {

/// Made in double, so that float rounds once.
struct PlainVector {
  double at[3];

  SHOAL_HD friend PlainVector operator-(const PlainVector& a, const PlainVector& b) {
    return {{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
  }
  SHOAL_HD friend PlainVector operator*(double s, const PlainVector& a) {
    return {{s * a.at[0], s * a.at[1], s * a.at[2]}};
  }
};

SHOAL_HD double dot(const PlainVector& a, const PlainVector& b) {
  return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}
SHOAL_HD double length(const PlainVector& a) { return std::sqrt(dot(a, a)); }
SHOAL_HD PlainVector unit(const PlainVector& a) { return 1 / length(a) * a; }
SHOAL_HD PlainVector cross(const PlainVector& a, const PlainVector& b) {
  return {{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
           a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

/// The part of a that is normal to a unit vector; taken twice, so that it is so for nearly parallel ones, too.
SHOAL_HD PlainVector part_across(PlainVector a, const PlainVector& direction) {
  for (int round = 0; round < 2; ++round) a = a - dot(a, direction) * direction;
  return a;
}

/// Any unit vector across a unit vector.
SHOAL_HD PlainVector any_across(const PlainVector& direction) {
  int shortest = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(direction.at[axis]) < std::abs(direction.at[shortest])) shortest = axis;
  PlainVector along_axis{};
  along_axis.at[shortest] = 1;
  return unit(part_across(along_axis, direction));
}

/// The corners, from the ends of the longest edge to the third one.
struct LongestEdgeFirst {
  PlainVector corner[3];

  SHOAL_HD explicit LongestEdgeFirst(const FacePiece& piece) {
    const auto take = [&](int a, int b, int c) {
      const int numbers[3] = {a, b, c};
      for (int i = 0; i < 3; ++i) corner[i] = {{piece.x[numbers[i]], piece.y[numbers[i]], piece.z[numbers[i]]}};
    };
    const auto edge = [&](int a, int b) {
      return length({{piece.x[b] - piece.x[a], piece.y[b] - piece.y[a], piece.z[b] - piece.z[a]}});
    };
    const double edge_01 = edge(0, 1), edge_02 = edge(0, 2), edge_12 = edge(1, 2);
    if (edge_12 > max(edge_01, edge_02))
      take(1, 2, 0);
    else if (edge_02 > edge_01)
      take(0, 2, 1);
    else
      take(0, 1, 2);
  }
};

/// @param origin  [3] m
SHOAL_HD FlatPiece flat_piece(const FacePiece& piece, const double* origin) {
  const auto rounded = [](const PlainVector& from, float(&to)[3]) {
    for (int axis = 0; axis < 3; ++axis) to[axis] = static_cast<float>(from.at[axis]);
  };
  const LongestEdgeFirst corners(piece);
  const PlainVector edge = corners.corner[1] - corners.corner[0];
  const PlainVector to_third = corners.corner[2] - corners.corner[0];
  const double edge_length = length(edge);
  const PlainVector first = edge_length > 0 ? unit(edge) : PlainVector{{1, 0, 0}};
  const PlainVector across = part_across(to_third, first);
  const double height = length(across);
  const PlainVector second = height > 0 ? unit(across) : any_across(first);
  FlatPiece flat;
  rounded(corners.corner[0] - PlainVector{{origin[0], origin[1], origin[2]}}, flat.corner);
  rounded(first, flat.first);
  rounded(second, flat.second);
  rounded(cross(first, second), flat.normal);
  const double foot = max(0.0, min(dot(to_third, first), edge_length));
  for (int side = 0; side < 2; ++side) {
    const double base = side == 0 ? foot : edge_length - foot;
    const double slant = std::sqrt(base * base + height * height);
    flat.base[side] = static_cast<float>(base);
    flat.slope[side] = slant > 0 ? static_cast<float>(base / slant) : 1;
    flat.rise[side] = slant > 0 ? static_cast<float>(height / slant) : 0;
    flat.slant[side] = static_cast<float>(slant);
  }
  return flat;
}

}  // namespace shoal
