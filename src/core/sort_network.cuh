// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// Sorts of few keys: by one thread in registers, and by the threads of a warp in any memory.
namespace shoal::sort_network {

/// One round of comparisons, of keys `distance` apart, in the merge of sorted runs of `width` keys.
template <int width, int distance, int n>
__device__ __forceinline__ void compare_round(std::int32_t (&key)[n]) {
  constexpr int first = distance % width;
#pragma unroll
  for (int i = 0; i + distance < n; ++i) {
    const bool compares =
        i >= first && (i - first) / distance % 2 == 0 && i / (2 * width) == (i + distance) / (2 * width);
    if (!compares) continue;
    const std::int32_t low = min(key[i], key[i + distance]);
    key[i + distance] = max(key[i], key[i + distance]);
    key[i] = low;
  }
  if constexpr (distance > 1) compare_round<width, distance / 2>(key);
}

/// Sorts keys that stay in registers: Batcher's odd-even merge sort (1968), without the comparisons beyond n.
template <int n, int width = 1>
__device__ __forceinline__ void sort_registers(std::int32_t (&key)[n]) {
  if constexpr (width < n) {
    compare_round<width, width>(key);
    sort_registers<n, 2 * width>(key);
  }
}

/// Sorts keys[0, count) in place by the whole warp: Batcher's bitonic sort in the form in which the smaller key always
/// goes to the lower place, so that the missing keys of a power of two need not be there.
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
