// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_map>
#include <vector>

#include "neighbors/paper/radius_cells.hpp"
#include "neighbors/search/unsorted_pairs.hpp"

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

/// The neighbors of all destinations, one row after the other and each cell by cell.
/// @param found    out
/// @param row_end  out, [destinations] where each row ends
template <class Real>
void find_rows(const UnsortedPairs<Real>& pairs, const SearchGrid<Real>& cubes, const CellDictionary& cells,
               bool periodic, std::vector<std::int32_t>& found, std::int64_t* row_end);

}  // namespace shoal
