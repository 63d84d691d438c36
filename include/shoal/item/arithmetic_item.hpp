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

}  // namespace shoal
