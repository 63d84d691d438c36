// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/flat_piece.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace shoal {

namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector times(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unit(const Vector& a) { return times(1 / length(a), a); }

/// The part of a that is normal to a unit vector; taken twice, so that it is so for nearly parallel ones, too.
Vector part_across(Vector a, const Vector& direction) {
  for (int round = 0; round < 2; ++round) a = minus(a, times(dot(a, direction), direction));
  return a;
}

/// Any unit vector across a unit vector.
Vector any_across(const Vector& direction) {
  std::size_t shortest = 0;
  for (std::size_t axis = 1; axis < 3; ++axis)
    if (std::abs(direction[axis]) < std::abs(direction[shortest])) shortest = axis;
  Vector along_axis{};
  along_axis[shortest] = 1;
  return unit(part_across(along_axis, direction));
}

/// The corners, from the ends of the longest edge to the third one.
std::array<Vector, 3> longest_edge_first(const FacePiece& piece) {
  const auto corner = [&](int i) { return Vector{piece.x[i], piece.y[i], piece.z[i]}; };
  std::array<Vector, 3> longest{corner(0), corner(1), corner(2)};
  for (const auto& [a, b, c] : {std::array{0, 2, 1}, std::array{1, 2, 0}})
    if (length(minus(corner(b), corner(a))) > length(minus(longest[1], longest[0])))
      longest = {corner(a), corner(b), corner(c)};
  return longest;
}

void put(const Vector& from, float (&to)[3][8], int i) {
  for (std::size_t axis = 0; axis < 3; ++axis) to[axis][i] = static_cast<float>(from[axis]);
}

}  // namespace

void put_flat(const FacePiece& piece, const double* origin, FlatPieces<8>& flat, int i) {
  const std::array<Vector, 3> corners = longest_edge_first(piece);
  const Vector edge = minus(corners[1], corners[0]);
  const Vector to_third = minus(corners[2], corners[0]);
  const Vector first = length(edge) > 0 ? unit(edge) : Vector{1, 0, 0};
  const Vector across = part_across(to_third, first);
  const Vector second = length(across) > 0 ? unit(across) : any_across(first);
  put(minus(corners[0], {origin[0], origin[1], origin[2]}), flat.corner, i);
  put(first, flat.first, i);
  put(second, flat.second, i);
  put(cross(first, second), flat.normal, i);
  const auto put_edge = [&flat, i](int number, double x, double y, float(&along)[2][8]) {
    const double size = std::hypot(x, y);
    flat.length[number][i] = static_cast<float>(size);
    along[0][i] = size > 0 ? static_cast<float>(x / size) : 1;
    along[1][i] = size > 0 ? static_cast<float>(y / size) : 0;
  };
  const double x = dot(to_third, first), y = dot(to_third, second);
  flat.length[0][i] = static_cast<float>(length(edge));
  put_edge(1, x - length(edge), y, flat.along_1);
  put_edge(2, x, y, flat.along_2);
}

}  // namespace shoal
