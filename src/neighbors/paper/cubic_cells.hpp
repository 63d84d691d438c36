// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/search/search_grid.hpp"

/// Cells of the paper: at least as long as the radius on every axis, so that the neighbors of a point are in its cell
/// and the adjacent cells.
namespace shoal::neighbors {

/// Returns the grid of a search with cells that are at least as long as the radius along x too.
/// @param period  m, period of the x axis if it is periodic
template <class Real>
SearchGrid<Real> with_cubic_cells(const SearchGrid<Real>& grid, double period) {
  // Cells are long enough in y and z. The smallest edge in x follows from the argument in search_grid.hpp; the slack is
  // twice its margin.
  const double radius = std::sqrt(static_cast<double>(grid.max_limit)) * (1 + (sizeof(Real) == 4 ? 0x1p-23 : 0x1p-52));
  const double min_edge = radius + static_cast<double>(grid.slack[0]) / 2;
  const CellAxis<Real>& fine = grid.cells.axes[0];
  const double length = fine.periodic ? period : static_cast<double>(grid.edge[0]) * fine.cells;
  if (static_cast<double>(grid.edge[0]) >= min_edge) return grid;

  SearchGrid<Real> cubes = grid;
  CellAxis<Real>& along = cubes.cells.axes[0];
  const double count = length / min_edge;
  along.cells = std::max(1, static_cast<std::int32_t>(fine.periodic ? std::floor(count) : std::ceil(count)));
  const double edge = fine.periodic ? length / along.cells : min_edge;
  along.inverse_spacing = static_cast<Real>(1 / edge);
  cubes.edge[0] = static_cast<Real>(edge);
  return cubes;
}

/// Cell of a point and its adjacent cells: 3, 9 or 27 slots in 1, 2 or 3 dimensions. Slots outside the grid are empty;
/// no cell occurs twice.
template <class Real>
class AdjacentCells {
 public:
  SHOAL_HD AdjacentCells(const SearchGrid<Real>& cubes, const Position<Real>& position)
      : cells_(cubes.cells), x_(cubes, 0, position.x), y_(cubes, 1, position.y), z_(cubes, 2, position.z) {}

  SHOAL_HD static int slots(int dimensions) { return dimensions == 1 ? 3 : dimensions == 2 ? 9 : 27; }

  /// Returns the cell of a slot; -1 for an empty slot.
  SHOAL_HD std::int64_t cell(int slot) const {
    const int ix = slot % 3;
    const int iy = slot / 3 % 3;
    const int iz = slot / 9;
    if (ix >= x_.count() || iy >= y_.count() || iz >= z_.count()) return -1;
    return cells_.number(x_.cell(ix), y_.cell(iy), z_.cell(iz));
  }

 private:
  const CellFormula<Real>& cells_;
  AxisReach<Real> x_, y_, z_;
};

}  // namespace shoal::neighbors
