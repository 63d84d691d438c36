// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_map>
#include <vector>

#include "neighbors/cubes.hpp"
#include "neighbors/unsorted_pairs.hpp"

namespace shoal {

/// Cells × largest population, as the paper hands the cells to a GPU.
struct DenseCells {
  std::vector<std::int32_t> row_of_cell;  ///< [cells] row of `points`, -1 for a cell without points
  std::vector<std::int32_t> points;       ///< [rows * width] numbers of points, -1 after a cell's last
  std::int64_t width = 0;                 ///< the largest population
};

/// The paper's binning on the CPU: a dictionary from a cell to the list of its points, made by one thread.
class CellDictionary {
 public:
  /// Puts all points into their cells; those that have none are left out.
  /// @param points  on the host
  template <class Real>
  void fill(const SearchGrid<Real>& cubes, const Points<Real>& points);

  /// Null for a cell without points.
  const std::vector<std::int32_t>* points_of(std::int64_t cell) const {
    const auto found = points_of_cell_.find(static_cast<std::uint32_t>(cell));
    return found == points_of_cell_.end() ? nullptr : &found->second;
  }

  /// The largest number of points in a cell.
  std::int64_t largest_population() const;

  /// @param cells  in the grid
  DenseCells dense(std::int64_t cells) const;

 private:
  std::unordered_map<std::uint32_t, std::vector<std::int32_t>> points_of_cell_;
};

/// Appends the neighbours of destination i, cell by cell.
template <bool periodic, class Real>
void append_neighbors(const UnsortedPairs<Real>& pairs, const SearchGrid<Real>& cubes, const CellDictionary& cells,
                      std::int64_t i, std::vector<std::int32_t>& found) {
  const int dimensions = cubes.cells.dimensions;
  const Position<Real> at = pairs.destination(i, dimensions);
  if (cubes.cells.fault(at.x, at.y, at.z) < dimensions) return;
  const Real limit = pairs.limit_of(i);
  const AdjacentCells<Real> adjacent(cubes, at);
  for (int slot = 0; slot < adjacent.slots(dimensions); ++slot) {
    const std::int64_t cell = adjacent.cell(slot);
    const std::vector<std::int32_t>* points = cell < 0 ? nullptr : cells.points_of(cell);
    if (points == nullptr) continue;
    for (const std::int32_t j : *points)
      if (pairs.rule.wants(i, j) && pairs.template near<periodic>(at, limit, pairs.source(j, dimensions), j))
        found.push_back(j);
  }
}

}  // namespace shoal
