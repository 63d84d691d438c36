// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "core/primitives/sorted_keys.hpp"
#include "neighbors/few_points/few_points_sort.cuh"
#include "neighbors/search/search_backend.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

constexpr int survey_threads = 256;
constexpr int survey_warps = survey_threads / 32;
constexpr int start_threads = 256;

/// Sums the results of a warp; lane 0 holds the sum.
template <class Real>
__device__ void add_across_warp(SurveyResult<Real>& result) {
  for (int width = 16; width > 0; width /= 2) {
    SurveyResult<Real> upper;
    for (int axis = 0; axis < 3; ++axis) {
      upper.extent.lower[axis] = __shfl_down_sync(whole_warp, result.extent.lower[axis], width);
      upper.extent.upper[axis] = __shfl_down_sync(whole_warp, result.extent.upper[axis], width);
    }
    upper.max_limit = __shfl_down_sync(whole_warp, result.max_limit, width);
    result.add(upper);
  }
}

/// Sums the results of a block; thread 0 holds the sum.
template <class Real>
__device__ void add_across_block(SurveyResult<Real>& result) {
  // Objects in shared memory must not have constructors.
  __shared__ alignas(SurveyResult<Real>) unsigned char bytes[survey_warps * sizeof(SurveyResult<Real>)];
  auto* warp_results = reinterpret_cast<SurveyResult<Real>*>(bytes);
  add_across_warp(result);
  if (threadIdx.x % 32 == 0) warp_results[threadIdx.x / 32] = result;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int warp = 1; warp < survey_warps; ++warp) result.add(warp_results[warp]);
  __syncthreads();
}

/// Surveys the points of one set; the last block to finish sums the results of all blocks.
/// @param results  [gridDim.x] scratch memory
template <class Real>
__global__ void __launch_bounds__(survey_threads) survey_points(Survey<Real> survey, SurveyResult<Real>* results) {
  __shared__ bool is_last;
  if (!is_needed(survey.needed)) return;
  SurveyResult<Real> result;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * survey_threads;
  for (std::int64_t i = thread_index(); i < survey.set.count; i += step)
    survey_point(survey.space, survey.rule, survey.set, i, result);
  add_across_block(result);
  if (threadIdx.x == 0) {
    results[blockIdx.x] = result;
    __threadfence();
    is_last = atomicInc(&survey.total->blocks_done, gridDim.x - 1) == gridDim.x - 1;  // which sets it to 0 again
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  SurveyResult<Real> total;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += survey_threads) total.add(results[block]);
  add_across_block(total);
  if (threadIdx.x == 0) survey.finish(total);
}

/// Computes the cell of each point, and packs the point into 16 or 32 bytes, so that order_points() needs one random
/// read a point.
template <class Real>
__global__ void find_cells(const SearchGrid<Real>* grid, PointReader<Real> points, std::int64_t n, const int* needed,
                           std::uint32_t* cell, std::int32_t* number, PackedPoint<Real>* packed) {
  const std::int64_t i = thread_index();
  if (i >= n || !is_needed(needed)) return;
  const CellFormula<Real>& cells = grid->cells;
  const Position<Real> position{points.at_x(i), points.at_y(i, cells.dimensions), points.at_z(i, cells.dimensions)};
  cell[i] = cells.fault(position.x, position.y, position.z) == cells.dimensions
                ? cells.cell(position.x, position.y, position.z)
                : cells.cell_count();
  number[i] = static_cast<std::int32_t>(i);
  packed[i] = {position, static_cast<std::int32_t>(i)};
}

/// Copies the points into sorted order.
template <class Real>
__global__ void order_points(const PackedPoint<Real>* packed, const Real* limits, const std::int32_t* order,
                             std::int64_t n, const int* needed, PackedPoint<Real>* sorted, Real* sorted_limits) {
  const std::int64_t k = thread_index();
  if (k >= n || !is_needed(needed)) return;
  const std::int32_t i = order[k];
  sorted[k] = packed[i];
  if (limits != nullptr) sorted_limits[k] = limits[i];
}

