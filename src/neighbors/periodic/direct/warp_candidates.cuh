// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/warp.cuh"

namespace shoal::neighbors {

__device__ inline int lane_number() { return static_cast<int>(threadIdx.x % 32); }

/// Candidates of the lanes of a warp in a row: first those of lane 0.
struct WarpCandidates {
  int end;    ///< Number of candidates of this lane and lower ones.
  int total;  ///< Number of candidates of the warp.

  __device__ explicit WarpCandidates(int count) : end(count) {
    for (int width = 1; width < 32; width *= 2) {
      const int lower = __shfl_up_sync(whole_warp, end, width);
      if (lane_number() >= width) end += lower;
    }
    total = __shfl_sync(whole_warp, end, 31);
  }

  /// Returns the lane that has a candidate. All threads of the warp call it.
  __device__ int lane_of(int candidate) const {
    int lane = 0;
    for (int step = 16; step > 0; step /= 2)
      if (__shfl_sync(whole_warp, end, lane + step - 1) <= candidate) lane += step;
    return lane;
  }
};

}  // namespace shoal::neighbors
