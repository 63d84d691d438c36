// SPDX-License-Identifier: Apache-2.0
#include "neighbors/cell_dictionary.hpp"

#include <algorithm>

namespace shoal {

template <class Real>
void CellDictionary::fill(const SearchGrid<Real>& cubes, const Points<Real>& points) {
  const PointReader<Real> reader(points);
  const std::uint32_t cells = cubes.cells.cell_count();
  points_of_cell_.clear();
  for (std::int64_t i = 0; i < points.count(); ++i) {
    const std::uint32_t cell = cell_or_fault(cubes.cells, reader, i, nullptr);
    if (cell < cells) points_of_cell_[cell].push_back(static_cast<std::int32_t>(i));
  }
}

std::int64_t CellDictionary::largest_population() const {
  std::size_t largest = 0;
  for (const auto& [cell, points] : points_of_cell_) largest = std::max(largest, points.size());
  return static_cast<std::int64_t>(largest);
}

DenseCells CellDictionary::dense(std::int64_t cells) const {
  DenseCells dense;
  dense.width = largest_population();
  dense.row_of_cell.assign(static_cast<std::size_t>(cells), -1);
  dense.points.assign(points_of_cell_.size() * static_cast<std::size_t>(dense.width), -1);
  std::int32_t row = 0;
  for (const auto& [cell, points] : points_of_cell_) {
    std::copy(points.begin(), points.end(), dense.points.begin() + row * dense.width);
    dense.row_of_cell[cell] = row++;
  }
  return dense;
}

template void CellDictionary::fill(const SearchGrid<float>&, const Points<float>&);
template void CellDictionary::fill(const SearchGrid<double>&, const Points<double>&);

}  // namespace shoal
