// SPDX-License-Identifier: Apache-2.0
// Stencils of the conservative approach: nodes that take a molecule's mass so that the pair conserves mass, momentum
// and energy exactly. The other molecule has the same stencil, mirrored at the pair's center: offset → parity − offset.
// This conserves momentum for any weights; the weights must add up to 1 and preserve the distance from the center:
//
//     Σ w = 1,    Σ w |offset − p/2|² = |d|² / 4
#pragma once
#include <limits>

#include "collision/pairs/pair_item.hpp"

namespace shoal::collision {

/// Infinity as a constant that device code may use. Logarithms and exponents of undefined inverse collisions reach it.
template <class Real>
inline constexpr Real infinite = std::numeric_limits<Real>::infinity();

/// ln f; −∞ where there is no gas.
template <class Real>
SHOAL_HD Real log_density(Real f) {
  return f > 0 ? std::log(f) : -infinite<Real>;
}

/// Nodes of one molecule's stencil relative to the center index of the pair, and their weights.
struct Stencil {
  static constexpr int most = 10;  ///< Largest number of nodes.
  int count = 0;                   ///< Number of nodes; 0 if the collision has no stencil and does not take place.
  int nearest[3] = {};             ///< Node nearest to the molecule.
  int offset[most][3] = {};
  double weight[most] = {};

  SHOAL_HD void add(int x, int y, int z, double w) {
    if (w == 0) return;  // a node without weight may lie outside the grid or be empty
    offset[count][0] = x;
    offset[count][1] = y;
    offset[count][2] = z;
    weight[count++] = w;
  }
};

/// Node nearest to a point.
struct NearestNode {
  int node[3];
  double away[3];  ///< Distance of the point from the node along each axis, at most 1/2.
  int side[3];     ///< Side of the node on which the point lies, −1 or 1.

  SHOAL_HD explicit NearestNode(const LatticePoint& point) {
    for (int axis = 0; axis < 3; ++axis) {
      node[axis] = nearest_index(point.y[axis]);
      const double x = point.y[axis] - node[axis];
      side[axis] = x < 0 ? -1 : 1;
      away[axis] = x < 0 ? -x : x;
    }
  }
  SHOAL_HD double sum() const { return away[0] + away[1] + away[2]; }
  SHOAL_HD double square_sum() const { return away[0] * away[0] + away[1] * away[1] + away[2] * away[2]; }

  /// Adds the node that is x, y, z steps toward the sides on which the point lies.
  SHOAL_HD void add_to(Stencil& stencil, int x, int y, int z, double weight) const {
    stencil.add(node[0] + side[0] * x, node[1] + side[1] * y, node[2] + side[2] * z, weight);
  }
};

/// Stencil of Varghese (2007): with S = Σ x and q = Σ x² the opposite node takes e = (q − S)/6 ≤ 0.
SHOAL_HD Stencil stencil_five(const NearestNode& nearest) {
  const double opposite = (nearest.square_sum() - nearest.sum()) / 6;
  Stencil stencil;
  nearest.add_to(stencil, 0, 0, 0, 1 - nearest.sum() - 4 * opposite);
  for (int k = 0; k < 3; ++k) nearest.add_to(stencil, k == 0, k == 1, k == 2, nearest.away[k] + opposite);
  nearest.add_to(stencil, -1, -1, -1, opposite);
  return stencil;
}

/// Nearest node and its six neighbors, with parabolic weights x (x ± 1)/2 along each axis.
SHOAL_HD Stencil stencil_seven(const NearestNode& nearest) {
  Stencil stencil;
  nearest.add_to(stencil, 0, 0, 0, 1 - nearest.square_sum());
  for (int k = 0; k < 3; ++k) {
    const double x = nearest.away[k];
    nearest.add_to(stencil, k == 0, k == 1, k == 2, x * (x + 1) / 2);
    nearest.add_to(stencil, -(k == 0), -(k == 1), -(k == 2), x * (x - 1) / 2);
  }
  return stencil;
}

/// Stencil that conserves all second moments: as seven, with the nodes diagonal in each coordinate plane.
SHOAL_HD Stencil stencil_ten(const NearestNode& nearest) {
  const double a = nearest.away[0], b = nearest.away[1], c = nearest.away[2];
  Stencil stencil;
  nearest.add_to(stencil, 0, 0, 0, 1 - nearest.square_sum() + a * b + a * c + b * c);
  for (int k = 0; k < 3; ++k) {
    const double x = nearest.away[k];
    nearest.add_to(stencil, k == 0, k == 1, k == 2, x * (x + 1) / 2 - x * (nearest.sum() - x));
    nearest.add_to(stencil, -(k == 0), -(k == 1), -(k == 2), x * (x - 1) / 2);
  }
  nearest.add_to(stencil, 1, 1, 0, a * b);
  nearest.add_to(stencil, 1, 0, 1, a * c);
  nearest.add_to(stencil, 0, 1, 1, b * c);
  return stencil;
}

/// Squared distance of a node from a point.
SHOAL_HD double square_distance(const int* node, const double* point) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) sum += (node[axis] - point[axis]) * (node[axis] - point[axis]);
  return sum;
}

