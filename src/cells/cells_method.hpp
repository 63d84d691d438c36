// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <cstdint>
#include <span>

#include "core/memory/scratch.hpp"
#include "core/method_table.hpp"

namespace shoal::cells {

/// The result of the last sort, for a method that updates it; empty before the first sort.
struct PreviousSort {
  explicit PreviousSort(const Queue& queue) : cell_of_point(queue, 0), order(queue, 0), cell_start(queue, 0) {}

  Array<std::uint32_t> cell_of_point;
  Array<std::int32_t> order;
  Array<std::int64_t> cell_start;

  std::int64_t bytes() const { return cell_of_point.bytes() + order.bytes() + cell_start.bytes(); }
};

/// Input and output of a method of `cells`. A method sorts points by cell, then by number; cell number `cell_count` is
/// the bucket of points without a cell. There is at least one point. All views are contiguous and on the device of the
/// queue.
struct CellSort {
  Scratch& scratch;
  View<const std::uint32_t> cell_of_point;  ///< [n], each at most cell_count
  std::int64_t cell_count = 0;
  View<std::int64_t> cell_start;  ///< out, [cell_count + 2]: the offsets of all cells and of the bucket, then n
  View<std::int32_t> order;       ///< out, [n]
  PreviousSort& previous;         ///< only its method writes it

  const Queue& queue() const { return scratch.queue(); }
  std::int64_t point_count() const { return cell_of_point.count; }
};

struct CellsMethod : MethodEntry {
  void (*run)(const CellSort&);
};

/// Methods of `cells` in this build, in order of preference for each device.
std::span<const CellsMethod> cells_method_table();
std::vector<MethodInfo> cells_methods();

/// The entry of this name for the device of the queue; "auto" selects by the numbers of threads and points.
/// @throws Error  there is no such method on this device
const CellsMethod& find_cells_method(std::string_view name, const Queue& queue, std::int64_t points);

}  // namespace shoal::cells
