// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/pairs/pair_item.hpp"

namespace shoal {

/// Interpolation at a point: nodes base + 0, ..., taps − 1 along each axis, relative to the base of the pair, and
/// their weights.
template <class Real, int taps>
struct Interpolant {
  int base[3];
  Real weight[3][taps];
};

/// Linear in 2 nodes, or Lagrange's cubic in 4, along each axis.
template <class Real, int taps>
SHOAL_HD Interpolant<Real, taps> interpolant_at(const LatticePoint& point) {
  Interpolant<Real, taps> at;
  for (int axis = 0; axis < 3; ++axis) {
    const double below = std::floor(point.y[axis]);
    const double x = point.y[axis] - below;
    Real* w = at.weight[axis];
    at.base[axis] = static_cast<int>(below) - (taps / 2 - 1);
    if constexpr (taps == 2) {
      w[0] = static_cast<Real>(1 - x);
      w[1] = static_cast<Real>(x);
    } else {
      w[0] = static_cast<Real>(-x * (x - 1) * (x - 2) / 6);
      w[1] = static_cast<Real>((x + 1) * (x - 1) * (x - 2) / 2);
      w[2] = static_cast<Real>(-(x + 1) * x * (x - 2) / 2);
      w[3] = static_cast<Real>((x + 1) * x * (x - 1) / 6);
    }
  }
  return at;
}

}  // namespace shoal
