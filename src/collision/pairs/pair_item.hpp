// SPDX-License-Identifier: Apache-2.0
// Pairs of velocity nodes, in units of the spacing. A pair of nodes i, j has the displacement d = i − j with the parity
// p = d mod 2, and the center b + p/2 with the center index b = (i + j − p) / 2, which is a node. After a collision in
// direction n the molecules are at b + p/2 ± |d| n / 2: relative to b this depends on p, |d| and n alone.
#pragma once
#include <shoal/collision.hpp>
#include <shoal/item/host_device.hpp>

#include <cmath>

namespace shoal::collision {

/// Displacement d of a pair of nodes.
struct Displacement {
  int d[3] = {};

  SHOAL_HD int parity(int axis) const { return d[axis] & 1; }
  SHOAL_HD int square() const { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; }
  SHOAL_HD double length() const { return std::sqrt(static_cast<double>(square())); }
};

/// Point of velocity space relative to the center index of a pair.
struct LatticePoint {
  double y[3];
};

/// Index of the node nearest to a coordinate; of two at the same distance the upper one.
SHOAL_HD int nearest_index(double y) { return static_cast<int>(std::floor(y + 0.5)); }

/// Velocity of one molecule after a collision in direction n: sign +1 for v′, −1 for v₁′.
SHOAL_HD LatticePoint velocity_after(const int* parity, double length, const double* n, int sign) {
  LatticePoint point;
  for (int axis = 0; axis < 3; ++axis) point.y[axis] = parity[axis] * 0.5 + sign * length * n[axis] * 0.5;
  return point;
}

}  // namespace shoal::collision
