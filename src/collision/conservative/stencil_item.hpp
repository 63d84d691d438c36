// SPDX-License-Identifier: Apache-2.0
// Stencils of the conservative approach: nodes that take a molecule's mass so that the pair keeps mass, momentum and
// energy exactly. The other molecule has the same stencil, mirrored at the pair's center: offset → parity − offset. So
// momentum is kept whatever the weights; they have to add up to 1 and to keep the distance from the center:
//
//     Σ w = 1,    Σ w |offset − p/2|² = |d|² / 4
#pragma once
#include <limits>

#include "collision/pairs/pair_item.hpp"

namespace shoal {

/// What logarithms and exponents of inverse collisions cannot be; a constant, so that device code may use it.
template <class Real>
inline constexpr Real infinite = std::numeric_limits<Real>::infinity();

/// ln f, −∞ where there is no gas.
template <class Real>
SHOAL_HD Real logarithm_of(Real f) {
  return f > 0 ? std::log(f) : -infinite<Real>;
}

struct StencilTaps {
  static constexpr int most = 10;
  int count = 0;       ///< 0: no stencil was found; such a collision does not take place
  int middle[3] = {};  ///< the node next to the molecule
  int offset[most][3] = {};
  double weight[most] = {};

  SHOAL_HD void add(int x, int y, int z, double w) {
    if (w == 0) return;  // so that its node may lie outside the grid, and be empty
    offset[count][0] = x;
    offset[count][1] = y;
    offset[count][2] = z;
    weight[count++] = w;
  }
};

/// The node next to a point, how far the point is from it along each axis (at most 1/2), and to which side.
struct NearestNode {
  int node[3];
  double away[3];
  int side[3];

  SHOAL_HD explicit NearestNode(const LatticePoint& point) {
    for (int axis = 0; axis < 3; ++axis) {
      const double nearest = std::floor(point.y[axis] + 0.5);
      const double x = point.y[axis] - nearest;
      node[axis] = static_cast<int>(nearest);
      side[axis] = x < 0 ? -1 : 1;
      away[axis] = x < 0 ? -x : x;
    }
  }
  SHOAL_HD double sum() const { return away[0] + away[1] + away[2]; }
  SHOAL_HD double square_sum() const { return away[0] * away[0] + away[1] * away[1] + away[2] * away[2]; }

  /// Adds the node that is `steps` to the sides on which the point is.
  SHOAL_HD void add_to(StencilTaps& taps, int x, int y, int z, double weight) const {
    taps.add(node[0] + side[0] * x, node[1] + side[1] * y, node[2] + side[2] * z, weight);
  }
};

/// Varghese (2007): with S = Σ x, q = Σ x², the node across takes e = (q − S)/6 ≤ 0.
SHOAL_HD StencilTaps stencil_five(const NearestNode& at) {
  const double across = (at.square_sum() - at.sum()) / 6;
  StencilTaps taps;
  at.add_to(taps, 0, 0, 0, 1 - at.sum() - 4 * across);
  for (int k = 0; k < 3; ++k) at.add_to(taps, k == 0, k == 1, k == 2, at.away[k] + across);
  at.add_to(taps, -1, -1, -1, across);
  return taps;
}

/// Parabolas along each axis: x (x ± 1)/2.
SHOAL_HD StencilTaps stencil_seven(const NearestNode& at) {
  StencilTaps taps;
  at.add_to(taps, 0, 0, 0, 1 - at.square_sum());
  for (int k = 0; k < 3; ++k) {
    const double x = at.away[k];
    at.add_to(taps, k == 0, k == 1, k == 2, x * (x + 1) / 2);
    at.add_to(taps, -(k == 0), -(k == 1), -(k == 2), x * (x - 1) / 2);
  }
  return taps;
}

/// All second moments: as seven, with the nodes across each face.
SHOAL_HD StencilTaps stencil_ten(const NearestNode& at) {
  const double a = at.away[0], b = at.away[1], c = at.away[2];
  StencilTaps taps;
  at.add_to(taps, 0, 0, 0, 1 - at.square_sum() + a * b + a * c + b * c);
  for (int k = 0; k < 3; ++k) {
    const double x = at.away[k];
    at.add_to(taps, k == 0, k == 1, k == 2, x * (x + 1) / 2 - x * (at.sum() - x));
    at.add_to(taps, -(k == 0), -(k == 1), -(k == 2), x * (x - 1) / 2);
  }
  at.add_to(taps, 1, 1, 0, a * b);
  at.add_to(taps, 1, 0, 1, a * c);
  at.add_to(taps, 0, 1, 1, b * c);
  return taps;
}

/// Squared distance of a node from a point.
SHOAL_HD double square_distance(const int* node, const double* point) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) sum += (node[axis] - point[axis]) * (node[axis] - point[axis]);
  return sum;
}

