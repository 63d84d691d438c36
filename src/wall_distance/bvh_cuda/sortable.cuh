// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers as unsigned integers of the same order, for atomicMin and atomicMax.
#pragma once
#include "core/cuda/launch.cuh"

namespace shoal::wall_distance {

__device__ inline std::uint32_t sortable(float a) {
  const std::uint32_t bits = __float_as_uint(a);
  return bits >> 31 != 0 ? ~bits : bits | 1u << 31;
}
__device__ inline float from_sortable(std::uint32_t key) {
  return __uint_as_float(key >> 31 != 0 ? key & ~(1u << 31) : ~key);
}

__device__ inline unsigned long long sortable(double a) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(a));
  return bits >> 63 != 0 ? ~bits : bits | 1ull << 63;
}
__device__ inline double from_sortable(unsigned long long key) {
  return __longlong_as_double(static_cast<long long>(key >> 63 != 0 ? key & ~(1ull << 63) : ~key));
}

}  // namespace shoal::wall_distance
