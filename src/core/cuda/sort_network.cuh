// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// Sorts of few keys: by one thread in registers, and by the threads of a warp in any memory.
namespace shoal::sort_network {

__device__ __forceinline__ void exchange(std::int32_t& a, std::int32_t& b) {
  const std::int32_t low = ::min(a, b);
  b = ::max(a, b);
  a = low;
}

/// One round of comparisons, of keys `distance` apart, in the merge of sorted runs of `width` keys.
template <int width, int distance, int n>
__device__ __forceinline__ void compare_round(std::int32_t (&key)[n]) {
  constexpr int first = distance % width;
#pragma unroll
  for (int i = 0; i + distance < n; ++i) {
    const bool compares =
        i >= first && (i - first) / distance % 2 == 0 && i / (2 * width) == (i + distance) / (2 * width);
    if (compares) exchange(key[i], key[i + distance]);
  }
  if constexpr (distance > 1) compare_round<width, distance / 2>(key);
}

/// Sorts keys that stay in registers: Batcher's odd-even merge sort (1968), without the comparisons beyond n.
template <int width = 1, int n>
__device__ __forceinline__ void sort_registers(std::int32_t (&key)[n]) {
  if constexpr (width < n) {
    compare_round<width, width>(key);
    sort_registers<2 * width>(key);
  }
}

/// Sorts keys that first descend and then ascend: Batcher's bitonic merge (1968). Missing keys up to a power of two
/// would continue the ascent, so comparisons with them would change nothing.
template <int distance = 64, int n>
__device__ __forceinline__ void sort_valley(std::int32_t (&key)[n]) {
  static_assert(n <= 2 * distance || distance < 64);
#pragma unroll
  for (int i = 0; i + distance < n; ++i)
    if ((i & distance) == 0) exchange(key[i], key[i + distance]);
  if constexpr (distance > 1) sort_valley<distance / 2>(key);
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
