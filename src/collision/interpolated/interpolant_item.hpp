// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

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
SHOAL_HD Interpolant<Real, points> make_interpolant_at(const LatticePoint& point) {
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

/// Nearest nodes of a collision. Those of v′ and v₁′ are mirror images of each other at the center of the pair, so they
/// add up to the same node numbers as the pair.
template <class Real>
SHOAL_HD Interpolant<Real, 1> make_nearest(const int* parity, double length, const double* n, int sign) {
  const LatticePoint after = velocity_after(parity, length, n, 1);
  Interpolant<Real, 1> interpolant;
  for (int axis = 0; axis < 3; ++axis) {
    const int node = nearest_index(after.y[axis]);
    interpolant.first[axis] = sign > 0 ? node : parity[axis] - node;
    interpolant.weight[axis][0] = 1;
  }
  return interpolant;
}

/// Interpolation at the velocity of one molecule after a collision in direction n: sign +1 for v′, −1 for v₁′. One
/// point is the nearest node.
template <class Real, int points>
SHOAL_HD Interpolant<Real, points> make_interpolant(const int* parity, double length, const double* n, int sign) {
  if constexpr (points == 1)
    return make_nearest<Real>(parity, length, n, sign);
  else
    return make_interpolant_at<Real, points>(velocity_after(parity, length, n, sign));
}

/// Calls run(points) with the number of interpolation nodes along an axis as a compile-time constant.
template <class Run>
auto with_points(VelocityInterpolation interpolation, Run run) {
  if (interpolation == VelocityInterpolation::nearest) return run(std::integral_constant<int, 1>());
  if (interpolation == VelocityInterpolation::trilinear) return run(std::integral_constant<int, 2>());
  return run(std::integral_constant<int, 4>());
}

}  // namespace shoal::collision
