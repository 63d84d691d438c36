// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/search/search_grid.hpp"

/// The cells of the paper: as large as the radius on every axis, so that the neighbors of a point are in its own cell
/// and in those next to it.
namespace shoal {

/// The grid of a search with cells of at least the radius along x, too.
/// @param period  m, of the x axis if that is periodic
template <class Real>
SearchGrid<Real> with_cubes(const SearchGrid<Real>& grid, double period) {
  // y and z have such cells already; search_grid.hpp has the argument for the least edge, and the slack is twice its
  // margin.
  const double radius =
      std::sqrt(static_cast<double>(grid.largest_limit)) * (1 + (sizeof(Real) == 4 ? 0x1p-23 : 0x1p-52));
  const double smallest = radius + static_cast<double>(grid.slack[0]) / 2;
  const CellAxis<Real>& fine = grid.cells.axes[0];
  const double length = fine.periodic ? period : static_cast<double>(grid.edge[0]) * fine.cells;
  if (static_cast<double>(grid.edge[0]) >= smallest) return grid;

  SearchGrid<Real> cubes = grid;
  CellAxis<Real>& along = cubes.cells.axes[0];
  const double count = length / smallest;
  along.cells = std::max(1, static_cast<std::int32_t>(fine.periodic ? std::floor(count) : std::ceil(count)));
  const double edge = fine.periodic ? length / along.cells : smallest;
  along.inverse_spacing = static_cast<Real>(1 / edge);
  cubes.edge[0] = static_cast<Real>(edge);
  return cubes;
}

/// The cells around a point: 3, 9 or 27 slots, by dimensions, of which those outside the grid are empty. No cell comes
/// twice.
template <class Real>
class AdjacentCells {
 public:
  SHOAL_HD AdjacentCells(const SearchGrid<Real>& cubes, const Position<Real>& at)
      : cells_(cubes.cells), x_(cubes, 0, at.x), y_(cubes, 1, at.y), z_(cubes, 2, at.z) {}

  SHOAL_HD static int slots(int dimensions) { return dimensions == 1 ? 3 : dimensions == 2 ? 9 : 27; }

  /// The cell of a slot; -1 if there is none.
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

}  // namespace shoal
