// SPDX-License-Identifier: Apache-2.0
// Runs of cells around a place, without the cells that are farther than a distance from it. Most cells of the rows at the corners
// of a support are farther than the support.
#pragma once
#include <cmath>

#include "sph/physics/cells/cell_order_item.hpp"

namespace shoal::sph {

/// Width of a cell along an axis in units of the lattice. The last cell of a periodic axis is wider.
template <class Real, int dimensions>
SHOAL_HD Coordinate<Real> cell_width(const Parameters<Real, dimensions>& parameters, int axis) {
  return Coordinate<Real>{1} << (parameters.bits - (axis == 0 ? parameters.slice_bits : 0));
}

template <class Real, int dimensions>
SHOAL_HD bool is_periodic(const Parameters<Real, dimensions>& parameters) {
  bool repeats = false;
  for (int axis = 0; axis < dimensions; ++axis) repeats |= parameters.period[axis] != 0;
  return repeats;
}

/// Way from a position to the cells `offset` beside its own one along an axis, in units of the lattice; at most that.
template <class Real, int dimensions>
SHOAL_HD float way_to_cells(const Parameters<Real, dimensions>& parameters,
                            const PositionDensity<Real, dimensions>& position, int axis, int offset) {
  const Coordinate<Real> width = cell_width(parameters, axis);
  const auto along = static_cast<Coordinate<Real>>(cell_along(parameters, position, axis));
  const Coordinate<Real> inside = position.x[axis] - along * width;
  if (offset == 0) return 0;
  return static_cast<float>(offset < 0 ? inside : max(width - inside, Coordinate<Real>{0}));
}

/// Square of the way from a position to row `row` around its cell, across the row; at most that. Layers of ranks, which may not
/// be those of the position, count as near.
template <class Real, int dimensions>
SHOAL_HD float squared_way_to_row(const Parameters<Real, dimensions>& parameters,
                                  const PositionDensity<Real, dimensions>& position, int row) {
  float squared = 0;
  for (int axis = 1; axis < dimensions; ++axis) {
    if (parameters.slab.is_part && axis == dimensions - 1) continue;
    const float way = way_to_cells(parameters, position, axis, row_offset<dimensions>(row, axis));
    squared = fma(way, way, squared);
  }
  return squared;
}

/// A distance and more than the roundings of the ways to cells.
template <class Real, int dimensions>
SHOAL_HD float rounded_up(const Parameters<Real, dimensions>& parameters, float distance) {
  constexpr float share = 1e-5f;
  return distance + share * static_cast<float>(Coordinate<Real>{1} << parameters.bits);
}

/// Part of run `run` around the cell of a position that has all particles within a distance of the position.
/// @param distance  units of the lattice
template <class Physics, class Real, int dimensions>
SHOAL_HD CellRun run_within(LinearCells, const Parameters<Real, dimensions>& parameters,
                            const PositionDensity<Real, dimensions>& position, std::uint32_t cell, int run,
                            float distance) {
  using Open = PlainPhysics<Kernel::wendland_c2>;  // run_of() divides to find the sides of a periodic domain
  CellRun cells = is_periodic(parameters) ? LinearCells::run_of<Physics>(parameters, cell, run)
                                          : LinearCells::run_of<Open>(parameters, cell, run);
  if constexpr (dimensions > 1) {
    const float reach = rounded_up(parameters, distance);
    const float left = reach * reach - squared_way_to_row(parameters, position, run % neighbor_rows<dimensions>);
    if (!(left > 0)) return {cells.first, cells.first};
    if (parameters.period[0]) return cells;
    const int most = cells_of_support(parameters, 0);
    const auto needed = [&](int offset) {
      const float beyond = std::sqrt(left) - way_to_cells(parameters, position, 0, offset);
      const float width = static_cast<float>(cell_width(parameters, 0));
      return min(max(static_cast<int>(std::ceil(beyond / width)), 0), most);
    };
    cells.first += static_cast<std::uint32_t>(most - needed(-1));
    cells.end -= static_cast<std::uint32_t>(most - needed(1));
  }
  return cells;
}

/// The same in Z-order, where each cell is a run: it is the whole run or nothing of it.
template <class Physics, class Real, int dimensions>
SHOAL_HD CellRun run_within(ZOrderCells, const Parameters<Real, dimensions>& parameters,
                            const PositionDensity<Real, dimensions>& position, std::uint32_t cell, int run,
                            float distance) {
  CellRun cells = ZOrderCells::run_of<Physics>(parameters, cell, run);
  if constexpr (dimensions > 1) {
    const int of_row = ZOrderCells::run_count<Physics>(parameters) / neighbor_rows<dimensions>;
    const float reach = rounded_up(parameters, distance);
    const float along = way_to_cells(parameters, position, 0, run % of_row - 1);
    const float squared = squared_way_to_row(parameters, position, run / of_row);
    if (!(fma(along, along, squared) < reach * reach)) cells.end = cells.first;
  }
  return cells;
}

}  // namespace shoal::sph
