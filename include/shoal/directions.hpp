// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace shoal {

/// Families of points on the unit sphere. All have the opposite of every point, so odd polynomials vanish.
enum class DirectionFamily {
  design,     ///< spherical designs: equal weights; 3, 6, 16, 24, 35, ... points on the half sphere
  octahedral  ///< Lebedev's rules: the symmetry of the cube, weights of their own; 3, 7, 13, 19, 25, ... on the half
};
template <>
inline constexpr auto enumerator_names<DirectionFamily> = std::array<std::string_view, 2>{"design", "octahedral"};

/// Which directions a collision may leave in.
struct DirectionOptions {
  DirectionFamily family = DirectionFamily::design;
  int degree = 7;    ///< polynomials up to this degree are summed exactly; 1 to 19
  bool half = true;  ///< one of each two opposite points, with twice the weight: the same sums in half the work
};

/// Points on the unit sphere and their weights, which add up to 4π, on the half sphere, too: there each weight is that
/// of a point and its opposite.
struct Directions {
  std::vector<std::array<double, 3>> at;
  std::vector<double> weight;
  int degree = 0;  ///< to which polynomials are summed exactly; at least what was asked for

  int count() const { return static_cast<int>(at.size()); }
};

/// Computes directions: nothing is tabulated. The same bits on every run.
///
/// | degree | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 |
/// |---|---|---|---|---|---|---|---|---|---|
/// | design, points on the half sphere | 3 | 6 | 16 | 24 | 35 | 47 | 62 | 78 | 97 |
/// | octahedral | 3 | 7 | 13 | 19 | 25 | as 15 | 43 | 55 | 73 |
///
/// Cost: milliseconds up to degree 13, then up to a second.
/// Source: Delsarte, Goethals and Seidel (1977), "Spherical codes and designs"; Lebedev (1976), "Quadratures on a
/// sphere".
/// @throws Error  there is no such degree
Directions directions(const DirectionOptions& options);

}  // namespace shoal
