// SPDX-License-Identifier: Apache-2.0
// Sort of few points into the cells of a grid: one block instead of a chain of kernels (search_cuda.cu).
#pragma once
#include <cub/block/block_radix_sort.cuh>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "neighbors/search/search_backend.hpp"
#include "neighbors/tuning.hpp"

/// Kernels for few points hold all of them in one block, or spend several threads on each.
namespace shoal::neighbors::few_points {

constexpr int sort_threads = 1024;
constexpr int max_sort_items = 15;  ///< Largest number of keys of a thread.
constexpr int number_bits = 14;
constexpr std::uint32_t number_mask = (1u << number_bits) - 1;
static_assert(sort_threads * max_sort_items == tuning::few_points && tuning::few_points <= number_mask);
static_assert(tuning::few_points_cells < 1 << (32 - number_bits));

/// Sort by four bits a pass. It reads counts of digits twice, because the registers do not hold them.
/// @tparam items  keys of a thread
template <int items>
using BlockSort = cub::BlockRadixSort<std::uint32_t, sort_threads, items, cub::NullType, 4, false>;

/// Shared memory of the sort: that of CUB, or all keys.
template <int items>
union SortMemory {
  typename BlockSort<items>::TempStorage storage;
  std::uint32_t key[sort_threads * items];
};

/// Sorted arrays that the sort writes; see SortedPoints.
template <class Real>
struct SortedArrays {
  PackedPoint<Real>* packed;
  std::int32_t* order;
  Real* limits;         ///< Null: points have no limits.
  std::int32_t* start;  ///< Null: no cell starts.
};

template <class Real>
__device__ __forceinline__ Position<Real> position_of(const PointReader<Real>& points, int dimensions, int i) {
  return {points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)};
}

/// Returns the key of a point: its cell, then its number.
template <class Real>
__device__ __forceinline__ std::uint32_t key_of(const CellFormula<Real>& cells, const Position<Real>& position, int i) {
  const std::uint32_t cell = cells.fault(position.x, position.y, position.z) == cells.dimensions
                                 ? cells.cell(position.x, position.y, position.z)
                                 : cells.cell_count();
  return cell << number_bits | static_cast<std::uint32_t>(i);
}

/// Writes the keys of all points to shared memory, and the largest key behind them. The loads of up to six points of a
/// thread are under way together.
template <int items, class Real>
__device__ __forceinline__ void write_keys(const CellFormula<Real>& cells, const PointReader<Real>& points, int n,
                                           std::uint32_t* keys) {
  constexpr int rounds = (items + 5) / 6;
  constexpr int batch = (items + rounds - 1) / rounds;
#pragma unroll 1
  for (int first = static_cast<int>(threadIdx.x); first < items * sort_threads; first += batch * sort_threads) {
    Position<Real> position[batch] = {};
#pragma unroll
    for (int b = 0; b < batch; ++b)
      if (first + b * sort_threads < n) position[b] = position_of(points, cells.dimensions, first + b * sort_threads);
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      const int i = first + b * sort_threads;
      if (i < items * sort_threads) keys[i] = i < n ? key_of(cells, position[b], i) : 0xffffffffu;
    }
  }
}

