// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

namespace shoal {

/// Whether `count` places that follow each other look through the same rows of cells.
template <int count, class Real>
__device__ __forceinline__ bool share_rows(const NeighborPairs<Real>& pairs, std::int64_t k) {
  const Position<Real> a = pairs.destinations.at(k);
  const Position<Real> b = pairs.destinations.at(k + count - 1);
  const CellFormula<Real>& cells = pairs.grid->cells;
  return pairs.has_cell(b) && cells.axes[1].cell(a.y) == cells.axes[1].cell(b.y) &&
         cells.axes[2].cell(a.z) == cells.axes[2].cell(b.z);
}

}  // namespace shoal
