// SPDX-License-Identifier: Apache-2.0
// simple, simple_cpu_binning: one thread a destination walks through the adjacent cells.
//
// idea           bin the sources into cells with the edge of the radius, as a table of cells x largest population: on
//                the GPU with atomics, or on the CPU with a dictionary that is then copied. One thread a destination
//                tests the points of the 27 cells (9, 3) around it and writes those that are near into its row of a
//                dense table
// source         Godbole (2014), section 5.1.2; binning by section 5.2, or by section 4
// memory         cells x largest population, and destinations x 5 largest populations, 4 bytes each: both grow with the
//                fullest cell
// atomics        two a source in GPU binning, none in the search
// deterministic  yes: rows are sorted, whatever order the atomics left
// wins when      never against `rows`; it shows what the paper's best method does
// loses when     points are clustered: one full cell makes both tables large
// differs        the paper has room for 2 largest populations a destination and does not say what happens to the rest:
//                here rows have room for 5, are counted to the end, and the search runs again if one is longer. Then
//                the table becomes the exact list: offsets by a scan, each row sorted. Two sets, periodic axes, radii
//                of points. With CPU binning the table has rows for the occupied cells only, found through a map, as in
//                the paper; with GPU binning for all cells
#include "neighbors/methods/methods.hpp"
#include "neighbors/paper/call_memory.cuh"
#include "neighbors/paper/paper_search.cuh"

namespace shoal {

namespace cuda {

namespace {

/// The paper's getneighbors.
template <bool periodic, class Real>
__global__ void get_neighbors(PaperProblem<Real> problem, CellTable cells, NeighborTable table, std::int32_t* longest) {
  const std::int64_t i = thread_index();
  const UnsortedPairs<Real>& pairs = problem.pairs;
  if (i >= pairs.destination_count) return;
  const int dimensions = problem.cubes.cells.dimensions;
  const Position<Real> at = pairs.destination(i, dimensions);
  const Real limit = pairs.limit_of(i);
  std::int32_t found = 0;
  if (problem.has_cell(at)) {
    const AdjacentCells<Real> adjacent(problem.cubes, at);
    for (int slot = 0; slot < adjacent.slots(dimensions); ++slot) {
      const std::int64_t cell = adjacent.cell(slot);
      for (std::int64_t k = 0; k < cells.width; ++k) {
        const std::int32_t j = cells.point(cell, k);
        if (j < 0) break;
        if (pairs.rule.wants(i, j) && pairs.template near<periodic>(at, limit, pairs.source(j, dimensions), j))
          table.put(i, found++, j);
      }
    }
  }
  table.length[i] = found;
  if (found > table.width) atomicMax(longest, found);
}

}  // namespace

template <class Real>
void find_simply(CallMemory& memory, const PaperProblem<Real>& problem, const CellTable& cells,
                 const NeighborTable& table, std::int32_t* longest) {
  const auto kernel = problem.periodic ? get_neighbors<true, Real> : get_neighbors<false, Real>;
  launch(memory.queue(), problem.pairs.destination_count, kernel, problem, cells, table, longest);
}

template void find_simply(CallMemory&, const PaperProblem<float>&, const CellTable&, const NeighborTable&,
                          std::int32_t*);
template void find_simply(CallMemory&, const PaperProblem<double>&, const CellTable&, const NeighborTable&,
                          std::int32_t*);

}  // namespace cuda

namespace {

template <class Real, DeviceKind binning>
void run(const NeighborSearch<Real>& search) {
  cuda::run_paper_method(search, PaperSearch::simple, binning);
}

}  // namespace

const NeighborsMethod neighbors_simple{{"simple", DeviceKind::cuda, true, "Godbole (2014)"},
                                       false,
                                       run<float, DeviceKind::cuda>,
                                       run<double, DeviceKind::cuda>};
const NeighborsMethod neighbors_simple_cpu_binning{{"simple_cpu_binning", DeviceKind::cuda, true, "Godbole (2014)"},
                                                   false,
                                                   run<float, DeviceKind::cpu>,
                                                   run<double, DeviceKind::cpu>};

}  // namespace shoal
