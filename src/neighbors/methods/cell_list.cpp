// SPDX-License-Identifier: Apache-2.0
// cell_list: a dictionary of cells on one thread, the paper's base case.
//
// idea           bin the sources into cells with the edge of the radius, in a dictionary from a cell to its points; for
//                every destination test the points of the adjacent 27 cells (9, 3) one after the other
// source         Godbole (2014), section 4; the base case of section 6
// memory         some 60 bytes for each occupied cell and 4 to 8 for each point; the list twice
// atomics        none
// deterministic  yes
// wins when      never against `rows`; it is the reference of the paper's speed-ups
// loses when     there is more than one core, or a vector unit
// deviations     cells grow if there were far more cells than points; rows are sorted, the paper's have any order
#include <algorithm>

#include "neighbors/methods/methods.hpp"
#include "neighbors/paper/cell_dictionary.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const SearchGrid<Real> cubes = with_cubic_cells(*search.plan.grid(), search.plan.test().period[0]);
  CellDictionary cells;
  cells.fill(cubes, search.sets.sources.points());
  std::vector<std::int32_t> indices;
  std::int64_t* offsets = search.list.offsets.data();
  offsets[0] = 0;
  find_rows(search.plan.unsorted_pairs(search.sets), cubes, cells, search.plan.periodic(), indices, offsets + 1);
  for (std::int64_t i = 0; i < search.sets.destinations.count(); ++i)
    std::sort(indices.begin() + offsets[i], indices.begin() + offsets[i + 1]);
  if (!search.make_room(static_cast<std::int64_t>(indices.size()))) return;
  std::copy(indices.begin(), indices.end(), search.list.indices.data());
}

}  // namespace

const NeighborsMethod cell_list_cpu{
    {"cell_list", DeviceKind::cpu, true, "Godbole (2014)"}, true, false, run<float>, run<double>};

}  // namespace shoal::neighbors
