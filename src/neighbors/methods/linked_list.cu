// SPDX-License-Identifier: Apache-2.0
// linked_list, linked_list_cpu_binning: a flag for each candidate, and lists that skip the candidates without flag.
//
// idea           bin as `simple`. isneighbor sets the flag of each point in the adjacent cells that is near, and links
//                each candidate to the next. update_linkedlist moves each link past a candidate without flag, from one
//                list to another, until a global flag says that no link changed. getneighbors follows the links
// source         Godbole (2014), section 5.1.1; binning by section 5.2, or by section 4
// memory         9 bytes for each destination x 27 cells (9, 3) x largest population, in addition to `simple`
// atomics        two for each source in GPU binning
// deterministic  yes: rows are sorted
// wins when      never: the paper found it slower than its CPU version
// loses when     always: it needs about log2(27 largest populations) passes over all candidates
// deviations     as `simple`; links are positions within the candidates of a destination, 32 bits each
#include <limits>
#include <utility>

#include "core/cuda/kernel_resources.cuh"
#include "neighbors/methods/methods.hpp"
#include "neighbors/paper/call_memory.cuh"
#include "neighbors/paper/paper_search.cuh"

namespace shoal::neighbors {

namespace {

/// Numbering of candidates: destination · each + slot · width + position in the cell.
struct Candidates {
  std::int64_t width;  ///< Largest population of a cell.
  std::int64_t each;   ///< Candidates of a destination: slots · width.

