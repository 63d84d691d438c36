// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/shapes/shape_stencil.hpp"

/// Cells whose particles reach given nodes with the shapes `tsc` and `pcs`: the stencil seen from the nodes.
namespace shoal::deposit {

/// Cells along one axis in ascending order: two ranges, of which the second is empty unless the cells cross a period.
struct CellsAround {
  std::int32_t begin[2] = {};
  std::int32_t end[2] = {};

  /// Calls visit(cell) for each cell.
  SHOAL_CALLS_ARGUMENT
  template <class Visit>
  SHOAL_HD void for_each(Visit&& visit) const {
    for (int part = 0; part < 2; ++part)
      for (std::int32_t cell = begin[part]; cell < end[part]; ++cell) visit(cell);
  }
};

/// Cells whose particles reach some of the nodes [first, first + count) of an axis, each once.
template <class Real>
SHOAL_HD CellsAround cells_around(const DepositAxis<Real>& axis, std::int32_t first, std::int32_t count) {
  const std::int32_t cells = axis.cell_count();
  const std::int32_t below = first - 2;
  const std::int32_t above = min(first + count, axis.node_count()) + 1;
  if (!axis.cells.periodic) return {{max(below, 0), 0}, {min(above, cells), 0}};
  if (above - below >= cells) return {{0, 0}, {cells, 0}};
  if (below < 0) return {{0, below + cells}, {above, cells}};
  if (above > cells) return {{0, below}, {above - cells, cells}};
  return {{below, 0}, {above, 0}};
}

/// Returns true if particles reach some nodes several times, because an axis is periodic and short.
template <class Real>
SHOAL_HD bool repeats_nodes(const DepositSpace<Real>& space) {
  for (const DepositAxis<Real>& axis : space.axes)
    if (axis.cells.periodic && axis.node_count() < 4) return true;
  return false;
}

/// Number i of a node c − 1 + i for a cell c whose particles reach it once; not in [0, 4) if they do not reach it.
template <class Real>
SHOAL_HD int slot_of(const DepositAxis<Real>& axis, std::int32_t node, std::int32_t cell) {
  const int slot = node - cell + 1;
  if (!axis.cells.periodic) return slot;
  if (slot < 0) return slot + axis.node_count();
  return slot < 4 ? slot : slot - axis.node_count();
}

}  // namespace shoal::deposit
