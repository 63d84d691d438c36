// SPDX-License-Identifier: Apache-2.0
// serial: a textbook counting sort; the reference for all other methods.
//
// idea           each cell's first position is the number of points in the cells before it
// source         textbook
// memory         one offset per cell
// atomics        none
// deterministic  yes: points are placed in the order of their numbers
// wins when      there are few points
// loses when     there are many: one thread, and a cache miss per point if points are in random order
// deviations     none
#include <algorithm>

#include "cells/methods/methods.hpp"

namespace shoal::cells {

namespace {

void run(const CellSort& sort) {
  std::int64_t* start = sort.cell_start.data;
  std::fill_n(start, sort.cell_count + 2, 0);
  for (std::int64_t i = 0; i < sort.point_count(); ++i) ++start[sort.cell_of_point.data[i] + 1];
  for (std::int64_t cell = 0; cell <= sort.cell_count; ++cell) start[cell + 1] += start[cell];
  ScratchFrame frame(sort.scratch);
  std::int64_t* next = frame.array<std::int64_t>(sort.cell_count + 1).data;
  std::copy_n(start, sort.cell_count + 1, next);
  for (std::int64_t i = 0; i < sort.point_count(); ++i)
    sort.order.data[next[sort.cell_of_point.data[i]]++] = static_cast<std::int32_t>(i);
}

}  // namespace

const CellsMethod serial{{"serial", DeviceKind::cpu, true, "textbook counting sort"}, run};

}  // namespace shoal::cells
