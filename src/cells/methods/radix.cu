// SPDX-License-Identifier: Apache-2.0
// radix: a radix sort of (cell, point).
//
// idea           CUB's stable radix sort of only the bits that cell numbers have; a binary search in the sorted cell
//                numbers gives the cells' offsets
// source         Adinets and Merrill (2022), "Onesweep", as implemented in CUB
// memory         16 bytes per point and CUB's temporary storage
// atomics        none on the results
// deterministic  yes: the sort is stable
// wins when      points come in any order and cells are few or full
// loses when     cell numbers have many bits: every 8 bits cost one pass over all pairs
// deviations     none
#include <bit>

#include "cells/methods/methods.hpp"
#include "core/cuda/launch.cuh"
#include "core/primitives/primitives.hpp"
#include "core/primitives/sorted_keys.hpp"

namespace shoal::cells {

namespace {

__global__ void number_points(std::int32_t* point, std::int64_t n) {
  const std::int64_t i = thread_index();
  if (i < n) point[i] = static_cast<std::int32_t>(i);
}

/// start[cell] = number of points in lower cells.
__global__ void find_starts(const std::uint32_t* sorted, std::int64_t n, std::int64_t* start, std::int64_t count) {
  const std::int64_t cell = thread_index();
  if (cell < count) start[cell] = sorted_keys::count_below(sorted, 0, n, cell);
}

void run(const CellSort& sort) {
  const std::int64_t n = sort.point_count();
  ScratchFrame frame(sort.scratch);
  const View<std::int32_t> point = frame.array<std::int32_t>(n);
  const View<std::uint32_t> sorted = frame.array<std::uint32_t>(n);
  launch(sort.queue(), n, number_points, point.data, n);
  const int bits = std::bit_width(static_cast<std::uint64_t>(sort.cell_count));
  sort_pairs<std::uint32_t, std::int32_t>(sort.scratch, {sort.cell_of_point, point}, {sorted, sort.order}, bits);
  launch(sort.queue(), sort.cell_start.count, find_starts, sorted.data, n, sort.cell_start.data, sort.cell_start.count);
}

}  // namespace

const CellsMethod radix_cuda{{"radix", DeviceKind::cuda, true, "Adinets and Merrill (2022), CUB"}, run};

}  // namespace shoal::cells
