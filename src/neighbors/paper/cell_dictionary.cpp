// SPDX-License-Identifier: Apache-2.0
#include "neighbors/paper/cell_dictionary.hpp"

#include <algorithm>

#include "core/cpu_variants.hpp"
#include "core/first_exception.hpp"

namespace shoal::neighbors {

namespace {

/// Appends the neighbors of destination i to the joined rows.
template <bool periodic, class Real>
SHOAL_HD void append_neighbors(const UnsortedPairs<Real>& pairs, const SearchGrid<Real>& cubes,
                               const CellDictionary& cells, std::int64_t i, std::vector<std::int32_t>& indices) {
  const int dimensions = cubes.cells.dimensions;
  const Position<Real> position = pairs.destination(i, dimensions);
  if (cubes.cells.fault(position.x, position.y, position.z) < dimensions) return;
  const Real limit = pairs.limit_of(i);
  const AdjacentCells<Real> adjacent(cubes, position);
  for (int slot = 0; slot < adjacent.slots(dimensions); ++slot) {
    const std::int64_t cell = adjacent.cell(slot);
    const std::vector<std::int32_t>* points = cell < 0 ? nullptr : cells.points_of(cell);
    if (points == nullptr) continue;
    for (const std::int32_t j : *points)
      if (pairs.rule.wants(i, j) && pairs.template near<periodic>(position, limit, pairs.source(j, dimensions), j))
        indices.push_back(j);
  }
}

template <bool periodic, class Real>
SHOAL_CPU_VARIANTS void append_rows(const UnsortedPairs<Real>& pairs, const SearchGrid<Real>& cubes,
                                    const CellDictionary& cells, std::vector<std::int32_t>& indices,
                                    std::int64_t* row_end, FirstException& failed) {
  try {
    for (std::int64_t i = 0; i < pairs.destination_count; ++i) {
      append_neighbors<periodic>(pairs, cubes, cells, i, indices);
      row_end[i] = static_cast<std::int64_t>(indices.size());
    }
  } catch (...) {
    failed.keep_current();
  }
}

}  // namespace

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

std::int64_t CellDictionary::max_population() const {
  std::size_t population = 0;
  for (const auto& [cell, points] : points_of_cell_) population = std::max(population, points.size());
  return static_cast<std::int64_t>(population);
}

DenseCells CellDictionary::dense(std::int64_t cells) const {
  DenseCells dense;
  dense.width = max_population();
  dense.row_of_cell.assign(static_cast<std::size_t>(cells), -1);
  dense.points.assign(points_of_cell_.size() * static_cast<std::size_t>(dense.width), -1);
  std::int32_t row = 0;
  for (const auto& [cell, points] : points_of_cell_) {
    std::copy(points.begin(), points.end(), dense.points.begin() + row * dense.width);
    dense.row_of_cell[cell] = row++;
  }
  return dense;
}

template <class Real>
void find_rows(const UnsortedPairs<Real>& pairs, const SearchGrid<Real>& cubes, const CellDictionary& cells,
               bool periodic, std::vector<std::int32_t>& indices, std::int64_t* row_end) {
  indices.clear();
  FirstException failed;
  periodic ? append_rows<true>(pairs, cubes, cells, indices, row_end, failed)
           : append_rows<false>(pairs, cubes, cells, indices, row_end, failed);
  failed.rethrow();
}

template void find_rows(const UnsortedPairs<float>&, const SearchGrid<float>&, const CellDictionary&, bool,
                        std::vector<std::int32_t>&, std::int64_t*);
template void find_rows(const UnsortedPairs<double>&, const SearchGrid<double>&, const CellDictionary&, bool,
                        std::vector<std::int32_t>&, std::int64_t*);
template void CellDictionary::fill(const SearchGrid<float>&, const Points<float>&);
template void CellDictionary::fill(const SearchGrid<double>&, const Points<double>&);

}  // namespace shoal::neighbors
