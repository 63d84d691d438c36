// SPDX-License-Identifier: Apache-2.0
// Sort of few points into the cells of a grid: one block instead of a chain of kernels (search_cuda.cu).
#pragma once
#include <cub/block/block_radix_sort.cuh>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"
#include "neighbors/search/search_backend.hpp"
#include "neighbors/tuning.hpp"

/// Kernels for few points hold all of them in one block, or spend several threads on each.
namespace shoal::neighbors::few_points {

constexpr int sort_threads = 1024;
constexpr int sort_items = 15;  ///< Keys of a thread. It is odd, so that the threads of a warp use all banks.
constexpr int number_bits = 14;
constexpr std::uint32_t number_mask = (1u << number_bits) - 1;
static_assert(sort_threads * sort_items == tuning::few_points && tuning::few_points <= number_mask);
static_assert(tuning::few_points_cells < 1 << (32 - number_bits));

using BlockSort = cub::BlockRadixSort<std::uint32_t, sort_threads, sort_items>;

/// Shared memory of the sort: that of CUB, or all keys.
union SortMemory {
  typename BlockSort::TempStorage storage;
  std::uint32_t key[sort_threads * sort_items];
};

/// Sorted arrays that the sort writes; see SortedPoints.
template <class Real>
struct SortedArrays {
  PackedPoint<Real>* packed;
  std::int32_t* order;
  Real* limits;         ///< Null: points have no limits.
  std::int32_t* start;  ///< Null: no cell starts.
};

/// Returns the key of a point: its cell, then its number.
template <class Real>
__device__ std::uint32_t key_of(const CellFormula<Real>& cells, const PointReader<Real>& points, int i) {
  const Position<Real> position{points.at_x(i), points.at_y(i, cells.dimensions), points.at_z(i, cells.dimensions)};
  const std::uint32_t cell = cells.fault(position.x, position.y, position.z) == cells.dimensions
                                 ? cells.cell(position.x, position.y, position.z)
                                 : cells.cell_count();
  return cell << number_bits | static_cast<std::uint32_t>(i);
}

/// Writes start[first, end) = p for each lane. The warp writes long ranges together.
__device__ inline void fill_starts(std::int32_t* start, std::uint32_t first, std::uint32_t end, int p) {
  constexpr std::uint32_t max_alone = 8;
  const bool is_long = end - first > max_alone;
  if (!is_long)
    for (std::uint32_t cell = first; cell < end; ++cell) start[cell] = p;
  for (unsigned remaining = __ballot_sync(whole_warp, is_long); remaining != 0; remaining &= remaining - 1) {
    const int lane = __ffs(static_cast<int>(remaining)) - 1;
    const std::uint32_t lane_end = __shfl_sync(whole_warp, end, lane);
    const int value = __shfl_sync(whole_warp, p, lane);
    for (std::uint32_t cell = __shfl_sync(whole_warp, first, lane) + threadIdx.x % 32; cell < lane_end; cell += 32)
      start[cell] = value;
  }
}

/// Sorts at most tuning::few_points points into at most tuning::few_points_cells cells. One block runs it.
template <class Real>
__global__ void __launch_bounds__(sort_threads)
    sort_few_points(const SearchGrid<Real>* grid, PointReader<Real> points, const Real* limits, int n,
                    const int* needed, SortedArrays<Real> sorted) {
  extern __shared__ std::uint32_t shared_words[];
  if (!is_needed(needed)) return;
  SortMemory& shared = *reinterpret_cast<SortMemory*>(shared_words);
  const CellFormula<Real> cells = grid->cells;
  const int thread = static_cast<int>(threadIdx.x);
  std::uint32_t key[sort_items];
#pragma unroll
  for (int m = 0; m < sort_items; ++m) {
    const int i = m * sort_threads + thread;
    shared.key[i] = i < n ? key_of(cells, points, i) : 0xffffffffu;
  }
  __syncthreads();
#pragma unroll
  for (int m = 0; m < sort_items; ++m) key[m] = shared.key[thread * sort_items + m];
  __syncthreads();
  const int bits = 32 - __clz(static_cast<int>(cells.cell_count()));
  BlockSort(shared.storage).SortBlockedToStriped(key, number_bits, number_bits + bits);
  __syncthreads();
#pragma unroll
  for (int m = 0; m < sort_items; ++m) shared.key[m * sort_threads + thread] = key[m] >> number_bits;
  __syncthreads();
#pragma unroll
  for (int m = 0; m < sort_items; ++m) {
    const int p = m * sort_threads + thread;
    if (p < n) {
      const auto i = static_cast<std::int32_t>(key[m] & number_mask);
      const int dimensions = cells.dimensions;
      sorted.packed[p] = {{points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)}, i};
      sorted.order[p] = i;
      if (sorted.limits != nullptr) sorted.limits[p] = limits[i];
    }
    if (sorted.start == nullptr) continue;
    const std::uint32_t end = p < n ? shared.key[p] + 1 : 0;
    fill_starts(sorted.start, p < n && p > 0 ? shared.key[p - 1] + 1 : 0, end, p);
  }
  if (sorted.start == nullptr) return;
  for (std::uint32_t cell = (n > 0 ? shared.key[n - 1] + 1 : 0) + threadIdx.x; cell < cells.cell_count() + 2;
       cell += sort_threads)
    sorted.start[cell] = n;
}

/// Returns true if sort() takes these points.
template <class Real>
bool takes(const PointSort<Real>& sort) {
  return sort.points.count() <= tuning::few_points && sort.max_cells <= tuning::few_points_cells;
}

/// Sorts points into memory that has room for them.
template <class Real>
void sort(const Queue& queue, const PointSort<Real>& sort, SortedMemory<Real>& memory) {
  launch_with<sort_threads>(queue, sort_threads, sizeof(SortMemory), sort_few_points<Real>, sort.grid,
                            PointReader<Real>(sort.points), sort.limits.data, static_cast<int>(sort.points.count()),
                            sort.needed,
                            SortedArrays<Real>{memory.packed.data(), memory.order.data(),
                                               sort.limits.empty() ? nullptr : memory.limits.data(),
                                               sort.is_source ? memory.packed_start.data() : nullptr});
}

}  // namespace shoal::neighbors::few_points
