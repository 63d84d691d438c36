// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace shoal::collision {

/// Family of quadrature rules on the unit sphere. Every rule contains the opposite of each point, so odd polynomials
/// sum to zero.
enum class DirectionFamily {
  design,     ///< spherical designs: equal weights; 3, 6, 16, 24, 35, ... points on the half sphere
  octahedral  ///< Lebedev rules: symmetry of the cube, unequal weights; 3, 7, 13, 19, 25, ... points on the half sphere
};

/// Choice of the directions in which molecules leave a collision.
struct DirectionOptions {
  DirectionFamily family = DirectionFamily::design;
  int degree = 7;    ///< Degree up to which polynomials are summed exactly, 1 to 19.
  bool half = true;  ///< One of each two opposite points, with twice the weight: the same sums with half the work.
};

/// Points on the unit sphere with weights that add up to 4π. On the half sphere a weight is that of a point and its
/// opposite.
struct Directions {
  std::vector<std::array<double, 3>> point;  ///< [count()] unit vectors
  std::vector<double> weight;                ///< [count()]
  int degree = 0;  ///< Degree up to which polynomials are summed exactly; at least the requested one.

  int count() const { return static_cast<int>(point.size()); }
};

/// Computes a quadrature rule; nothing is tabulated. The result has the same bits on every run.
///
/// | degree | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 |
/// |---|---|---|---|---|---|---|---|---|---|
/// | design, points on the half sphere | 3 | 6 | 16 | 24 | 35 | 47 | 62 | 78 | 97 |
/// | octahedral | 3 | 7 | 13 | 19 | 25 | as 15 | 43 | 55 | 73 |
///
/// Cost: milliseconds up to degree 13, then up to a second.
/// Source: Delsarte, Goethals and Seidel (1977), "Spherical codes and designs"; Lebedev (1976), "Quadratures on a
/// sphere".
/// @throws Error  the degree is not 1 to 19
Directions directions(const DirectionOptions& options);

}  // namespace shoal::collision

namespace shoal {

using collision::DirectionFamily;
using collision::DirectionOptions;
using collision::Directions;
using collision::directions;

template <>
inline constexpr auto enumerator_names<DirectionFamily> = std::array<std::string_view, 2>{"design", "octahedral"};

}  // namespace shoal
