// SPDX-License-Identifier: Apache-2.0
// cell_list: a dictionary of cells and one thread, the paper's base case.
//
// idea           bin the sources into cells with the edge of the radius, a list of points a cell in a dictionary; for
//                every destination test the points of the 27 cells (9, 3) around it, one after the other
// source         Godbole (2014), section 4; the base case of section 6
// memory         the dictionary: some 60 bytes a cell with points and 4 to 8 bytes a point; the list twice
// atomics        none
// deterministic  yes
// wins when      never against `rows`; it is what the paper's speed-ups are relative to
// loses when     there is more than one core, or a vector unit
// differs        cells grow where there would be more than a few a point; the paper's output has any order, here each
//                row is sorted
#include <algorithm>

#include "neighbors/methods/methods.hpp"
#include "neighbors/paper/cell_dictionary.hpp"

namespace shoal {

namespace {

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const SearchGrid<Real> cubes = with_cubes(*search.grid, static_cast<double>(search.test.period[0]));
  CellDictionary cells;
  cells.fill(cubes, search.sources.points());
  std::vector<std::int32_t> found;
  std::int64_t* offsets = search.list.offsets.data();
  offsets[0] = 0;
  find_rows(unsorted_pairs(search), cubes, cells, search.periodic, found, offsets + 1);
  for (std::int64_t i = 0; i < search.destinations.count(); ++i)
    std::sort(found.begin() + offsets[i], found.begin() + offsets[i + 1]);
  if (!search.make_room(static_cast<std::int64_t>(found.size()))) return;
  std::copy(found.begin(), found.end(), search.list.indices.data());
}

}  // namespace

const NeighborsMethod neighbors_cell_list{
    {"cell_list", DeviceKind::cpu, true, "Godbole (2014)"}, true, run<float>, run<double>};

}  // namespace shoal
