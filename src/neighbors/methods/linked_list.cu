// SPDX-License-Identifier: Apache-2.0
// linked_list, linked_list_cpu_binning: a flag for every candidate, and lists that jump over those not set.
//
// idea           bin as `simple` does. isneighbor: one thread for each destination, adjacent cell and place in it sets
// a
//                flag if the point there is near. Every candidate points to the next one of its destination.
//                update_linkedlist: one thread a candidate lets it point to where the candidate that it points to
//                points, if that one is not near; it reads one list and writes the other, which then swap, until a
//                global flag says that nothing changed. getneighbors: one thread a destination follows its list
// source         Godbole (2014), section 5.1.1; binning by section 5.2, or by section 4
// memory         9 bytes for each destination x 27 cells (9, 3) x largest population, beside what `simple` needs
// atomics        two a source in GPU binning
// deterministic  yes: rows are sorted
// wins when      never: the paper found it slower than its CPU version
// loses when     always; it needs about log2(27 largest populations) passes over all candidates
// differs        as `simple`; lists hold places within a destination's candidates, 32 bits each
#include <limits>
#include <utility>

#include "neighbors/methods/methods.hpp"
#include "neighbors/paper/call_memory.cuh"
#include "neighbors/paper/paper_search.cuh"

namespace shoal {

namespace cuda {

namespace {

/// How candidates are numbered: destination · each + slot · width + place in the cell.
struct Candidates {
  std::int64_t width;  ///< the largest population
  std::int64_t each;   ///< slots · width

  SHOAL_HD Candidates(int dimensions, std::int64_t largest)
      : width(largest), each(AdjacentCells<float>::slots(dimensions) * largest) {}
};

/// The paper's isneighbor; also lets every candidate point to the next.
template <bool periodic, class Real>
__global__ void is_neighbor(PaperProblem<Real> problem, CellTable cells, std::uint8_t* near, std::int32_t* next) {
  const int dimensions = problem.cubes.cells.dimensions;
  const Candidates candidates(dimensions, cells.width);
  const std::int64_t candidate = thread_index();
  const std::int64_t i = candidate / candidates.each;
  const UnsortedPairs<Real>& pairs = problem.pairs;
  if (i >= pairs.destination_count) return;
  const std::int64_t place = candidate - i * candidates.each;
  const Position<Real> at = pairs.destination(i, dimensions);
  bool found = false;
  if (problem.has_cell(at)) {
    const auto slot = static_cast<int>(place / candidates.width);
    const std::int64_t cell = AdjacentCells<Real>(problem.cubes, at).cell(slot);
    const std::int32_t j = cells.point(cell, place % candidates.width);
    found = j >= 0 && pairs.rule.wants(i, j) &&
            pairs.template near<periodic>(at, pairs.limit_of(i), pairs.source(j, dimensions), j);
  }
  near[candidate] = found ? 1 : 0;
  next[candidate] = static_cast<std::int32_t>(place + 1);
}

__global__ void update_linkedlist(const std::uint8_t* near, std::int64_t count, std::int64_t each,
                                  const std::int32_t* from, std::int32_t* to, int* changed) {
  const std::int64_t candidate = thread_index();
  if (candidate >= count) return;
  const std::int64_t first = candidate / each * each;
  std::int32_t next = from[candidate];
  if (next < each && near[first + next] == 0) {
    next = from[first + next];
    *changed = 1;
  }
  to[candidate] = next;
}

template <class Real>
__global__ void get_linked_neighbors(PaperProblem<Real> problem, CellTable cells, const std::uint8_t* near,
                                     const std::int32_t* next, NeighborTable table, std::int32_t* longest) {
  const std::int64_t i = thread_index();
  if (i >= problem.pairs.destination_count) return;
  const int dimensions = problem.cubes.cells.dimensions;
  const Candidates candidates(dimensions, cells.width);
  const std::int64_t first = i * candidates.each;
  const AdjacentCells<Real> adjacent(problem.cubes, problem.pairs.destination(i, dimensions));
  std::int32_t found = 0;
  for (std::int32_t place = near[first] != 0 ? 0 : next[first]; place < candidates.each; place = next[first + place]) {
    const std::int64_t cell = adjacent.cell(static_cast<int>(place / candidates.width));
    table.put(i, found++, cells.point(cell, place % candidates.width));
  }
  table.length[i] = found;
  if (found > table.width) atomicMax(longest, found);
}

}  // namespace

template <class Real>
void find_by_linked_list(CallMemory& of_call, const PaperProblem<Real>& problem, const CellTable& cells,
                         const NeighborTable& table, std::int32_t* longest) {
  const Queue& queue = of_call.queue();
  const std::int64_t n = problem.pairs.destination_count;
  const Candidates candidates(problem.cubes.cells.dimensions, cells.width);
  require(candidates.each < std::numeric_limits<std::int32_t>::max(), "neighbors: linked_list: a destination has ",
          candidates.each, " candidates, expected less than 2^31. Use the method `rows`.");
  if (n == 0 || candidates.each == 0) {
    fill_bytes(queue, table.length, 0, static_cast<std::size_t>(n) * sizeof(std::int32_t));
    return;
  }
  CallMemory memory = of_call.part();
  auto* lists =
      memory.array<std::int32_t>("linked_list: two lists of destinations x candidates", {2, n, candidates.each});
  auto* near = memory.array<std::uint8_t>("linked_list: flags of destinations x candidates", {n, candidates.each});
  auto* changed = memory.array<int>("linked_list: the global flag", {1});
  const std::int64_t count = n * candidates.each;
  std::int32_t* from = lists;
  std::int32_t* to = lists + count;
  launch(queue, count, problem.periodic ? is_neighbor<true, Real> : is_neighbor<false, Real>, problem, cells, near,
         from);
  for (int anything_changed = 1; anything_changed != 0; std::swap(from, to)) {
    fill_bytes(queue, changed, 0, sizeof(int));
    launch(queue, count, update_linkedlist, near, count, candidates.each, from, to, changed);
    copy_bytes(queue, &anything_changed, {}, changed, queue.device(), sizeof(int));
  }
  launch(queue, n, get_linked_neighbors<Real>, problem, cells, near, from, table, longest);
}

template void find_by_linked_list(CallMemory&, const PaperProblem<float>&, const CellTable&, const NeighborTable&,
                                  std::int32_t*);
template void find_by_linked_list(CallMemory&, const PaperProblem<double>&, const CellTable&, const NeighborTable&,
                                  std::int32_t*);

}  // namespace cuda

namespace {

template <class Real, DeviceKind binning>
void run(const NeighborSearch<Real>& search) {
  cuda::run_paper_method(search, PaperSearch::linked_list, binning);
}

}  // namespace

const NeighborsMethod neighbors_linked_list{{"linked_list", DeviceKind::cuda, true, "Godbole (2014)"},
                                            false,
                                            run<float, DeviceKind::cuda>,
                                            run<double, DeviceKind::cuda>};
const NeighborsMethod neighbors_linked_list_cpu_binning{
    {"linked_list_cpu_binning", DeviceKind::cuda, true, "Godbole (2014)"},
    false,
    run<float, DeviceKind::cpu>,
    run<double, DeviceKind::cpu>};

}  // namespace shoal