/// Tcheremissine: the nearest node, and of its 18 neighbors the one with which the energy between them is that of the
/// point and which together are nearest to it. Weights 1 − ρ and ρ, both in [0, 1].
SHOAL_HD StencilTaps stencil_two_pair(const NearestNode& at, const int* parity, int square, const LatticePoint& point) {
  const double center[3] = {parity[0] * 0.5, parity[1] * 0.5, parity[2] * 0.5};
  const double energy = square * 0.25;
  const double energy_here = square_distance(at.node, center);
  StencilTaps taps;
  if (energy_here == energy) {  // multiples of 1/4: exact
    at.add_to(taps, 0, 0, 0, 1);
    return taps;
  }
  double least = 0, share = -1;
  int best[3] = {};
  for (int number = 0; number < 27; ++number) {
    const int step[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    const int length = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    if (length == 0 || length == 3) continue;
    const int node[3] = {at.node[0] + step[0], at.node[1] + step[1], at.node[2] + step[2]};
    const double energy_there = square_distance(node, center);
    if (energy_there == energy_here) continue;
    const double rho = (energy - energy_here) / (energy_there - energy_here);
    if (rho < 0 || rho >= 1) continue;
    const double apart = (1 - rho) * square_distance(at.node, point.y) + rho * square_distance(node, point.y);
    if (share >= 0 && apart >= least) continue;
    least = apart;
    share = rho;
    for (int axis = 0; axis < 3; ++axis) best[axis] = node[axis];
  }
  if (share < 0) return taps;
  at.add_to(taps, 0, 0, 0, 1 - share);
  taps.add(best[0], best[1], best[2], share);
  return taps;
}

SHOAL_HD StencilTaps stencil_around(const NearestNode& at, CollisionStencil stencil, const int* parity, int square,
                                    const LatticePoint& point) {
  switch (stencil) {
    case CollisionStencil::five:
      return stencil_five(at);
    case CollisionStencil::seven:
      return stencil_seven(at);
    case CollisionStencil::ten:
      return stencil_ten(at);
    case CollisionStencil::two_pair:
      return stencil_two_pair(at, parity, square, point);
  }
  return {};
}

/// Where one molecule's mass goes, relative to the base of its pair.
/// @param square  |d|²
/// @param n       direction, of length 1
SHOAL_HD StencilTaps stencil_of(CollisionStencil stencil, const int* parity, int square, const double* n) {
  const LatticePoint point = point_after(parity, std::sqrt(static_cast<double>(square)), n, 1);
  const NearestNode at(point);
  StencilTaps taps = stencil_around(at, stencil, parity, square, point);
  for (int axis = 0; axis < 3; ++axis) taps.middle[axis] = at.node[axis];
  return taps;
}

/// Bases along an axis of collisions whose nodes all lie in a grid of n nodes: first to last.
struct BaseRange {
  int first;
  int last;
};
SHOAL_HD BaseRange bases_inside(const StencilTaps& taps, int parity, int axis, int n) {
  int low = 0, high = 0;
  for (int k = 0; k < taps.count; ++k) {
    const int o = taps.offset[k][axis], mirrored = parity - o;
    const int smaller = o < mirrored ? o : mirrored, larger = o < mirrored ? mirrored : o;
    low = smaller < low ? smaller : low;
    high = larger > high ? larger : high;
  }
  return {-low, n - 1 - high};
}

}  // namespace shoal
