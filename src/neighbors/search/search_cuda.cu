// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"
#include "core/primitives/primitives.hpp"
#include "core/primitives/sorted_keys.hpp"
#include "neighbors/search/search_backend.hpp"

namespace shoal::cuda {

namespace {

constexpr int survey_threads = 256;
constexpr int survey_warps = survey_threads / 32;
constexpr int most_survey_blocks = 1024;
constexpr int start_threads = 256;
constexpr int start_chunk = 1024;  ///< cells, where there are enough for all blocks
constexpr int most_start_blocks = 132 * 16;

/// Lane 0 gets what all lanes of the warp found.
template <class Real>
__device__ void add_across_warp(SurveyFinding<Real>& finding) {
  for (int width = 16; width > 0; width /= 2) {
    SurveyFinding<Real> other;
    for (int axis = 0; axis < 3; ++axis) {
      other.extent.lower[axis] = __shfl_down_sync(whole_warp, finding.extent.lower[axis], width);
      other.extent.upper[axis] = __shfl_down_sync(whole_warp, finding.extent.upper[axis], width);
    }
    other.largest_limit = __shfl_down_sync(whole_warp, finding.largest_limit, width);
    finding.add(other);
  }
}

/// Thread 0 gets what all threads of the block found.
template <class Real>
__device__ void add_across_block(SurveyFinding<Real>& finding) {
  // Shared memory takes no constructors.
  __shared__ alignas(SurveyFinding<Real>) unsigned char bytes[survey_warps * sizeof(SurveyFinding<Real>)];
  auto* of_warp = reinterpret_cast<SurveyFinding<Real>*>(bytes);
  add_across_warp(finding);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = finding;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int warp = 1; warp < survey_warps; ++warp) finding.add(of_warp[warp]);
  __syncthreads();
}

/// Every block looks at its share; the last one to finish adds up.
template <class Real>
__global__ void __launch_bounds__(survey_threads)
    survey_all(Survey<Real> of, SurveyFinding<Real>* found, unsigned* blocks_done) {
  __shared__ bool is_last;
  if (!is_needed(of.needed)) return;
  SurveyFinding<Real> finding;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * survey_threads;
  for (std::int64_t i = thread_index(); i < of.set.count; i += step)
    survey_point(of.space, of.rule, of.set, i, finding);
  add_across_block(finding);
  if (threadIdx.x == 0) {
    found[blockIdx.x] = finding;
    __threadfence();
    is_last = atomicAdd(blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  SurveyFinding<Real> total;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += survey_threads) total.add(found[block]);
  add_across_block(total);
  if (threadIdx.x == 0) of.finish(total);
}

/// The cell of each point, and the point in 16 or 32 bytes, so that the sort's random reads are one each.
template <class Real>
__global__ void find_cells(const SearchGrid<Real>* grid, cells::PointReader<Real> points, std::int64_t n,
                           const int* needed, std::uint32_t* cell, std::int32_t* number, PackedPoint<Real>* packed) {
  const std::int64_t i = thread_index();
  if (i >= n || !is_needed(needed)) return;
  const CellFormula<Real>& cells = grid->cells;
  const Position<Real> at{points.at_x(i), points.at_y(i, cells.dimensions), points.at_z(i, cells.dimensions)};
  cell[i] = cells.fault(at.x, at.y, at.z) == cells.dimensions ? cells.cell(at.x, at.y, at.z) : cells.cell_count();
  number[i] = static_cast<std::int32_t>(i);
  packed[i] = {at, static_cast<std::int32_t>(i)};
}

/// Brings the points into order.
template <class Real>
__global__ void order_points(const PackedPoint<Real>* packed, const Real* limits, const std::int32_t* order,
                             std::int64_t n, const int* needed, PackedPoint<Real>* sorted, Real* sorted_limits) {
  const std::int64_t k = thread_index();
  if (k >= n || !is_needed(needed)) return;
  const std::int32_t i = order[k];
  sorted[k] = packed[i];
  if (limits != nullptr) sorted_limits[k] = limits[i];
}

/// Where the points of each cell begin: a block looks for the first and last point of a chunk of cells, then each
/// thread for those of its cells in between, so that empty regions cost no search.
template <class Real>
__global__ void __launch_bounds__(start_threads) find_starts(const SearchGrid<Real>* grid, const std::uint32_t* sorted,
                                                             std::int64_t n, const int* needed, std::int32_t* start) {
  __shared__ std::int64_t bounds[2];
  if (!is_needed(needed)) return;
  const std::int64_t count = static_cast<std::int64_t>(grid->cells.cell_count()) + 2;
  const std::int64_t blocks = gridDim.x;
  const int chunk = count < blocks * start_chunk ? start_threads : start_chunk;
  for (std::int64_t first = blockIdx.x * std::int64_t{chunk}; first < count; first += blocks * chunk) {
    if (threadIdx.x < 2) bounds[threadIdx.x] = sorted_keys::count_below(sorted, 0, n, first + threadIdx.x * chunk);
    __syncthreads();
    const std::int64_t end = first + chunk < count ? first + chunk : count;
    for (std::int64_t cell = first + threadIdx.x; cell < end; cell += start_threads)
      start[cell] = static_cast<std::int32_t>(sorted_keys::count_below(sorted, bounds[0], bounds[1], cell));
    __syncthreads();
  }
}

}  // namespace

template <class Real>
void survey(Scratch& scratch, const Survey<Real>& of) {
  const std::int64_t n = std::max<std::int64_t>(1, of.set.count);
  const std::int64_t blocks = std::min<std::int64_t>(most_survey_blocks, blocks_for(n, survey_threads));
  ScratchFrame frame(scratch);
  const View<SurveyFinding<Real>> found = frame.array<SurveyFinding<Real>>(most_survey_blocks);
  const View<unsigned> blocks_done = frame.array<unsigned>(1);
  fill_bytes(scratch.queue(), blocks_done.data, 0, sizeof(unsigned));
  launch<survey_threads>(scratch.queue(), blocks * survey_threads, survey_all<Real>, of, found.data, blocks_done.data);
}

template <class Real>
SortedPoints<Real> sort_points(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t most_cells,
                               const Points<Real>& points, View<const Real> limits, bool is_source, const int* needed,
                               SortedMemory<Real>& memory) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = points.count();
  ScratchFrame frame(scratch);
  const View<std::uint32_t> cell = frame.array<std::uint32_t>(n);
  const View<std::uint32_t> sorted_cell = frame.array<std::uint32_t>(n);
  const View<std::int32_t> number = frame.array<std::int32_t>(n);
  const View<PackedPoint<Real>> packed = frame.array<PackedPoint<Real>>(n);
  memory.order.resize(n);
  memory.packed.resize(n + SortedPoints<Real>::read_past_end);
  if (is_source) memory.packed_start.resize(most_cells + 2);
  if (!limits.empty()) memory.limits.resize(n + SortedPoints<Real>::read_past_end);
  launch(queue, n, find_cells<Real>, grid, cells::PointReader<Real>(points), n, needed, cell.data, number.data,
         packed.data);
  // Runs in any case: what it makes of keys that were not written is read by nobody.
  if (n > 0)
    sort_pairs<std::uint32_t, std::int32_t>(scratch, {cell, number}, {sorted_cell, memory.order.view()},
                                            std::bit_width(static_cast<std::uint64_t>(most_cells)));
  launch(queue, n, order_points<Real>, packed.data, limits.data, memory.order.data(), n, needed, memory.packed.data(),
         memory.limits.data());
  const std::int64_t start_blocks =
      is_source ? std::min<std::int64_t>(most_start_blocks, most_cells / start_chunk + 1) : 0;
  launch<start_threads>(queue, start_blocks * start_threads, find_starts<Real>, grid, sorted_cell.data, n, needed,
                        memory.packed_start.data());
  SortedPoints<Real> sorted;
  sorted.packed = memory.packed.data();
  sorted.packed_start = is_source ? memory.packed_start.data() : nullptr;
  sorted.order = memory.order.data();
  sorted.limits = limits.empty() ? nullptr : memory.limits.data();
  sorted.count = n;
  return sorted;
}

template void survey(Scratch&, const Survey<float>&);
template void survey(Scratch&, const Survey<double>&);
template SortedPoints<float> sort_points(Scratch&, const SearchGrid<float>*, std::int64_t, const Points<float>&,
                                         View<const float>, bool, const int*, SortedMemory<float>&);
template SortedPoints<double> sort_points(Scratch&, const SearchGrid<double>*, std::int64_t, const Points<double>&,
                                          View<const double>, bool, const int*, SortedMemory<double>&);

}  // namespace shoal::cuda
