// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/sort_comparisons.hpp"

/// Sorts of few keys: by one thread in registers, and by the threads of a warp in any memory. Blocks have one row of threads:
/// blockDim.y is 1.
namespace shoal::sort_network {

__device__ __forceinline__ void exchange(std::int32_t& a, std::int32_t& b) {
  const std::int32_t low = ::min(a, b);
  b = ::max(a, b);
  a = low;
}

/// The same as exchange(). The maximum is the sum minus the minimum, by two multiplications, which have another pipe than
/// minimum and maximum.
/// @param one  1, and `minus_one` −1, in registers, so that the compiler does not add instead
__device__ __forceinline__ void exchange_by_sum(std::int32_t& a, std::int32_t& b, std::uint32_t one,
                                                std::uint32_t minus_one) {
  const std::uint32_t sum = static_cast<std::uint32_t>(a) * one + static_cast<std::uint32_t>(b);
  a = ::min(a, b);
  b = static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * minus_one + sum);
}

/// Runs the comparisons of a network on keys that stay in registers. Every second one uses both pipes.
template <const auto& network, int n, int... i>
__device__ __forceinline__ void compare(std::int32_t (&key)[n], std::integer_sequence<int, i...>) {
  const std::uint32_t one = blockDim.y;  // which the compiler does not know
  const std::uint32_t minus_one = 0u - blockDim.y;
  const auto exchange_keys = [&]<int k>(std::integral_constant<int, k>) {
    std::int32_t& low = key[std::integral_constant<int, network.low[k]>::value];
    std::int32_t& high = key[std::integral_constant<int, network.high[k]>::value];
    if constexpr (k % 2 == 1)
      exchange_by_sum(low, high, one, minus_one);
    else
      exchange(low, high);
  };
  (exchange_keys(std::integral_constant<int, i>()), ...);
}

/// Sorts keys in any order.
template <int n>
__device__ __forceinline__ void sort_registers(std::int32_t (&key)[n]) {
  compare<sort_comparisons<n>>(key, std::make_integer_sequence<int, sort_comparisons<n>.count>());
}

/// Sorts keys that ascend and then descend, or descend and then ascend.
template <int n>
__device__ __forceinline__ void sort_bitonic(std::int32_t (&key)[n]) {
  compare<bitonic_comparisons<n>>(key, std::make_integer_sequence<int, bitonic_comparisons<n>.count>());
}

/// Sorts 32 n keys across a warp; the keys of a lane precede those of the next lane. Each lane sorts its keys; bitonic
/// merges (Batcher 1968) follow, in the form in which the smaller key always goes to the lower index.
template <int n>
__device__ __forceinline__ void sort_across_warp(std::int32_t (&key)[n]) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  sort_registers(key);
#pragma unroll
  for (int width = 2; width <= 32; width *= 2) {
    std::int32_t partner[n];
#pragma unroll
    for (int i = 0; i < n; ++i) partner[i] = __shfl_xor_sync(0xffffffffu, key[n - 1 - i], width - 1);
#pragma unroll
    for (int i = 0; i < n; ++i) key[i] = lane & (width / 2) ? ::max(key[i], partner[i]) : ::min(key[i], partner[i]);
#pragma unroll
    for (int distance = width / 4; distance > 0; distance /= 2)
#pragma unroll
      for (int i = 0; i < n; ++i) {
        const std::int32_t across = __shfl_xor_sync(0xffffffffu, key[i], distance);
        key[i] = lane & distance ? ::max(key[i], across) : ::min(key[i], across);
      }
#pragma unroll
    for (int distance = n / 2; distance > 0; distance /= 2)
#pragma unroll
      for (int i = 0; i < n; ++i) {
        if ((i & distance) == 0) exchange(key[i], key[i + distance]);
      }
  }
}

/// Sorts keys[0, count) in place by the whole warp: Batcher's bitonic sort in the form in which the smaller key always
/// goes to the lower index, so the missing keys up to a power of two need not exist.
__device__ inline void sort_by_warp(std::int32_t* keys, std::int64_t count) {
  const std::int64_t lane = threadIdx.x % 32;
  const auto exchange = [&](std::int64_t low, std::int64_t high) {
    if (high >= count) return;
    const std::int32_t a = keys[low];
    const std::int32_t b = keys[high];
    if (a <= b) return;
    keys[low] = b;
    keys[high] = a;
  };
  for (std::int64_t width = 2; width < 2 * count; width *= 2) {
    __syncwarp();
    for (std::int64_t pair = lane; 2 * pair < count + width; pair += 32) {
      const std::int64_t start = pair / (width / 2) * width;
      const std::int64_t inside = pair % (width / 2);
      exchange(start + inside, start + width - 1 - inside);
    }
    for (std::int64_t distance = width / 4; distance > 0; distance /= 2) {
      __syncwarp();
      for (std::int64_t pair = lane; 2 * pair < count + width; pair += 32) {
        const std::int64_t low = pair / distance * 2 * distance + pair % distance;
        exchange(low, low + distance);
      }
    }
  }
  __syncwarp();
}

}  // namespace shoal::sort_network
