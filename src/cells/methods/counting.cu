// SPDX-License-Identifier: Apache-2.0
// counting: a counting sort with atomic counts; a sort within each cell makes the order canonical.
//
// idea           an atomic count per cell gives each point a rank; a scan gives the cells' offsets. Each point then
//                counts the lower point numbers in its cell, which is its position; a block sorts each full cell
// source         Green (2010), "Particle simulation using CUDA", for the counting sort; shoal for the canonical order
// memory         8 bytes per point, 4 bytes per cell
// atomics        one addition per warp and cell
// deterministic  yes: the sort within cells removes the effect of the order of atomics
// wins when      there are many cells with few points each
// loses when     a few cells hold most of the points: one block sorts each of them
// deviations     canonical order within cells; equal cells within a warp share one atomic addition
#include "cells/methods/methods.hpp"
#include "cells/tuning.hpp"
#include "core/cuda/segment_sort.cuh"
#include "core/cuda/warp_peers.cuh"
#include "core/primitives/primitives.hpp"

namespace shoal::cells {

namespace {

__global__ void rank_points(const std::uint32_t* cell_of_point, std::int64_t n, std::int32_t* count,
                            std::int32_t* rank) {
  constexpr std::uint32_t no_cell = 0xffffffffu;
  const std::int64_t i = thread_index();
  const std::uint32_t cell = i < n ? cell_of_point[i] : no_cell;
  const WarpPeers peers(cell);
  int before = 0;
  if (cell != no_cell && peers.leads()) before = atomicAdd(count + cell, peers.count());
  before = peers.from_leader(before);
  if (i < n) rank[i] = before + peers.rank();
}

__global__ void place_points(const std::uint32_t* cell_of_point, const std::int32_t* rank, std::int64_t n,
                             const std::int64_t* cell_start, std::int32_t* placed) {
  const std::int64_t i = thread_index();
  if (i < n) placed[cell_start[cell_of_point[i]] + rank[i]] = static_cast<std::int32_t>(i);
}

__global__ void order_within_cells(const std::int32_t* placed, const std::uint32_t* cell_of_point, std::int64_t n,
                                   const std::int64_t* cell_start, std::int32_t* order) {
  const std::int64_t k = thread_index();
  if (k >= n) return;
  const std::int32_t point = placed[k];
  const std::uint32_t cell = cell_of_point[point];
  const std::int64_t begin = cell_start[cell];
  const std::int64_t end = cell_start[cell + 1];
  if (end - begin > tuning::max_points_by_threads) return;
  std::int64_t lower = 0;
  for (std::int64_t j = begin; j < end; ++j) lower += placed[j] < point;
  order[begin + lower] = point;
}

/// Lists the cells that a block sorts, in any order.
__global__ void list_full_cells(const std::int64_t* cell_start, std::int64_t cells, int* listed, std::int64_t* begins,
                                std::int64_t* ends) {
  const std::int64_t cell = thread_index();
  if (cell >= cells || cell_start[cell + 1] - cell_start[cell] <= tuning::max_points_by_threads) return;
  const int slot = atomicAdd(listed, 1);
  begins[slot] = cell_start[cell];
  ends[slot] = cell_start[cell + 1];
}

void order_full_cells(const CellSort& sort, View<std::int32_t> placed) {
  const std::int64_t most = sort.point_count() / (tuning::max_points_by_threads + 1);  // greatest number of such cells
  if (most == 0) return;
  const Queue& queue = sort.queue();
  ScratchFrame frame(sort.scratch);
  const View<int> listed = frame.array<int>(1);
  const View<std::int64_t> bounds = frame.array<std::int64_t>(2 * most);
  std::int64_t* ends = bounds.data + most;
  fill_bytes(queue, listed.data, 0, sizeof(int));
  fill_bytes(queue, bounds.data, 0, static_cast<std::size_t>(bounds.count) * sizeof(std::int64_t));
  const std::int64_t cells = sort.cell_count + 1;
  launch(queue, cells, list_full_cells, sort.cell_start.data, cells, listed.data, bounds.data, ends);
  launch<segment_sort::threads>(queue, most * segment_sort::threads, segment_sort::sort_each, placed.data,
                                sort.order.data, bounds.data, ends, tuning::max_points_by_threads + 1);
}

void run(const CellSort& sort) {
  const Queue& queue = sort.queue();
  const std::int64_t n = sort.point_count();
  const std::int64_t cells = sort.cell_count + 1;  // with the bucket
  ScratchFrame frame(sort.scratch);
  const View<std::int32_t> count = frame.array<std::int32_t>(cells);
  const View<std::int32_t> rank = frame.array<std::int32_t>(n);
  const View<std::int32_t> placed = frame.array<std::int32_t>(n);
  fill_bytes(queue, count.data, 0, static_cast<std::size_t>(cells) * sizeof(std::int32_t));
  launch(queue, n, rank_points, sort.cell_of_point.data, n, count.data, rank.data);
  exclusive_scan<std::int32_t>(sort.scratch, count, sort.cell_start);
  launch(queue, n, place_points, sort.cell_of_point.data, rank.data, n, sort.cell_start.data, placed.data);
  launch(queue, n, order_within_cells, placed.data, sort.cell_of_point.data, n, sort.cell_start.data, sort.order.data);
  order_full_cells(sort, placed);
}

}  // namespace

const CellsMethod counting_cuda{{"counting", DeviceKind::cuda, true, "Green (2010)"}, run};

}  // namespace shoal::cells
