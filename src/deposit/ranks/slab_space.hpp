// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/deposit_item.hpp>

#include "core/range.hpp"

namespace shoal::deposit {

/// Axis of the layers that ranks share out: the slowest one.
template <class Real>
int slab_axis(const DepositSpace<Real>& space) {
  return space.dimensions - 1;
}

/// Number of cells of a layer.
template <class Real>
std::int64_t cells_of_layer(const DepositSpace<Real>& space) {
  return space.cell_count() / space.axes[slab_axis(space)].cell_count();
}

/// Number of nodes of a plane between layers.
template <class Real>
std::int64_t nodes_of_plane(const DepositSpace<Real>& space) {
  return space.node_count() / space.axes[slab_axis(space)].node_count();
}

/// Some layers of a grid, numbered from 0, as methods read them. Positions of particles must come from the grid itself:
/// a slab's own origin would round them differently.
template <class Real>
DepositSpace<Real> slab_space(DepositSpace<Real> grid, Range layers) {
  DepositAxis<Real>& axis = grid.axes[slab_axis(grid)];
  if (layers.count() == axis.cell_count()) return grid;
  const std::int64_t first_cell = layers.begin * cells_of_layer(grid);
  axis.cells.cells = static_cast<std::int32_t>(layers.count());
  axis.cells.periodic = false;
  if (axis.nodes != nullptr) {
    axis.nodes += layers.begin;
    axis.inverse_widths += layers.begin;
  }
  if (grid.blocked != nullptr) grid.blocked += first_cell;
  if (grid.open_corners != nullptr) grid.open_corners += first_cell;
  return grid;
}

}  // namespace shoal::deposit