/// Computes the sorted index of the first point of each cell. A block first searches the points of a chunk of cells;
/// then each thread searches only these for its cells, so that empty regions cost little.
/// @param sorted  [n] cells of the points, ascending
template <class Real>
__global__ void __launch_bounds__(start_threads) find_starts(const SearchGrid<Real>* grid, const std::uint32_t* sorted,
                                                             std::int64_t n, const int* needed, std::int32_t* start) {
  __shared__ std::int64_t bounds[2];
  if (!is_needed(needed)) return;
  const std::int64_t count = static_cast<std::int64_t>(grid->cells.cell_count()) + 2;
  const std::int64_t blocks = gridDim.x;
  const int chunk = count < blocks * tuning::start_chunk ? start_threads : tuning::start_chunk;
  for (std::int64_t first = blockIdx.x * std::int64_t{chunk}; first < count; first += blocks * chunk) {
    if (threadIdx.x < 2) bounds[threadIdx.x] = sorted_keys::count_below(sorted, 0, n, first + threadIdx.x * chunk);
    __syncthreads();
    const std::int64_t end = first + chunk < count ? first + chunk : count;
    for (std::int64_t cell = first + threadIdx.x; cell < end; cell += start_threads)
      start[cell] = static_cast<std::int32_t>(sorted_keys::count_below(sorted, bounds[0], bounds[1], cell));
    __syncthreads();
  }
}

template <class Real>
void survey(Scratch& scratch, const Survey<Real>& survey) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = std::max<std::int64_t>(1, survey.set.count);
  const std::int64_t blocks = std::min<std::int64_t>(tuning::max_survey_blocks, blocks_for(n, survey_threads));
  ScratchFrame frame(scratch);
  const View<SurveyResult<Real>> results = frame.array<SurveyResult<Real>>(tuning::max_survey_blocks);
  launch<survey_threads>(queue, blocks * survey_threads, survey_points<Real>, survey, results.data);
}

/// Sorts any number of points by several kernels into memory that has room for them.
template <class Real>
void sort_many_points(Scratch& scratch, const PointSort<Real>& sort, SortedMemory<Real>& memory) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = sort.points.count();
  ScratchFrame frame(scratch);
  const View<std::uint32_t> cell = frame.array<std::uint32_t>(n);
  const View<std::uint32_t> sorted_cell = frame.array<std::uint32_t>(n);
  const View<std::int32_t> number = frame.array<std::int32_t>(n);
  const View<PackedPoint<Real>> packed = frame.array<PackedPoint<Real>>(n);
  launch(queue, n, find_cells<Real>, sort.grid, PointReader<Real>(sort.points), n, sort.needed, cell.data, number.data,
         packed.data);
  // The sort always runs: nothing reads its result if the keys were not written.
  if (n > 0)
    sort_pairs<std::uint32_t, std::int32_t>(scratch, {cell, number}, {sorted_cell, memory.order.view()},
                                            std::bit_width(static_cast<std::uint64_t>(sort.max_cells)));
  launch(queue, n, order_points<Real>, packed.data, sort.limits.data, memory.order.data(), n, sort.needed,
         memory.packed.data(), memory.limits.data());
  const std::int64_t max_start_blocks = std::int64_t{tuning::start_blocks} * multiprocessors(queue);
  const std::int64_t start_blocks =
      sort.is_source ? std::min(max_start_blocks, sort.max_cells / tuning::start_chunk + 1) : 0;
  launch<start_threads>(queue, start_blocks * start_threads, find_starts<Real>, sort.grid, sorted_cell.data, n,
                        sort.needed, memory.packed_start.data());
}

template <class Real>
SortedPoints<Real> sort_points(Scratch& scratch, const PointSort<Real>& sort, SortedMemory<Real>& memory) {
  const std::int64_t n = sort.points.count();
  memory.order.resize(n);
  memory.packed.resize(n + SortedPoints<Real>::read_past_end);
  if (sort.is_source) memory.packed_start.resize(sort.max_cells + 2);
  if (!sort.limits.empty()) memory.limits.resize(n + SortedPoints<Real>::read_past_end);
  few_points::takes(sort) ? few_points::sort(scratch.queue(), sort, memory) : sort_many_points(scratch, sort, memory);
  SortedPoints<Real> sorted;
  sorted.packed = memory.packed.data();
  sorted.packed_start = sort.is_source ? memory.packed_start.data() : nullptr;
  sorted.order = memory.order.data();
  sorted.limits = sort.limits.empty() ? nullptr : memory.limits.data();
  sorted.count = n;
  return sorted;
}

}  // namespace

template <class Real>
const SearchBackend<Real> SearchBackend<Real>::cuda = {.survey = neighbors::survey<Real>,
                                                       .sort_points = neighbors::sort_points<Real>};
template const SearchBackend<float> SearchBackend<float>::cuda;
template const SearchBackend<double> SearchBackend<double>::cuda;

}  // namespace shoal::neighbors
