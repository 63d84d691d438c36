// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cub/block/block_radix_sort.cuh>
#include <cuda/std/limits>

#include "core/cuda/launch.cuh"

/// Sorts segments of one array with one block per segment, for a few long segments. Merge sort with n log n operations
/// for any lengths and 64-bit offsets; no call waits or allocates.
namespace shoal::segment_sort {

constexpr int threads = 256;
constexpr int items = 8;  // per thread
constexpr int tile = threads * items;

/// Sorts the first `count` elements, or the first tile if there are more, by the whole block. `in` may be `out`.
__device__ inline void sort_tile(const std::int32_t* in, std::int32_t* out, std::int64_t count) {
  using BlockSort = cub::BlockRadixSort<std::int32_t, threads, items>;
  __shared__ typename BlockSort::TempStorage storage;
  std::int32_t keys[items];
  for (int item = 0; item < items; ++item) {
    const int k = item * threads + static_cast<int>(threadIdx.x);
    keys[item] = k < count ? in[k] : cuda::std::numeric_limits<std::int32_t>::max();
  }
  __syncthreads();  // the next tile reuses the storage; `in` may be `out`
  BlockSort(storage).SortBlockedToStriped(keys);
  for (int item = 0; item < items; ++item) {
    const int k = item * threads + static_cast<int>(threadIdx.x);
    if (k < count) out[k] = keys[item];
  }
}

/// Number of elements from a among the first `diagonal` elements of the merged sequence.
__device__ inline std::int64_t merge_path(const std::int32_t* a, std::int64_t a_count, const std::int32_t* b,
                                          std::int64_t b_count, std::int64_t diagonal) {
  std::int64_t low = diagonal > b_count ? diagonal - b_count : 0;
  std::int64_t high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (a[middle] < b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Merges neighboring sorted runs of `width` elements by the whole block; every thread writes `items` at a time.
__device__ inline void merge_runs(const std::int32_t* in, std::int32_t* out, std::int64_t count, std::int64_t width) {
  for (std::int64_t k = static_cast<std::int64_t>(threadIdx.x) * items; k < count; k += tile) {
    const std::int64_t base = k / (2 * width) * (2 * width);
    const std::int64_t middle = base + width < count ? base + width : count;
    const std::int64_t end = middle + width < count ? middle + width : count;
    const std::int32_t* a = in + base;
    const std::int32_t* b = in + middle;
    const std::int64_t a_count = middle - base;
    const std::int64_t b_count = end - middle;
    std::int64_t i = merge_path(a, a_count, b, b_count, k - base);
    std::int64_t j = k - base - i;
    for (int item = 0; item < items && k + item < end; ++item) {
      const bool from_a = j >= b_count || (i < a_count && a[i] < b[j]);
      out[k + item] = from_a ? a[i++] : b[j++];
    }
  }
}

/// Sorts out[begins[s], ends[s]) = sorted in[begins[s], ends[s]) for segment s = block; empty when begin = end. `in` is
/// overwritten.
static __global__ void __launch_bounds__(threads)
    sort_each(std::int32_t* in, std::int32_t* out, const std::int64_t* begins, const std::int64_t* ends,
              std::int64_t shortest) {
  const std::int64_t begin = begins[blockIdx.x];
  const std::int64_t count = ends[blockIdx.x] - begin;
  if (count < shortest) return;
  int merges = 0;
  for (std::int64_t width = tile; width < count; width *= 2) ++merges;
  std::int32_t* source = merges % 2 == 0 ? out + begin : in + begin;  // the last merge writes to `out`
  std::int32_t* target = merges % 2 == 0 ? in + begin : out + begin;
  for (std::int64_t start = 0; start < count; start += tile)
    sort_tile(in + begin + start, source + start, count - start);
  for (std::int64_t width = tile; width < count; width *= 2) {
    __syncthreads();
    merge_runs(source, target, count, width);
    std::int32_t* swapped = source;
    source = target;
    target = swapped;
  }
}

}  // namespace shoal::segment_sort
