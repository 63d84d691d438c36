// SPDX-License-Identifier: Apache-2.0
#include "cells/cell_sort.hpp"
#include "cells/methods/methods.hpp"

namespace shoal {

namespace {

/// The rule behind "auto"; docs/cells.md has the timings. Two threads do not make up for the second pass of `counting`
/// over the points, sixteen do by far; in between nothing was measured.
std::string_view choose(std::string_view method, const Queue& queue) {
  constexpr int enough_threads = 4;
  return method == "auto" && queue.on_cpu() && queue.threads() < enough_threads ? "serial" : method;
}

}  // namespace

std::span<const CellsMethod> cells_rows() {
  // `auto` takes the first row of the device, but for few threads: see choose().
  static const CellsMethod rows[] = {
#ifdef SHOAL_CUDA
      cells_radix_cuda,   cells_counting_cuda,
#endif
      cells_counting_cpu, cells_serial,        cells_resort_cpu,
  };
  return rows;
}

std::vector<MethodInfo> cells_methods() { return method_infos("cells", cells_rows()); }

const CellsMethod& auto_cells_method(const Queue& queue) {
  return find_method("cells", cells_rows(), choose("auto", queue), queue.device().kind);
}

CellSorter::CellSorter(const Queue& queue, std::string_view method)
    : scratch_(queue),
      method_(&find_method("cells", cells_rows(), choose(method, queue), queue.device().kind)),
      cell_start_(queue, 0),
      order_(queue, 0),
      memory_(queue) {}

void CellSorter::sort(View<const std::uint32_t> cell_of_point, std::int64_t cell_count) {
  cell_start_.resize(cell_count + 2);
  order_.resize(cell_of_point.count);
  if (cell_of_point.empty())
    fill_bytes(scratch_.queue(), cell_start_.data(), 0,
               static_cast<std::size_t>(cell_count + 2) * sizeof(std::int64_t));
  else
    method_->run({scratch_, cell_of_point, cell_count, cell_start_, order_, memory_});
}

}  // namespace shoal
