// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/launch.cuh"

/// What goes before and after a radix sort of (key, number).
namespace shoal::sorted_keys {

/// number[i] = i.
inline __global__ void number_items(std::int32_t* number, std::int64_t n) {
  const std::int64_t i = thread_index();
  if (i < n) number[i] = static_cast<std::int32_t>(i);
}

/// Number of keys below `key` among n sorted ones.
__device__ inline std::int64_t count_below(const std::uint32_t* sorted, std::int64_t n, std::int64_t key) {
  std::int64_t low = 0;
  std::int64_t high = n;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace shoal::sorted_keys
