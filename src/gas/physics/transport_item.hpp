// SPDX-License-Identifier: Apache-2.0
// Transport of f at one velocity node through one cell. Within a cell f is linear along each axis: f ± rise at its faces.
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>

#include "core/real.hpp"

namespace shoal::gas {

/// Shape of a cell and of its neighbors along one axis.
struct CellShape {
  double width;         ///< m
  double left_factor;   ///< half width / distance from the center to that of the left neighbor, or to the boundary
  double right_factor;  ///< half width / distance to the center of the right neighbor, or to the boundary
};

/// a b. CUDA does not contract it with a sum: it would do so in some places and not in others.
template <class Real>
SHOAL_HD Real rounded_product(Real a, Real b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 4)
    return __fmul_rn(a, b);
  else
    return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

/// min(|a|, |b|), on CUDA without the comparisons of doubles, which take longer than those of integers. Of a number and NaN it
/// is either.
template <class Real>
SHOAL_HD Real smaller_size(Real a, Real b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 4) {
    return ::fminf(std::abs(a), std::abs(b));
  } else {
    constexpr long long without_sign = 0x7fff'ffff'ffff'ffff;
    const long long x = __double_as_longlong(a) & without_sign, y = __double_as_longlong(b) & without_sign;
    return __longlong_as_double(x < y ? x : y);
  }
#else
  return min(std::abs(a), std::abs(b));
#endif
}

/// The value, or the bound with the sign of the value.
/// @param bound  0 or more
template <class Real>
SHOAL_HD Real bounded(Real value, Real bound) {
  return std::copysign(smaller_size(value, bound), value);
}

/// Rise of f from the center of a cell to its right face. Both face values lie between the values of the cell and of its
/// neighbors, so they are not negative where f is not.
template <class Limiter, class Real>
SHOAL_HD Real limited_rise(Real left, Real center, Real right, Real left_factor, Real right_factor) {
  const Real below = center - left, above = right - center;
  return bounded(Limiter::rise(rounded_product(left_factor, below), rounded_product(right_factor, above)),
                 smaller_size(below, above));
}

/// Rise in a cell at a boundary, for molecules that leave: from the slope to its only neighbor. The value at the
/// boundary lies between 0 and twice that of the cell.
/// @param change  rise that the slope to the neighbor gives
template <class Limiter, class Real>
SHOAL_HD Real boundary_rise(Real center, Real change) {
  return bounded(Limiter::rise(change, change), std::abs(center));
}

/// a b + c. On CUDA with one rounding, so that the bits do not depend on the code around it.
template <class Real>
SHOAL_HD Real multiply_add(Real a, Real b, Real c) {
#ifdef __CUDA_ARCH__
  return ::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// Value after a Runge-Kutta stage: a convex combination of f at the start of the step and of an Euler step from the
/// value after the previous stage.
/// @param share  weight of f
/// @param moved  the value after the previous stage + Σ courant × (arriving − leaving), the sum over the axes, with
///               courant = speed × step / width and the values at the upwind and at the downwind face
template <class Real>
SHOAL_HD Real stage_value(Real f, Real moved, Real q, Real share, Real step) {
  return multiply_add(share, f, (1 - share) * multiply_add(step, q, moved));
}

/// Value of a cell in the steady state of one velocity with given gain:
///
///     Σ speed (leaving − arriving) / width + ν f = gain,     leaving = f + rise
///
/// the sum over the axes. A rise or a gain of the previous iteration can make the value negative.
/// @param inflow  Σ rate × (arriving − rise), with rate = speed / width
/// @param rate    Σ rate
/// @param least   smallest value that the collision term accepts
template <class Real>
SHOAL_HD Real sweep_value(Real inflow, Real gain, Real rate, Real frequency, Real least) {
  return max(least, (inflow + gain) / (rate + frequency));
}

}  // namespace shoal::gas
