// SPDX-License-Identifier: Apache-2.0
// Pairs of nodes on the lattice of velocities, in units of the spacing. A pair i, j has the displacement d = i − j, of
// parity p = d mod 2, and the base b = (i + j − p) / 2, a node; its center is b + p/2. After a collision in direction n
// the molecules are at b + p/2 ± |d| n / 2: relative to b this depends on p, |d| and n alone.
#pragma once
#include <shoal/collision.hpp>
#include <shoal/item/host_device.hpp>

#include <cmath>

namespace shoal {

/// A pair's displacement, seen from where it collides.
struct Displacement {
  int d[3] = {};

  SHOAL_HD int parity(int axis) const { return d[axis] & 1; }
  SHOAL_HD int square() const { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; }
  SHOAL_HD double length() const { return std::sqrt(static_cast<double>(square())); }
};

/// Where one of the molecules is after the collision, relative to the base; sign +1 or −1.
struct LatticePoint {
  double y[3];
};
SHOAL_HD LatticePoint point_after(const int* parity, double length, const double* n, int sign) {
  LatticePoint point;
  for (int axis = 0; axis < 3; ++axis) point.y[axis] = parity[axis] * 0.5 + sign * length * n[axis] * 0.5;
  return point;
}

}  // namespace shoal
