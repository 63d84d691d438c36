// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <cstdint>
#include <span>

#include "core/memory/scratch.hpp"
#include "core/method_table.hpp"

namespace shoal {

/// What a method may keep from sort to sort: its last result. Empty at first; other methods leave it alone.
struct CellMemory {
  explicit CellMemory(const Queue& queue) : cell_of_point(queue, 0), order(queue, 0), cell_start(queue, 0) {}

  Array<std::uint32_t> cell_of_point;
  Array<std::int32_t> order;
  Array<std::int64_t> cell_start;

  std::int64_t bytes() const { return cell_of_point.bytes() + order.bytes() + cell_start.bytes(); }
};

/// What a method of `cells` is given. Points are sorted by cell, then by number; cell number `cell_count` is the bucket
/// of points without a cell. There is at least one point. All views are contiguous, on the device of the queue.
struct CellSort {
  Scratch& scratch;
  View<const std::uint32_t> cell_of_point;  ///< [n], each at most cell_count
  std::int64_t cell_count = 0;
  View<std::int64_t> cell_start;  ///< out, [cell_count + 2]: the offsets of all cells and the bucket, then n
  View<std::int32_t> order;       ///< out, [n]
  CellMemory& memory;

  const Queue& queue() const { return scratch.queue(); }
  std::int64_t point_count() const { return cell_of_point.count; }
};

struct CellsMethod : MethodEntry {
  void (*run)(const CellSort&);
};

/// The table, best first for each device.
std::span<const CellsMethod> cells_rows();
std::vector<MethodInfo> cells_methods();

/// The row that `auto` takes on this queue.
const CellsMethod& auto_cells_method(const Queue& queue);

/// A plan that sorts points whose cells are known: the part of `Cells` that other operations use.
///
/// On CUDA nothing waits, and a second call with the same sizes allocates nothing, so it can be captured in a graph.
class CellSorter {
 public:
  /// @throws Error  there is no such method on this device
  explicit CellSorter(const Queue& queue, std::string_view method = "auto");

  /// @param cell_of_point  [n] contiguous, on the queue's device, each at most cell_count; read until the sort has run
  void sort(View<const std::uint32_t> cell_of_point, std::int64_t cell_count);

  View<const std::int64_t> cell_start() const { return cell_start_; }  ///< [cell_count + 2]
  View<const std::int32_t> order() const { return order_; }            ///< [n]
  std::int64_t bytes() const { return scratch_.bytes() + cell_start_.bytes() + order_.bytes() + memory_.bytes(); }
  MethodInfo method() const { return method_info("cells", *method_); }

 private:
  Scratch scratch_;
  const CellsMethod* method_;
  Array<std::int64_t> cell_start_;
  Array<std::int32_t> order_;
  CellMemory memory_;
};

}  // namespace shoal
