// SPDX-License-Identifier: Apache-2.0
// Arithmetic functions with different implementations on host and device.
#pragma once
#include <shoal/item/arithmetic_item.hpp>

#include <bit>
#include <cmath>
#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal {

template <class Real>
SHOAL_HD Real max(Real a, Real b) {
  return a > b ? a : b;
}

template <class Real>
SHOAL_HD Real min(Real a, Real b) {
  return a < b ? a : b;
}

/// @name Sign-dependent selection. A GPU compares integers at twice the rate of doubles; a CPU would mispredict every
/// other branch.
/// @{
SHOAL_HD float positive_part(float a) { return max(a, 0.0f); }
SHOAL_HD double positive_part(double a) {
#ifdef __CUDA_ARCH__
  return __double2hiint(a) < 0 ? 0 : a;
#else
  return max(a, 0.0);
#endif
}

/// min(a, 0) if `counts` is 1, and 0 if it is 0.
SHOAL_HD float negative_part(float a, int counts) {
#ifdef __CUDA_ARCH__
  return a < 0 && counts ? a : 0;
#else
  return min(a, 0.0f) * static_cast<float>(counts);
#endif
}
SHOAL_HD double negative_part(double a, int counts) {
#ifdef __CUDA_ARCH__
  return __double2hiint(a) < 0 && counts ? a : 0;
#else
  return min(a, 0.0) * static_cast<double>(counts);
#endif
}
/// @}

/// a b + c with one rounding, on every device.
template <class Real>
SHOAL_HD Real fma(Real a, Real b, Real c) {
#ifdef __CUDA_ARCH__
  return ::fma(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

/// 1/a of a normal number up to 2^126, to within two units in the last place; exact rounding is not promised on CUDA.
SHOAL_HD float fast_reciprocal(float a) {
#ifdef __CUDA_ARCH__
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
#else
  return 1.0f / a;
#endif
}
SHOAL_HD double fast_reciprocal(double a) {
#ifdef __CUDA_ARCH__
  double guess;  // relative error e < 2^-19, corrected by the factor 1 + e + e²
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(a));
  const double error = ::fma(-a, guess, 1.0);
  return ::fma(guess, ::fma(error, error, error), guess);
#else
  return 1.0 / a;
#endif
}

/// √a of a finite number, to within two units in the last place, and less than 1e-150 of 0.
SHOAL_HD float quick_sqrt(float a) { return fast_sqrt(a); }
SHOAL_HD double quick_sqrt(double a) {
#ifdef __CUDA_ARCH__
  constexpr int least = 0x00100000;  // upper half of the smallest normal number
  const double normal = __hiloint2double(::max(__double2hiint(a), least), __double2loint(a));
  double inverse;  // relative error e/2, corrected by the factor 1 + e/2 + 3/8 e²
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(normal));
  const double root = normal * inverse;
  const double error = ::fma(-root, inverse, 1.0);
  return ::fma(root * error, ::fma(0.375, error, 0.5), root);
#else
  return std::sqrt(a);
#endif
}

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

/// Number of bits that a number needs; 0 for 0.
SHOAL_HD int bit_width(std::uint64_t a) {
#ifdef __CUDA_ARCH__
  return 64 - __clzll(static_cast<long long>(a));
#else
  return static_cast<int>(std::bit_width(a));
#endif
}

}  // namespace shoal
