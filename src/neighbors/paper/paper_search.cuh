// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/paper/paper_neighbors.hpp"

#include <functional>

#include "neighbors/paper/cell_dictionary.hpp"

/// What the paper's methods on the GPU share: paper_search_cuda.cu, paper_binning_cuda.cu and methods/linked_list.cu,
/// methods/simple.cu. They wait for the device, as the paper's do.
namespace shoal::cuda {

class CallMemory;

/// Points by cell, on the device: rows of `width` numbers, -1 after a cell's last.
struct CellTable {
  const std::int32_t* row_of_cell = nullptr;  ///< [cells] -1 for a cell without points; null: row = cell
  const std::int32_t* points = nullptr;
  std::int64_t width = 0;  ///< the largest population

  /// The k-th point of a cell; -1 if it has fewer, or if there is no such cell (cell = -1).
  SHOAL_HD std::int32_t point(std::int64_t cell, std::int64_t k) const {
    const std::int64_t row = cell < 0 || row_of_cell == nullptr ? cell : row_of_cell[cell];
    return row < 0 ? -1 : points[row * width + k];
  }
};

/// The paper's output: how many neighbors each destination has, and as many of them as fit, in any order. The memory
/// is the device's, or the host's that the device writes into.
struct NeighborTable {
  std::int32_t* length = nullptr;   ///< [destinations], may be more than `width`
  std::int32_t* sources = nullptr;  ///< [destinations * width]
  std::int64_t width = 0;

  static std::int64_t entries(std::int64_t destinations, std::int64_t width) { return destinations * (width + 1); }
  NeighborTable() = default;
  NeighborTable(std::int32_t* memory, std::int64_t destinations, std::int64_t columns)
      : length(memory), sources(memory + destinations), width(columns) {}

  SHOAL_HD void put(std::int64_t destination, std::int64_t k, std::int32_t source) const {
    if (k < width) sources[destination * width + k] = source;
  }
};

/// A search over cells with the edge of the radius.
template <class Real>
struct PaperProblem {
  SearchGrid<Real> cubes;
  UnsortedPairs<Real> pairs;
  bool periodic = false;

  SHOAL_HD bool has_cell(const Position<Real>& at) const {
    return cubes.cells.fault(at.x, at.y, at.z) == cubes.cells.dimensions;
  }
};

/// Section 5.2: counts the sources of each cell with atomics, takes the largest count, and appends the sources to their
/// cells' rows with atomics.
template <class Real>
CellTable bin_points(CallMemory& memory, const PaperProblem<Real>& problem);

/// Section 5.1.1 and 5.1.2. `longest` gets the length of the longest row that does not fit, or stays.
/// @{
template <class Real>
void find_by_linked_list(CallMemory& memory, const PaperProblem<Real>& problem, const CellTable& cells,
                         const NeighborTable& table, std::int32_t* longest);
template <class Real>
void find_simply(CallMemory& memory, const PaperProblem<Real>& problem, const CellTable& cells,
                 const NeighborTable& table, std::int32_t* longest);
/// @}

/// Brings a dictionary's cells to the device.
CellTable to_device(CallMemory& memory, const DenseCells& cells);

/// Runs one of the searches, again with more room until all rows fit. `make_table(width)` gives the memory; the first
/// table has `width` columns.
template <class Real>
NeighborTable find_table(CallMemory& memory, PaperSearch search, const PaperProblem<Real>& problem,
                         const CellTable& cells, std::int64_t width,
                         const std::function<NeighborTable(std::int64_t)>& make_table);

/// A row of the method table: points on the device, binning on the host or on the device, the list in canonical form.
template <class Real>
void run_paper_method(const NeighborSearch<Real>& search, PaperSearch kind, DeviceKind binning);

}  // namespace shoal::cuda
