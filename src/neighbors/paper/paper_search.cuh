// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "neighbors/neighbors_method.hpp"
#include "neighbors/paper/cell_dictionary.hpp"
#include "neighbors/paper/paper_neighbors.hpp"

/// Common parts of the paper's methods on the GPU: methods/linked_list.cu and methods/simple.cu. They wait for the
/// device, as the paper's do.
namespace shoal::neighbors {

class CallMemory;

/// Points by cell, on the device: rows of `width` numbers, -1 after the last point of a cell.
struct CellTable {
  const std::int32_t* row_of_cell = nullptr;  ///< [cells], -1 for an empty cell; null: row = cell
  const std::int32_t* points = nullptr;       ///< [rows · width]
  std::int64_t width = 0;                     ///< Largest population of a cell.

  /// Returns the k-th point of a cell; -1 if the cell has fewer points, or for cell -1.
  SHOAL_HD std::int32_t point(std::int64_t cell, std::int64_t k) const {
    const std::int64_t row = cell < 0 || row_of_cell == nullptr ? cell : row_of_cell[cell];
    return row < 0 ? -1 : points[row * width + k];
  }
};

/// Output of the paper's methods: the number of neighbors of each destination, and the neighbors that fit, in any
/// order. The memory is on the device, or page-locked on the host.
struct NeighborTable {
  std::int32_t* length = nullptr;   ///< [destinations], may exceed `width`
  std::int32_t* sources = nullptr;  ///< [destinations · width]
  std::int64_t width = 0;           ///< Room of a row.

  static std::int64_t entries(std::int64_t destinations, std::int64_t width) { return destinations * (width + 1); }
  NeighborTable() = default;
  NeighborTable(std::int32_t* memory, std::int64_t destinations, std::int64_t columns)
      : length(memory), sources(memory + destinations), width(columns) {}

  SHOAL_HD void put(std::int64_t destination, std::int64_t k, std::int32_t source) const {
    if (k < width) sources[destination * width + k] = source;
  }
};

/// Search over cells with the edge of the radius.
template <class Real>
struct PaperProblem {
  SearchGrid<Real> cubes;
  UnsortedPairs<Real> pairs;
  bool periodic = false;

  SHOAL_HD bool has_cell(const Position<Real>& position) const {
    return cubes.cells.fault(position.x, position.y, position.z) == cubes.cells.dimensions;
  }
};

/// Bins the sources by section 5.2: counts the sources of each cell with atomics, computes the largest count, and
/// appends the sources to the rows of their cells with atomics.
template <class Real>
CellTable bin_points(CallMemory& memory, const PaperProblem<Real>& problem);

/// Finds the neighbors by section 5.1.1 (linked list) and 5.1.2 (simple).
/// @param longest  out: raised to the length of the longest row that does not fit
/// @{
template <class Real>
void find_by_linked_list(CallMemory& memory, const PaperProblem<Real>& problem, const CellTable& cells,
                         const NeighborTable& table, std::int32_t* longest);
template <class Real>
void find_simply(CallMemory& memory, const PaperProblem<Real>& problem, const CellTable& cells,
                 const NeighborTable& table, std::int32_t* longest);
/// @}

/// Resources of the kernels of section 5.2 (binning), 5.1.1 and 5.1.2, by the names that the paper gives them, for axes
/// that are not periodic.
/// @{
template <class Real>
std::vector<KernelResources> binning_kernels();
template <class Real>
std::vector<KernelResources> linked_list_kernels();
template <class Real>
std::vector<KernelResources> simple_kernels();
/// @}

/// Copies the cells of a dictionary to the device.
CellTable to_device(CallMemory& memory, const DenseCells& cells);

/// Runs one of the searches, and repeats it with more room until all rows fit.
/// @param width       room of a row in the first run
/// @param make_table  returns a table for a width
template <class Real>
NeighborTable find_table(CallMemory& memory, PaperSearch search, const PaperProblem<Real>& problem,
                         const CellTable& cells, std::int64_t width,
                         const std::function<NeighborTable(std::int64_t)>& make_table);

/// Runs a method of the method table: points on the device, binning on the host or on the device, canonical list.
template <class Real>
void run_paper_method(const NeighborSearch<Real>& search, PaperSearch kind, DeviceKind binning);

}  // namespace shoal::neighbors
