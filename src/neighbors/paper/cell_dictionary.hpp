// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_map>
#include <vector>

#include "neighbors/paper/cubic_cells.hpp"
#include "neighbors/search/unsorted_pairs.hpp"

namespace shoal::neighbors {

/// Table of occupied cells × largest population, in the form that the paper copies to a GPU.
struct DenseCells {
  std::vector<std::int32_t> row_of_cell;  ///< [cells] row of `points`; -1 for an empty cell
  std::vector<std::int32_t> points;       ///< [rows · width] numbers of points; -1 after the last point of a cell
  std::int64_t width = 0;                 ///< Largest population of a cell.
};

/// CPU binning of the paper: a dictionary from a cell to its points, made by one thread.
class CellDictionary {
 public:
  /// Bins the points on the host. Points outside the grid are left out.
  template <class Real>
  void fill(const SearchGrid<Real>& cubes, const Points<Real>& points);

  /// Returns the points of a cell; null for an empty cell.
  const std::vector<std::int32_t>* points_of(std::int64_t cell) const {
    const auto entry = points_of_cell_.find(static_cast<std::uint32_t>(cell));
    return entry == points_of_cell_.end() ? nullptr : &entry->second;
  }

  /// Returns the largest number of points in a cell.
  std::int64_t max_population() const;

  /// Returns the dictionary as a table.
  /// @param cells  number of cells of the grid
  DenseCells dense(std::int64_t cells) const;

 private:
  std::unordered_map<std::uint32_t, std::vector<std::int32_t>> points_of_cell_;
};

/// Finds the neighbors of all destinations, row by row, each in the order of the adjacent cells.
/// @param indices  out, the joined rows
/// @param row_end  [destinations] out, end of each row
template <class Real>
void find_rows(const UnsortedPairs<Real>& pairs, const SearchGrid<Real>& cubes, const CellDictionary& cells,
               bool periodic, std::vector<std::int32_t>& indices, std::int64_t* row_end);

}  // namespace shoal::neighbors
