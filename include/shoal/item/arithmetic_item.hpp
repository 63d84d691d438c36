// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>

namespace shoal {

/// √a to within one unit in the last place (double: rounded exactly); exact rounding is not promised in float on CUDA.
SHOAL_HD float fast_sqrt(float a) {
#ifdef __CUDA_ARCH__
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(a));
  return root;
#else
  return std::sqrt(a);
#endif
}
SHOAL_HD double fast_sqrt(double a) { return std::sqrt(a); }

/// a b, rounded: not fused with an addition that follows, on any device.
SHOAL_HD float rounded_product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
SHOAL_HD double rounded_product(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

}  // namespace shoal
