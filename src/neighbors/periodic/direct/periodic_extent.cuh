// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/warp.cuh"
#include "neighbors/periodic/images_item.hpp"

namespace shoal::neighbors {

/// Joins the extents of the threads of a warp; lane 0 holds the result.
__device__ inline void add_across_warp(PeriodExtent& extent) {
  for (int width = 16; width > 0; width /= 2) {
    PeriodExtent upper;
    for (int k = 0; k < 3; ++k) {
      upper.least_periods[k] = __shfl_down_sync(whole_warp, extent.least_periods[k], width);
      upper.most_periods[k] = __shfl_down_sync(whole_warp, extent.most_periods[k], width);
    }
    upper.largest = __shfl_down_sync(whole_warp, extent.largest, width);
    extent.add(upper);
  }
}

/// Joins the extents of a block of threads; thread 0 holds the result.
template <int threads>
__device__ void add_across_block(PeriodExtent& extent) {
  constexpr int warps = threads / 32;
  // Objects in shared memory must not have constructors.
  __shared__ alignas(PeriodExtent) unsigned char bytes[warps * sizeof(PeriodExtent)];
  auto* const warp_extents = reinterpret_cast<PeriodExtent*>(bytes);
  add_across_warp(extent);
  if (threadIdx.x % 32 == 0) warp_extents[threadIdx.x / 32] = extent;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int warp = 1; warp < warps; ++warp) extent.add(warp_extents[warp]);
  __syncthreads();
}

}  // namespace shoal::neighbors