/// Stencil of Tcheremissine (2006): the nearest node and one of its 18 neighbors, with weights 1 − ρ and ρ, both in
/// [0, 1]. The neighbor is the one with which the pair has the energy of the point and lies nearest to the point.
SHOAL_HD Stencil stencil_two_pair(const NearestNode& nearest, const int* parity, int square,
                                  const LatticePoint& point) {
  const double center[3] = {parity[0] * 0.5, parity[1] * 0.5, parity[2] * 0.5};
  const double energy = square * 0.25;
  const double nearest_energy = square_distance(nearest.node, center);
  Stencil stencil;
  if (nearest_energy == energy) {  // multiples of 1/4: the comparison is exact
    nearest.add_to(stencil, 0, 0, 0, 1);
    return stencil;
  }
  double least = 0, best_rho = -1;
  int best[3] = {};
  for (int number = 0; number < 27; ++number) {
    const int step[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    const int length = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    if (length == 0 || length == 3) continue;
    const int node[3] = {nearest.node[0] + step[0], nearest.node[1] + step[1], nearest.node[2] + step[2]};
    const double neighbor_energy = square_distance(node, center);
    if (neighbor_energy == nearest_energy) continue;
    const double rho = (energy - nearest_energy) / (neighbor_energy - nearest_energy);
    if (rho < 0 || rho >= 1) continue;
    const double deviation = (1 - rho) * square_distance(nearest.node, point.y) + rho * square_distance(node, point.y);
    if (best_rho >= 0 && deviation >= least) continue;
    least = deviation;
    best_rho = rho;
    for (int axis = 0; axis < 3; ++axis) best[axis] = node[axis];
  }
  if (best_rho < 0) return stencil;
  nearest.add_to(stencil, 0, 0, 0, 1 - best_rho);
  stencil.add(best[0], best[1], best[2], best_rho);
  return stencil;
}

SHOAL_HD Stencil stencil_around(const NearestNode& nearest, CollisionStencil kind, const int* parity, int square,
                                const LatticePoint& point) {
  switch (kind) {
    case CollisionStencil::five:
      return stencil_five(nearest);
    case CollisionStencil::seven:
      return stencil_seven(nearest);
    case CollisionStencil::ten:
      return stencil_ten(nearest);
    case CollisionStencil::two_pair:
      return stencil_two_pair(nearest, parity, square, point);
  }
  return {};
}

/// Stencil of the molecule at v′, relative to the center index of its pair.
/// @param square  |d|²
/// @param n       unit vector
SHOAL_HD Stencil make_stencil(CollisionStencil kind, const int* parity, int square, const double* n) {
  const LatticePoint point = velocity_after(parity, std::sqrt(static_cast<double>(square)), n, 1);
  const NearestNode nearest(point);
  Stencil stencil = stencil_around(nearest, kind, parity, square, point);
  for (int axis = 0; axis < 3; ++axis) stencil.nearest[axis] = nearest.node[axis];
  return stencil;
}

/// Range of center indices along an axis, including `last`.
struct CenterRange {
  int first;
  int last;
};

/// Center indices of collisions whose stencil nodes all lie in a grid of n nodes.
SHOAL_HD CenterRange centers_inside(const Stencil& stencil, int parity, int axis, int n) {
  int low = 0, high = 0;
  for (int k = 0; k < stencil.count; ++k) {
    const int o = stencil.offset[k][axis], mirrored = parity - o;
    const int lower = o < mirrored ? o : mirrored, upper = o < mirrored ? mirrored : o;
    low = lower < low ? lower : low;
    high = upper > high ? upper : high;
  }
  return {-low, n - 1 - high};
}

}  // namespace shoal::collision