  SHOAL_HD Candidates(int dimensions, std::int64_t max_population)
      : width(max_population), each(AdjacentCells<float>::slots(dimensions) * max_population) {}
};

/// Kernel `isneighbor` of the paper. It also links each candidate to the next.
template <bool periodic, class Real>
__global__ void flag_neighbors(PaperProblem<Real> problem, CellTable cells, std::uint8_t* near, std::int32_t* next) {
  const int dimensions = problem.cubes.cells.dimensions;
  const Candidates candidates(dimensions, cells.width);
  const std::int64_t candidate = thread_index();
  const std::int64_t i = candidate / candidates.each;
  const UnsortedPairs<Real>& pairs = problem.pairs;
  if (i >= pairs.destination_count) return;
  const std::int64_t position = candidate - i * candidates.each;
  const Position<Real> destination = pairs.destination(i, dimensions);
  bool is_neighbor = false;
  if (problem.has_cell(destination)) {
    const auto slot = static_cast<int>(position / candidates.width);
    const std::int64_t cell = AdjacentCells<Real>(problem.cubes, destination).cell(slot);
    const std::int32_t j = cells.point(cell, position % candidates.width);
    is_neighbor = j >= 0 && pairs.rule.wants(i, j) &&
                  pairs.template near<periodic>(destination, pairs.limit_of(i), pairs.source(j, dimensions), j);
  }
  near[candidate] = is_neighbor ? 1 : 0;
  next[candidate] = static_cast<std::int32_t>(position + 1);
}

/// Kernel `update_linkedlist` of the paper.
__global__ void update_links(const std::uint8_t* near, std::int64_t count, std::int64_t each,
                             const std::int32_t* old_next, std::int32_t* new_next, int* changed) {
  const std::int64_t candidate = thread_index();
  if (candidate >= count) return;
  const std::int64_t first = candidate / each * each;
  std::int32_t next = old_next[candidate];
  if (next < each && near[first + next] == 0) {
    next = old_next[first + next];
    *changed = 1;
  }
  new_next[candidate] = next;
}

/// Kernel `getneighbors` of the paper for linked candidates.
template <class Real>
__global__ void get_linked_neighbors(PaperProblem<Real> problem, CellTable cells, const std::uint8_t* near,
                                     const std::int32_t* next, NeighborTable table, std::int32_t* longest) {
  const std::int64_t i = thread_index();
  if (i >= problem.pairs.destination_count) return;
  const int dimensions = problem.cubes.cells.dimensions;
  const Candidates candidates(dimensions, cells.width);
  const std::int64_t first = i * candidates.each;
  const AdjacentCells<Real> adjacent(problem.cubes, problem.pairs.destination(i, dimensions));
  std::int32_t count = 0;
  for (std::int32_t position = near[first] != 0 ? 0 : next[first]; position < candidates.each;
       position = next[first + position]) {
    const std::int64_t cell = adjacent.cell(static_cast<int>(position / candidates.width));
    table.put(i, count++, cells.point(cell, position % candidates.width));
  }
  table.length[i] = count;
  if (count > table.width) atomicMax(longest, count);
}

}  // namespace

template <class Real>
void find_by_linked_list(CallMemory& call_memory, const PaperProblem<Real>& problem, const CellTable& cells,
                         const NeighborTable& table, std::int32_t* longest) {
  const Queue& queue = call_memory.queue();
  const std::int64_t n = problem.pairs.destination_count;
  const Candidates candidates(problem.cubes.cells.dimensions, cells.width);
  require(candidates.each < std::numeric_limits<std::int32_t>::max(), "neighbors: linked_list: a destination has ",
          candidates.each, " candidates, expected less than 2^31. Use the method `rows`.");
  if (n == 0 || candidates.each == 0) {
    fill_bytes(queue, table.length, 0, static_cast<std::size_t>(n) * sizeof(std::int32_t));
    return;
  }
  CallMemory memory = call_memory.part();
  auto* lists =
      memory.array<std::int32_t>("linked_list: two lists of destinations x candidates", {2, n, candidates.each});
  auto* near = memory.array<std::uint8_t>("linked_list: flags of destinations x candidates", {n, candidates.each});
  auto* changed = memory.array<int>("linked_list: the global flag", {1});
  const std::int64_t count = n * candidates.each;
  std::int32_t* old_next = lists;
  std::int32_t* new_next = lists + count;
  launch(queue, count, problem.periodic ? flag_neighbors<true, Real> : flag_neighbors<false, Real>, problem, cells,
         near, old_next);
  for (int anything_changed = 1; anything_changed != 0; std::swap(old_next, new_next)) {
    fill_bytes(queue, changed, 0, sizeof(int));
    launch(queue, count, update_links, near, count, candidates.each, old_next, new_next, changed);
    copy_bytes(queue, &anything_changed, {}, changed, queue.device(), sizeof(int));
  }
  launch(queue, n, get_linked_neighbors<Real>, problem, cells, near, old_next, table, longest);
}

template void find_by_linked_list(CallMemory&, const PaperProblem<float>&, const CellTable&, const NeighborTable&,
                                  std::int32_t*);
template void find_by_linked_list(CallMemory&, const PaperProblem<double>&, const CellTable&, const NeighborTable&,
                                  std::int32_t*);

template <class Real>
std::vector<KernelResources> linked_list_kernels() {
  return {resources_of("isneighbor", flag_neighbors<false, Real>), resources_of("update_linkedlist", update_links),
          resources_of("getneighbors of the linked list", get_linked_neighbors<Real>)};
}

template std::vector<KernelResources> linked_list_kernels<float>();
template std::vector<KernelResources> linked_list_kernels<double>();

namespace {

template <class Real, DeviceKind binning>
void run(const NeighborSearch<Real>& search) {
  run_paper_method(search, PaperSearch::linked_list, binning);
}

}  // namespace

const NeighborsMethod linked_list_cuda{{"linked_list", DeviceKind::cuda, true, "Godbole (2014)"},
                                       false,
                                       false,
                                       run<float, DeviceKind::cuda>,
                                       run<double, DeviceKind::cuda>};
const NeighborsMethod linked_list_cpu_binning_cuda{
    {"linked_list_cpu_binning", DeviceKind::cuda, true, "Godbole (2014)"},
    false,
    false,
    run<float, DeviceKind::cpu>,
    run<double, DeviceKind::cpu>};

}  // namespace shoal::neighbors
