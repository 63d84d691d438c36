// SPDX-License-Identifier: Apache-2.0
// Cells of fixed-point positions, and the rows of cells that hold a particle's neighbors.
#pragma once
#include "sph/parameters.hpp"
#include "sph/state.hpp"

namespace shoal::sph {

/// A particle's neighbors lie in this many rows of three cells, each row contiguous in the order of the cells.
template <int dimensions>
constexpr int neighbor_rows = dimensions == 2 ? 3 : 9;

/// The cell of a place, x fastest; cell_count for a place outside the domain, as the outermost ring is.
template <class Real, int dimensions>
SHOAL_HD std::uint32_t cell_of(const Parameters<Real, dimensions>& parameters, const Place<Real, dimensions>& place) {
  std::uint32_t cell = 0;
  bool inside = true;
  for (int axis = dimensions - 1; axis >= 0; --axis) {
    const auto along = static_cast<std::int64_t>(place.x[axis] >> parameters.bits);
    inside = inside && along >= 1 && along <= parameters.cells[axis] - 2;
    cell = cell * static_cast<std::uint32_t>(parameters.cells[axis]) + static_cast<std::uint32_t>(along);
  }
  return inside ? cell : parameters.cell_count;
}

/// The first of the three cells of row `row` around a cell inside the domain.
template <class Real, int dimensions>
SHOAL_HD std::uint32_t row_of(const Parameters<Real, dimensions>& parameters, std::uint32_t cell, int row) {
  const std::int64_t along_x = parameters.cells[0];
  std::int64_t first = static_cast<std::int64_t>(cell) - 1 + (row % 3 - 1) * along_x;
  if constexpr (dimensions == 3) first += (row / 3 - 1) * along_x * parameters.cells[1];
  return static_cast<std::uint32_t>(first);
}

}  // namespace shoal::sph
