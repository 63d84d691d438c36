// SPDX-License-Identifier: Apache-2.0
// simple, simple_cpu_binning: one thread for each destination visits the adjacent cells.
//
// idea           bin the sources into cells with the edge of the radius, as a table of cells x largest population: on
//                the GPU with atomics, or on the CPU with a dictionary that is copied. One thread for each destination
//                tests the points of the adjacent 27 cells (9, 3) and writes its neighbors into a row of a dense table
// source         Godbole (2014), section 5.1.2; binning by section 5.2, or by section 4
// memory         tables of cells x largest population, and of destinations x 5 largest populations, 4 bytes an element
// atomics        two for each source in GPU binning, none in the search
// deterministic  yes: rows are sorted, whatever order the atomics left
// wins when      never against `rows`; it shows the performance of the paper's best method
// loses when     points are clustered: one full cell enlarges both tables
// deviations     room for 5 instead of 2 largest populations, and a second search if a row is longer; exact sorted
//                list; two sets, periodic axes, radii of points; GPU binning stores empty cells too
#include "core/cuda/kernel_resources.cuh"
#include "neighbors/methods/methods.hpp"
#include "neighbors/paper/call_memory.cuh"
#include "neighbors/paper/paper_search.cuh"

namespace shoal::neighbors {

namespace {

/// Kernel `getneighbors` of the paper.
template <bool periodic, class Real>
__global__ void get_neighbors(PaperProblem<Real> problem, CellTable cells, NeighborTable table, std::int32_t* longest) {
  const std::int64_t i = thread_index();
  const UnsortedPairs<Real>& pairs = problem.pairs;
  if (i >= pairs.destination_count) return;
  const int dimensions = problem.cubes.cells.dimensions;
  const Position<Real> position = pairs.destination(i, dimensions);
  const Real limit = pairs.limit_of(i);
  std::int32_t count = 0;
  if (problem.has_cell(position)) {
    const AdjacentCells<Real> adjacent(problem.cubes, position);
    for (int slot = 0; slot < adjacent.slots(dimensions); ++slot) {
      const std::int64_t cell = adjacent.cell(slot);
      for (std::int64_t k = 0; k < cells.width; ++k) {
        const std::int32_t j = cells.point(cell, k);
        if (j < 0) break;
        if (pairs.rule.wants(i, j) && pairs.template near<periodic>(position, limit, pairs.source(j, dimensions), j))
          table.put(i, count++, j);
      }
    }
  }
  table.length[i] = count;
  if (count > table.width) atomicMax(longest, count);
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

template <class Real>
std::vector<KernelResources> simple_kernels() {
  return {resources_of("getneighbors", get_neighbors<false, Real>)};
}

template std::vector<KernelResources> simple_kernels<float>();
template std::vector<KernelResources> simple_kernels<double>();

namespace {

template <class Real, DeviceKind binning>
void run(const NeighborSearch<Real>& search) {
  run_paper_method(search, PaperSearch::simple, binning);
}

}  // namespace

const NeighborsMethod simple_cuda{{"simple", DeviceKind::cuda, true, "Godbole (2014)"},
                                  false,
                                  false,
                                  run<float, DeviceKind::cuda>,
                                  run<double, DeviceKind::cuda>};
const NeighborsMethod simple_cpu_binning_cuda{{"simple_cpu_binning", DeviceKind::cuda, true, "Godbole (2014)"},
                                              false,
                                              false,
                                              run<float, DeviceKind::cpu>,
                                              run<double, DeviceKind::cpu>};

}  // namespace shoal::neighbors
