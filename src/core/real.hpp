// SPDX-License-Identifier: Apache-2.0
// Arithmetic of one number that host and device spell differently.
#pragma once
#include <shoal/item/arithmetic_item.hpp>

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"

namespace shoal {

template <class Real>
SHOAL_HD Real larger(Real a, Real b) {
  return a > b ? a : b;
}

template <class Real>
SHOAL_HD Real smaller(Real a, Real b) {
  return a < b ? a : b;
}

template <class Real>
SHOAL_HD Real positive_part(Real a) {
  return larger(a, Real(0));
}

/// a b + c with one rounding, on every device.
template <class Real>
SHOAL_HD Real fused(Real a, Real b, Real c) {
#ifdef __CUDA_ARCH__
  return fma(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

/// 1/a to within one unit in the last place; exact rounding is not promised in float on CUDA.
SHOAL_HD float fast_reciprocal(float a) {
#ifdef __CUDA_ARCH__
  return __fdividef(1.0f, a);
#else
  return 1.0f / a;
#endif
}
SHOAL_HD double fast_reciprocal(double a) { return 1.0 / a; }

/// Nearest integer, ties to even. The caller keeps `a` in range.
SHOAL_HD std::int32_t round_to_integer(float a) {
#ifdef __CUDA_ARCH__
  return __float2int_rn(a);
#else
  return static_cast<std::int32_t>(std::lrint(a));
#endif
}
SHOAL_HD std::int64_t round_to_integer(double a) {
#ifdef __CUDA_ARCH__
  return __double2ll_rn(a);
#else
  return std::lrint(a);
#endif
}

/// Bits that a number needs, 0 for 0.
SHOAL_HD int bit_width(std::uint64_t a) {
#ifdef __CUDA_ARCH__
  return 64 - __clzll(static_cast<long long>(a));
#else
  return static_cast<int>(std::bit_width(a));
#endif
}

}  // namespace shoal
