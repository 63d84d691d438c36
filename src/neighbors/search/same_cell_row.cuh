// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

namespace shoal::neighbors {

/// Returns true if the destinations with sorted indices k to k + count - 1 lie in one row of cells along x. They then
/// visit the same rows of cells.
template <int count, class Real>
__device__ __forceinline__ bool in_same_cell_row(const NeighborPairs<Real>& pairs, std::int64_t k) {
  const Position<Real> first = pairs.destinations.position(k);
  const Position<Real> last = pairs.destinations.position(k + count - 1);
  const CellFormula<Real>& cells = pairs.grid->cells;
  return pairs.has_cell(last) && cells.axes[1].cell(first.y) == cells.axes[1].cell(last.y) &&
         cells.axes[2].cell(first.z) == cells.axes[2].cell(last.z);
}

}  // namespace shoal::neighbors