/// Writes the points, whose keys are striped over the threads.
template <int items, class Real>
__device__ __forceinline__ void write_points(const PointReader<Real>& points, int dimensions, const Real* limits, int n,
                                             const std::uint32_t (&key)[items], const SortedArrays<Real>& sorted) {
  constexpr int batch = 4;  // points whose loads are under way together
#pragma unroll
  for (int first = 0; first < items; first += batch) {
    Position<Real> position[batch];
    Real limit[batch];
#pragma unroll
    for (int b = 0; b < batch && first + b < items; ++b) {
      if ((first + b) * sort_threads + static_cast<int>(threadIdx.x) >= n) continue;
      const auto i = static_cast<int>(key[first + b] & number_mask);
      position[b] = position_of(points, dimensions, i);
      if (sorted.limits != nullptr) limit[b] = limits[i];
    }
#pragma unroll
    for (int b = 0; b < batch && first + b < items; ++b) {
      const int p = (first + b) * sort_threads + static_cast<int>(threadIdx.x);
      if (p >= n) continue;
      const auto i = static_cast<std::int32_t>(key[first + b] & number_mask);
      sorted.packed[p] = {position[b], i};
      sorted.order[p] = i;
      if (sorted.limits != nullptr) sorted.limits[p] = limit[b];
    }
  }
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

/// Writes the sorted index of the first point of each cell.
/// @param cell  [n] cells of the points, ascending
__device__ inline void write_starts(const std::uint32_t* cell, int n, std::uint32_t cell_count, std::int32_t* start) {
#pragma unroll 1
  for (int first = 0; first < n; first += sort_threads) {
    const int p = first + static_cast<int>(threadIdx.x);
    const std::uint32_t end = p < n ? cell[p] + 1 : 0;
    fill_starts(start, p < n && p > 0 ? cell[p - 1] + 1 : 0, end, p);
  }
  const std::uint32_t first_empty = n > 0 ? cell[n - 1] + 1 : 0;
  for (std::uint32_t k = first_empty + threadIdx.x; k < cell_count + 2; k += sort_threads) start[k] = n;
}

/// Sorts points into at most tuning::few_points_cells cells. One block runs it.
/// @tparam items  keys of a thread; an odd number, so that the threads of a warp use all banks
template <int items, class Real>
__global__ void __launch_bounds__(sort_threads)
    sort_few_points(const SearchGrid<Real>* grid, PointReader<Real> points, const Real* limits, int n,
                    const int* needed, SortedArrays<Real> sorted) {
  extern __shared__ std::uint32_t shared_words[];
  static_assert(items % 2 == 1);
  join_chain(true);
  if (!is_needed(needed)) return;
  SortMemory<items>& shared = *reinterpret_cast<SortMemory<items>*>(shared_words);
  const CellFormula<Real> cells = grid->cells;
  const int thread = static_cast<int>(threadIdx.x);
  write_keys<items>(cells, points, n, shared.key);
  __syncthreads();
  std::uint32_t key[items];
#pragma unroll
  for (int m = 0; m < items; ++m) key[m] = shared.key[thread * items + m];
  __syncthreads();
  const int bits = 32 - __clz(static_cast<int>(cells.cell_count()));
  BlockSort<items>(shared.storage).SortBlockedToStriped(key, number_bits, number_bits + bits);
  write_points(points, cells.dimensions, limits, n, key, sorted);
  if (sorted.start == nullptr) return;
  __syncthreads();
#pragma unroll
  for (int m = 0; m < items; ++m) shared.key[m * sort_threads + thread] = key[m] >> number_bits;
  __syncthreads();
  write_starts(shared.key, n, cells.cell_count(), sorted.start);
}

/// Returns true if sort() takes these points.
template <class Real>
bool takes(const PointSort<Real>& sort) {
  return sort.points.count() <= tuning::few_points && sort.max_cells <= tuning::few_points_cells;
}

/// Sorts points into memory that has room for them, with the fewest keys of a thread that suffice.
template <int items, int... more_items, class Real>
void sort_with(const Queue& queue, const PointSort<Real>& sort, const SortedArrays<Real>& sorted) {
  const std::int64_t n = sort.points.count();
  if constexpr (sizeof...(more_items) > 0)
    if (n > sort_threads * items) return sort_with<more_items...>(queue, sort, sorted);
  launch_chained_with<sort_threads>(queue, sort_threads, sizeof(SortMemory<items>), sort_few_points<items, Real>,
                                    sort.grid, PointReader<Real>(sort.points), sort.limits.data, static_cast<int>(n),
                                    sort.needed, sorted);
}

template <class Real>
void sort(const Queue& queue, const PointSort<Real>& sort, SortedMemory<Real>& memory) {
  sort_with<3, 11, max_sort_items>(queue, sort,
                                   SortedArrays<Real>{memory.packed.data(), memory.order.data(),
                                                      sort.limits.empty() ? nullptr : memory.limits.data(),
                                                      sort.is_source ? memory.packed_start.data() : nullptr});
}

}  // namespace shoal::neighbors::few_points
