// SPDX-License-Identifier: Apache-2.0
// counting: a counting sort in two levels, for many threads.
//
// idea           the first level sorts points into runs of cells; each thread counts its part of the points, so the
//                sort is stable. The second level sorts each run, which fits a thread's cache, into its cells
// source         shoal; the two levels are a most-significant-digit radix sort
// memory         8 bytes per point; 1024 offsets and one run of cells per thread
// atomics        none
// deterministic  yes: stable in both levels, whatever the number of threads
// wins when      on a CPU with several cores, and for many points in random order on one
// loses when     nearly all points are in one run of cells: one thread then does the second level
// deviations     none
#include <omp.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "cells/methods/methods.hpp"
#include "cells/tuning.hpp"
#include "core/range.hpp"

namespace shoal::cells {

namespace {

/// Runs of 2^shift cells.
struct Runs {
  int shift = 0;
  std::int64_t count = 0;

  explicit Runs(std::int64_t cells) {
    while ((cells - 1) >> shift >= tuning::max_runs) ++shift;
    count = ((cells - 1) >> shift) + 1;
  }
  std::int64_t run_of(std::uint32_t cell) const { return cell >> shift; }
  Range cells(std::int64_t run, std::int64_t total) const {
    return {run << shift, std::min((run + 1) << shift, total)};
  }
};

/// Points of each run, in the order of their numbers.
struct SortedByRun {
  View<std::uint32_t> cell;  ///< [n]
  View<std::int32_t> point;  ///< [n]
  View<std::int64_t> start;  ///< [runs + 1]
};

void sort_by_run(const CellSort& sort, const Runs& runs, const SortedByRun& out) {
  const int parts = threads_for(sort.point_count(), sort.queue().threads());
  ScratchFrame frame(sort.scratch);
  const View<std::int64_t> next = frame.array<std::int64_t>(parts * runs.count);  // [part][run]
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    std::int64_t* count = next.data + part * runs.count;
    std::fill_n(count, runs.count, 0);
    const Range range = part_range(sort.point_count(), part, parts);
    for (std::int64_t i = range.begin; i < range.end; ++i) ++count[runs.run_of(sort.cell_of_point.data[i])];
  }
  std::int64_t start = 0;
  for (std::int64_t run = 0; run < runs.count; ++run) {
    out.start.data[run] = start;
    for (int part = 0; part < parts; ++part) start += std::exchange(next.data[part * runs.count + run], start);
  }
  out.start.data[runs.count] = start;
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    std::int64_t* next_of_run = next.data + part * runs.count;
    const Range range = part_range(sort.point_count(), part, parts);
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      const std::uint32_t cell = sort.cell_of_point.data[i];
      const std::int64_t position = next_of_run[runs.run_of(cell)]++;
      out.cell.data[position] = cell;
      out.point.data[position] = static_cast<std::int32_t>(i);
    }
  }
}

/// Sorts the points of one run into its cells and writes the offsets of the cells.
/// @param next  [cells of the run] scratch of this thread
void sort_run(const CellSort& sort, const SortedByRun& in, Range points, Range cells, std::int64_t* next) {
  std::fill_n(next, cells.count(), 0);
  for (std::int64_t k = points.begin; k < points.end; ++k) ++next[in.cell.data[k] - cells.begin];
  std::int64_t start = points.begin;
  for (std::int64_t cell = cells.begin; cell < cells.end; ++cell) {
    sort.cell_start.data[cell] = start;
    start += std::exchange(next[cell - cells.begin], start);
  }
  for (std::int64_t k = points.begin; k < points.end; ++k)
    sort.order.data[next[in.cell.data[k] - cells.begin]++] = in.point.data[k];
}

void run(const CellSort& sort) {
  const std::int64_t cells = sort.cell_count + 1;  // with the bucket
  const Runs runs(cells);
  ScratchFrame frame(sort.scratch);
  const SortedByRun by_run{frame.array<std::uint32_t>(sort.point_count()),
                           frame.array<std::int32_t>(sort.point_count()), frame.array<std::int64_t>(runs.count + 1)};
  sort_by_run(sort, runs, by_run);
  const std::int64_t longest = std::int64_t{1} << runs.shift;
  const int threads = threads_for(std::max(cells, sort.point_count()), sort.queue().threads());
  const View<std::int64_t> next = frame.array<std::int64_t>(threads * longest);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t i = 0; i < runs.count; ++i)
    sort_run(sort, by_run, {by_run.start.data[i], by_run.start.data[i + 1]}, runs.cells(i, cells),
             next.data + omp_get_thread_num() * longest);
  sort.cell_start.data[cells] = sort.point_count();
}

}  // namespace

const CellsMethod counting_cpu{{"counting", DeviceKind::cpu, true, "shoal"}, run};

}  // namespace shoal::cells
