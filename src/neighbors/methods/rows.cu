// SPDX-License-Identifier: Apache-2.0
// rows: looks through the cells around each point, three cells of a row at a time.
//
// idea           sort the sources by cell, x fastest, so that three cells in a row are one run of memory. Count: one
//                thread a destination tests the nine runs (three in 2-D) around it. Add up. Fill: one warp a
//                destination tests 32 sources at a time, gathers those that are near in shared memory, ranks them (an
//                element's place is the number of smaller ones) and writes its row in one go. Rows with more than
//                `most_to_rank` elements are sorted by a block each
// source         Green (2010), "Particle simulation using CUDA"; rows as in DualSPHysics, Dominguez et al. (2013)
// memory         16 (float) or 32 (double) bytes a point; the list twice where a row has more than `most_to_rank`
// atomics        none
// deterministic  yes: the list does not depend on the order of the search
// wins when      there are more than some thousand points
// loses when     most points are within one radius: all pairs are tested, as they must be
// differs        exact list instead of a fixed number of neighbours; canonical order
#include <type_traits>

#include "cells/assign_cells.hpp"
#include "core/primitives.hpp"
#include "core/segment_sort.cuh"
#include "core/warp_peers.cuh"
#include "neighbors/methods/methods.hpp"

namespace shoal {

namespace {

constexpr int block_threads = 256;
constexpr int block_warps = block_threads / 32;
constexpr int most_to_rank = 512;

/// One load of 16 (float) or two of 16 bytes (double).
template <class Real>
struct alignas(16) SortedPoint {
  Position<Real> at;
  std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t> point;
};

/// Points in the order of their cells.
template <class Real>
struct SortedSet {
  const SortedPoint<Real>* points;
  const std::int64_t* cell_start;
  std::int64_t count;
};

template <class Real>
struct Rows {
  PairTest<Real> test;
  CellFormula<Real> formula;
  SortedSet<Real> sources;
  SortedSet<Real> destinations;
  bool excludes_self;

