// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/pairs/pair_item.hpp"

namespace shoal::collision {

/// Interpolation at a point: the first of `points` nodes along each axis, relative to the center index of the pair, and
/// the weights of the nodes.
template <class Real, int points>
struct Interpolant {
  int first[3];
  Real weight[3][points];
};

/// Linear interpolation in 2 points, or Lagrange's cubic interpolation in 4 points, along each axis.
template <class Real, int points>
SHOAL_HD Interpolant<Real, points> make_interpolant(const LatticePoint& point) {
  Interpolant<Real, points> interpolant;
  for (int axis = 0; axis < 3; ++axis) {
    const double below = std::floor(point.y[axis]);
    const double x = point.y[axis] - below;
    Real* w = interpolant.weight[axis];
    interpolant.first[axis] = static_cast<int>(below) - (points / 2 - 1);
    if constexpr (points == 2) {
      w[0] = static_cast<Real>(1 - x);
      w[1] = static_cast<Real>(x);
    } else {
      w[0] = static_cast<Real>(-x * (x - 1) * (x - 2) / 6);
      w[1] = static_cast<Real>((x + 1) * (x - 1) * (x - 2) / 2);
      w[2] = static_cast<Real>(-(x + 1) * x * (x - 2) / 2);
      w[3] = static_cast<Real>((x + 1) * x * (x - 1) / 6);
    }
  }
  return interpolant;
}

}  // namespace shoal::collision
