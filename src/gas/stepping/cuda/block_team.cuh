// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/distribution/plane_sums.cuh"

namespace shoal::gas {

/// Team of the threads of a block, as SerialTeam. All threads call sum() and sync() together.
template <int threads>
struct BlockTeam {
  __device__ int first() const { return static_cast<int>(threadIdx.x); }
  __device__ int stride() const { return threads; }

  /// Replaces values by their sums over the block, in a fixed tree.
  __device__ void sum(double* values, int count) const {
    constexpr int at_once = 16;
    __shared__ double totals[at_once];
    for (int first = 0; first < count; first += at_once) {
      double part[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) part[k] = first + k < count ? values[first + k] : 0;
      const double total = collision::block_sum<threads>(part);
      if (threadIdx.x < at_once) totals[threadIdx.x] = total;
      __syncthreads();
      for (int k = 0; k < at_once && first + k < count; ++k) values[first + k] = totals[k];
      __syncthreads();
    }
  }
  __device__ void sync() const { __syncthreads(); }
};

}  // namespace shoal::gas