  __device__ bool has_cell(const Position<Real>& at) const {
    return formula.fault(at.x, at.y, at.z) == formula.dimensions;
  }
};

template <class Real>
__global__ void sort_points(PointReader<Real> points, int dimensions, const std::int32_t* order, std::int64_t n,
                            SortedPoint<Real>* sorted) {
  const std::int64_t k = thread_index();
  if (k >= n) return;
  const std::int32_t i = order[k];
  sorted[k] = {{points.at_x(i), points.at_y(i), points.at_z(i, dimensions)}, i};
}

/// Number of neighbours of each destination, by its number.
template <bool periodic, class Real>
__global__ void __launch_bounds__(block_threads) count_neighbors(Rows<Real> rows, std::int64_t* count) {
  const std::int64_t k = thread_index();
  if (k >= rows.destinations.count) return;
  const SortedPoint<Real> destination = rows.destinations.points[k];
  int found = 0;
  if (rows.has_cell(destination.at)) {
    const Stencil<Real> stencil(rows.formula, destination.at);
    for (int r = 0; r < stencil.runs(); ++r) {
      const CellRun cells = stencil.run(r);
      const std::int64_t end = rows.sources.cell_start[cells.end];
      for (std::int64_t j = rows.sources.cell_start[cells.begin]; j < end; ++j)
        found += rows.test.template near<periodic>(destination.at, rows.sources.points[j].at) ? 1 : 0;
    }
    if (rows.excludes_self) --found;  // it is always found: d = 0
  }
  count[destination.point] = found;
}

/// Hands the neighbours of destination k, found by all threads of a warp, to `keep(place in the row, source)`.
template <bool periodic, class Real, class Keep>
__device__ int visit_neighbors(const Rows<Real>& rows, std::int64_t k, const Position<Real>& at, Keep&& keep) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const Stencil<Real> stencil(rows.formula, at);
  int found = 0;
  for (int r = 0; r < stencil.runs(); ++r) {
    const CellRun cells = stencil.run(r);
    const std::int64_t end = rows.sources.cell_start[cells.end];
    for (std::int64_t first = rows.sources.cell_start[cells.begin]; first < end; first += 32) {
      const std::int64_t j = first + lane;
      bool near = false;
      std::int32_t source = 0;
      if (j < end && !(rows.excludes_self && j == k)) {
        const SortedPoint<Real> candidate = rows.sources.points[j];
        near = rows.test.template near<periodic>(at, candidate.at);
        source = static_cast<std::int32_t>(candidate.point);
      }
      const unsigned nearby = __ballot_sync(whole_warp, near);
      if (near) keep(found + __popc(nearby & ((1u << lane) - 1)), source);
      found += __popc(nearby);
    }
  }
  return found;
}

/// Writes the rows of the list, a warp each: short ones in order into `indices`, long ones as found into `unsorted`.
template <bool periodic, class Real>
__global__ void __launch_bounds__(block_threads)
    fill_neighbors(Rows<Real> rows, const std::int64_t* offsets, std::int32_t* indices, std::int32_t* unsorted) {
  __shared__ std::int32_t row_of_warp[block_warps][most_to_rank];
  const std::int64_t k = thread_index() / 32;
  if (k >= rows.destinations.count) return;
  const SortedPoint<Real> destination = rows.destinations.points[k];
  const std::int64_t begin = offsets[destination.point];
  const std::int64_t count = offsets[destination.point + 1] - begin;
  if (count == 0) return;
  if (count > most_to_rank) {
    visit_neighbors<periodic>(rows, k, destination.at,
                              [=](int place, std::int32_t source) { unsorted[begin + place] = source; });
    return;
  }
  std::int32_t* row = row_of_warp[threadIdx.x / 32];
  const int found =
      visit_neighbors<periodic>(rows, k, destination.at, [=](int place, std::int32_t source) { row[place] = source; });
  __syncwarp();
  for (int i = static_cast<int>(threadIdx.x % 32); i < found; i += 32) {
    const std::int32_t source = row[i];
    int lower = 0;
    for (int j = 0; j < found; ++j) lower += row[j] < source;
    indices[begin + lower] = source;
  }
}

template <class Real>
SortedSet<Real> sort_set(const NeighborSearch<Real>& search, ScratchFrame& frame, const SearchSet<Real>& set) {
  set.sorter.sort(set.cell_of_point, search.formula.cell_count());
  const View<const std::int32_t> order = set.sorter.order();
  const View<SortedPoint<Real>> sorted = frame.array<SortedPoint<Real>>(order.count);
  launch(search.queue(), order.count, sort_points<Real>, PointReader<Real>(set.points), search.formula.dimensions,
         order.data, order.count, sorted.data);
  return {sorted.data, set.sorter.cell_start().data, order.count};
}

struct RowLengths {
  std::int64_t total;
  std::int64_t longest;
};

/// Turns the counts in `offsets` into offsets, and reads back what the host must know. Waits for the queue.
RowLengths counts_to_offsets(Scratch& scratch, View<std::int64_t> offsets) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = offsets.count - 1;
  const View<const std::int64_t> counts(offsets.data, n, offsets.device);
  ScratchFrame frame(scratch);
  const View<std::int64_t> lengths = frame.array<std::int64_t>(2);
  reduce(scratch, Reduction::max, counts, View<std::int64_t>(lengths.data + 1, 1, lengths.device));
  exclusive_scan(scratch, counts, offsets);
  copy_bytes(queue, lengths.data, queue.device(), offsets.data + n, queue.device(), sizeof(std::int64_t));
  RowLengths host{};
  copy_bytes(queue, &host, {}, lengths.data, queue.device(), sizeof host);
  return host;
}

template <bool periodic, class Real>
void search_rows(const NeighborSearch<Real>& search, const Rows<Real>& rows) {
  const Queue& queue = search.queue();
  const std::int64_t n = rows.destinations.count;
  const View<std::int64_t> offsets = search.list.offsets.view();
  launch<block_threads>(queue, n, count_neighbors<periodic, Real>, rows, offsets.data);
  const RowLengths lengths = counts_to_offsets(search.scratch, offsets);

  search.list.indices.resize(lengths.total);
  std::int32_t* indices = search.list.indices.data();
  const bool has_long_rows = lengths.longest > most_to_rank;
  ScratchFrame frame(search.scratch);
  std::int32_t* unsorted = frame.array<std::int32_t>(has_long_rows ? lengths.total : 0).data;
  launch<block_threads>(queue, n * 32, fill_neighbors<periodic, Real>, rows, offsets.data, indices, unsorted);
  if (has_long_rows)
    launch<segment_sort::threads>(queue, n * segment_sort::threads, segment_sort::sort_each, unsorted, indices,
                                  offsets.data, offsets.data + 1, most_to_rank + 1);
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  ScratchFrame frame(search.scratch);
  const SortedSet<Real> sources = sort_set(search, frame, search.sources);
  const SortedSet<Real> destinations = search.one_set ? sources : sort_set(search, frame, search.destinations);
  const Rows<Real> rows{search.test, search.formula, sources, destinations, search.excludes_self()};
  search.list.offsets.resize(destinations.count + 1);
  if (search.formula.periodic())
    search_rows<true>(search, rows);
  else
    search_rows<false>(search, rows);
}

}  // namespace

const NeighborsMethod neighbors_rows_cuda{
    {"rows", DeviceKind::cuda, true, "Green (2010); Dominguez et al. (2013)"}, run<float>, run<double>};

}  // namespace shoal
