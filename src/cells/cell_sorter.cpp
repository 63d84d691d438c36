// SPDX-License-Identifier: Apache-2.0
#include "cells/cell_sorter.hpp"

namespace shoal::cells {

CellSorter::CellSorter(const Queue& queue, std::string_view method)
    : scratch_(queue),
      name_(method),
      method_(&find_cells_method(name_, queue, 0)),
      cell_start_(queue, 0),
      order_(queue, 0),
      previous_(queue) {}

void CellSorter::sort(View<const std::uint32_t> cell_of_point, std::int64_t cell_count) {
  method_ = &find_cells_method(name_, scratch_.queue(), cell_of_point.count);
  cell_start_.resize(cell_count + 2);
  order_.resize(cell_of_point.count);
  if (cell_of_point.empty())
    fill_bytes(scratch_.queue(), cell_start_.data(), 0,
               static_cast<std::size_t>(cell_count + 2) * sizeof(std::int64_t));
  else
    method_->run({scratch_, cell_of_point, cell_count, cell_start_, order_, previous_});
}

}  // namespace shoal::cells
