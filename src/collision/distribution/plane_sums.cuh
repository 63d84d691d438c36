// SPDX-License-Identifier: Apache-2.0
// Sums over the nodes of each cell on CUDA, in an order that depends on nothing but the velocity grid.
#pragma once
#include <cstdint>

#include "collision/distribution/distribution_item.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "core/memory/scratch.hpp"

namespace shoal::collision {

inline constexpr int sum_threads = 128;  ///< Threads of a block that sums a plane of nodes.

/// Sum of the values of a block in a fixed tree: lanes, then warps in order. All threads of the block call it.
/// @param sums  values of this thread; overwritten
/// @return      in thread k, the sum of the values k; in threads from `count` on, 0
template <int threads, int count>
__device__ double block_sum(double (&sums)[count]) {
  static_assert(threads % 32 == 0 && count <= threads);
  constexpr int warps = threads / 32;
  __shared__ double warp_sums[count][warps];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int k = 0; k < count; ++k) {
    const double sum = warp_sum(sums[k]);
    if (threadIdx.x % 32 == 0) warp_sums[k][warp] = sum;
  }
  __syncthreads();
  double sum = 0;
  if (threadIdx.x < count)
    for (int w = 0; w < warps; ++w) sum += warp_sums[threadIdx.x][w];
  return sum;
}

/// One block for each plane of nodes: thread t adds nodes t, t + 128, ..., then the block adds its threads.
template <class Terms>
__global__ void sum_planes(NodeVelocities nodes, Terms terms, double* plane_sums) {
  constexpr int count = Terms::count;
  const int n = nodes.n;
  const std::int64_t plane = blockIdx.x, cell = plane / n;
  double sums[count] = {};
  for (int k = static_cast<int>(threadIdx.x); k < n * n; k += sum_threads) {
    const double v[3] = {nodes.velocity(0, k % n), nodes.velocity(1, k / n),
                         nodes.velocity(2, static_cast<int>(plane % n))};
    terms.add(plane * n * n + k, cell, v, sums);
  }
  const double sum = block_sum<sum_threads>(sums);
  if (threadIdx.x < count) plane_sums[plane * count + threadIdx.x] = sum;
}

static __global__ void add_planes(const double* plane_sums, std::int64_t cells, int n, int count, double factor,
                                  double* total) {
  const std::int64_t i = thread_index();
  if (i >= cells * count) return;
  double sum = 0;
  for (int z = 0; z < n; ++z) sum += plane_sums[(i / count * n + z) * count + i % count];
  total[i] = sum * factor;
}

/// Sums terms over the nodes of each cell, as those of distribution_item.hpp, and multiplies by a factor.
/// @param total  [cells][Terms::count] overwritten
template <class Terms>
void sum_cells(ScratchFrame& frame, const Queue& queue, const NodeVelocities& nodes, const Terms& terms,
               std::int64_t cells, double factor, double* total) {
  constexpr int count = Terms::count;
  double* plane_sums = frame.array<double>(cells * nodes.n * count).data;
  launch<sum_threads>(queue, cells * nodes.n * sum_threads, sum_planes<Terms>, nodes, terms, plane_sums);
  launch(queue, cells * count, add_planes, plane_sums, cells, nodes.n, count, factor, total);
}

/// @return  [cells][Terms::count] in memory of the frame
template <class Terms>
double* sum_cells(ScratchFrame& frame, const Queue& queue, const NodeVelocities& nodes, const Terms& terms,
                  std::int64_t cells, double factor) {
  double* total = frame.array<double>(cells * Terms::count).data;
  sum_cells(frame, queue, nodes, terms, cells, factor, total);
  return total;
}

}  // namespace shoal::collision
