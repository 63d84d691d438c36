// SPDX-License-Identifier: Apache-2.0
// Smoothing kernels, as functions of q = r/h.
#pragma once
#include <shoal/sph/case.hpp>

#include <iterator>
#include <numbers>

#include "core/real.hpp"

namespace shoal::sph {

/// W / value_scale.
///
///     cubic_spline     1/4 (2 − q)³₊ − (1 − q)³₊                             (Monaghan and Lattanzio 1985)
///     wendland_c2      (1 − q/2)⁴₊ (1 + 2q)                                  (Wendland 1995)
///     wendland_c4      (1 − q/2)⁶₊ (1 + 3q + 35/12 q²)                       (Wendland 1995)
///     quintic_spline   (3 − q)⁵₊ − 6 (2 − q)⁵₊ + 15 (1 − q)⁵₊                (Morris, Fox and Zhu 1997)
template <Kernel kernel, class Real>
SHOAL_HD Real kernel_shape(Real q) {
  const Real outer = positive_part(2 - q);
  const Real inner = positive_part(1 - q);
  if constexpr (kernel == Kernel::wendland_c2) {
    const Real half = outer / 2;
    const Real squared = half * half;
    return squared * squared * (1 + 2 * q);
  } else if constexpr (kernel == Kernel::wendland_c4) {
    const Real half = outer / 2;
    const Real squared = half * half;
    return squared * squared * squared * (1 + q * (3 + q * (Real(35) / 12)));
  } else if constexpr (kernel == Kernel::quintic_spline) {
    const auto fifth = [](Real a) { return a * a * (a * a) * a; };
    return fifth(positive_part(3 - q)) - 6 * fifth(outer) + 15 * fifth(inner);
  } else {
    static_assert(kernel == Kernel::cubic_spline, "a kernel has no shape");
    return outer * outer * outer / 4 - inner * inner * inner;
  }
}

/// (dW/dr) / r / gradient_scale, so that ∇W = gradient_scale · kernel_gradient · x_ij, with gradient_scale =
/// value_scale / h². Finite at q = 0.
///
///     cubic_spline     (3 (1 − q)²₊ − 3/4 (2 − q)²₊) / q
///     wendland_c2      −5 (1 − q/2)³₊
///     wendland_c4      −14/3 (1 − q/2)⁵₊ (1 + 5/2 q)
///     quintic_spline   −5 ((3 − q)⁴₊ − 6 (2 − q)⁴₊ + 15 (1 − q)⁴₊) / q
template <Kernel kernel, class Real>
SHOAL_HD Real kernel_gradient(Real q) {
  const Real outer = positive_part(2 - q);
  if constexpr (kernel == Kernel::wendland_c2) {
    return Real(-0.625) * outer * outer * outer;
  } else if constexpr (kernel == Kernel::wendland_c4) {
    const Real squared = outer * outer;
    return (Real(-7) / 48) * squared * squared * outer * (1 + Real(2.5) * q);
  } else if constexpr (kernel == Kernel::quintic_spline) {
    const auto fourth = [](Real a) { return a * a * (a * a); };
    const Real near = q * q * (120 - 50 * q) - 120;  // the quotient for q < 1, multiplied out
    const Real far = -5 * (fourth(positive_part(3 - q)) - 6 * fourth(outer)) * fast_reciprocal(max(q, Real(1)));
    return q < 1 ? near : far;
  } else {
    static_assert(kernel == Kernel::cubic_spline, "a kernel has no gradient");
    const Real near = Real(2.25) * q - 3;  // the quotient for q < 1, without dividing by a small q
    const Real far = Real(-0.75) * outer * outer * fast_reciprocal(max(q, Real(1)));
    return q < 1 ? near : far;
  }
}

/// Radius of the kernel in smoothing lengths: it is 0 from there on.
constexpr double kernel_radius(Kernel kernel) { return kernel == Kernel::quintic_spline ? 3 : 2; }

/// value_scale times h^D, so that the integral of W is 1:
///
///                      1-D      2-D         3-D
///     cubic_spline     2/3      10/(7π)     1/π
///     wendland_c2      3/4      7/(4π)      21/(16π)
///     wendland_c4      27/32    9/(4π)      495/(256π)
///     quintic_spline   1/120    7/(478π)    1/(120π)
constexpr double kernel_scale(Kernel kernel, int dimensions) {
  constexpr double pi = std::numbers::pi;
  constexpr double scales[][3] = {{2.0 / 3, 10 / (7 * pi), 1 / pi},
                                  {3.0 / 4, 7 / (4 * pi), 21 / (16 * pi)},
                                  {27.0 / 32, 9 / (4 * pi), 495 / (256 * pi)},
                                  {1.0 / 120, 7 / (478 * pi), 1 / (120 * pi)}};
  static_assert(std::size(scales) == enumerator_names<Kernel>.size(), "a kernel has no scale");
  return scales[static_cast<int>(kernel)][dimensions - 1];
}

static_assert(enumerator_names<Kernel>.size() == 4, "with_kernel() has no entry of a kernel");

/// Calls visit.operator()<kernel>() for a kernel that is chosen at run time.
SHOAL_CALLS_ARGUMENT
template <class Visit>
SHOAL_HD auto with_kernel(Kernel kernel, const Visit& visit) {
  if (kernel == Kernel::wendland_c2) return visit.template operator()<Kernel::wendland_c2>();
  if (kernel == Kernel::wendland_c4) return visit.template operator()<Kernel::wendland_c4>();
  if (kernel == Kernel::quintic_spline) return visit.template operator()<Kernel::quintic_spline>();
  return visit.template operator()<Kernel::cubic_spline>();
}

}  // namespace shoal::sph
