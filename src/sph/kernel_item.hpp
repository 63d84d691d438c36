// SPDX-License-Identifier: Apache-2.0
// The smoothing kernels of one pair, q = r/h, support q < 2.
#pragma once
#include <shoal/sph_case.hpp>

#include "core/real.hpp"

namespace shoal::sph {

/// W / value_scale.
///
///     cubic_spline   1/4 (2 − q)³₊ − (1 − q)³₊        scale 10/(7π h²) in 2-D, 1/(π h³) in 3-D   (Monaghan and
///     Lattanzio 1985) wendland_c2    (1 − q/2)⁴₊ (1 + 2q)             scale 7/(4π h²) in 2-D, 21/(16π h³) in 3-D
///     (Wendland 1995)
template <Kernel kernel, class Real>
SHOAL_HD Real kernel_shape(Real q) {
  const Real outer = positive_part(2 - q);
  if constexpr (kernel == Kernel::wendland_c2) {
    const Real half = outer / 2;
    const Real squared = half * half;
    return squared * squared * (1 + 2 * q);
  } else {
    const Real inner = positive_part(1 - q);
    return outer * outer * outer / 4 - inner * inner * inner;
  }
}

/// (dW/dr) / r / gradient_scale, so that ∇W = gradient_scale · kernel_slope · x_ij, with gradient_scale =
/// value_scale / h². Finite at q = 0.
///
///     cubic_spline   (3 (1 − q)²₊ − 3/4 (2 − q)²₊) / q
///     wendland_c2    −5 (1 − q/2)³₊
template <Kernel kernel, class Real>
SHOAL_HD Real kernel_slope(Real q) {
  const Real outer = positive_part(2 - q);
  if constexpr (kernel == Kernel::wendland_c2) {
    return Real(-0.625) * outer * outer * outer;
  } else {
    const Real near = Real(2.25) * q - 3;  // the quotient for q < 1, without dividing by a small q
    const Real far = Real(-0.75) * outer * outer * fast_reciprocal(larger(q, Real(1)));
    return q < 1 ? near : far;
  }
}

}  // namespace shoal::sph
