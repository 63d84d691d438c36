// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/segment_sort.cuh"
#include "core/primitives/primitives.hpp"
#include "neighbors/paper/call_memory.cuh"
#include "neighbors/paper/paper_search.cuh"

namespace shoal::neighbors {

namespace {

/// Room of a row in largest populations. A sphere of the radius holds 4.2 cells' worth of uniform points.
constexpr std::int64_t populations_per_row = 5;
constexpr std::int64_t max_ranked = 512;  ///< Entries of a row that is sorted by ranking.

/// Sorts rows by ranking, one warp for each row: the position of an entry is the number of smaller entries. Copies long
/// rows to `unsorted`.
__global__ void rank_rows(NeighborTable table, std::int64_t n, const std::int64_t* offsets, std::int32_t* indices,
                          std::int32_t* unsorted) {
  const std::int64_t i = thread_index() / 32;
  if (i >= n) return;
  const std::int32_t length = table.length[i];
  const std::int32_t* row = table.sources + i * table.width;
  for (auto k = static_cast<std::int32_t>(threadIdx.x % 32); k < length; k += 32) {
    if (length > max_ranked) {
      unsorted[offsets[i] + k] = row[k];
      continue;
    }
    std::int32_t rank = 0;
    for (std::int32_t m = 0; m < length; ++m) rank += row[m] < row[k] ? 1 : 0;
    indices[offsets[i] + rank] = row[k];
  }
}

template <class Real>
__global__ void pack_axis(const Real* axis, std::int64_t stride, std::int64_t n, Real* packed) {
  const std::int64_t i = thread_index();
  if (i < n) packed[i] = axis[i * stride];
}

template <class Real>
std::vector<Real> to_host_memory(CallMemory& memory, View<const Real> axis) {
  auto* packed = memory.array<Real>("the coordinates", {axis.count});
  launch(memory.queue(), axis.count, pack_axis<Real>, axis.data, axis.stride, axis.count, packed);
  return to_host(memory.queue(), View<const Real>(packed, axis.count, memory.queue().device()));
}

/// Bins points of the device on the CPU.
template <class Real>
CellTable bin_on_host(CallMemory& memory, const SearchGrid<Real>& cubes, const Points<Real>& points) {
  const int dimensions = cubes.cells.dimensions;
  const std::vector<Real> x = to_host_memory(memory, points.x);
  const std::vector<Real> y = dimensions > 1 ? to_host_memory(memory, points.y) : std::vector<Real>();
  const std::vector<Real> z = dimensions > 2 ? to_host_memory(memory, points.z) : std::vector<Real>();
  CellDictionary cells;
  cells.fill(cubes, Points<Real>{x, y, z});
  return to_device(memory, cells.dense(cubes.cells.cell_count()));
}

/// Converts a table to the canonical list.
void to_list(Scratch& scratch, const NeighborTable& table, NeighborList& list) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = list.offsets.count() - 1;
  std::int64_t* offsets = list.offsets.data();
  exclusive_scan<std::int32_t>(scratch, View<const std::int32_t>(table.length, n, queue.device()), list.offsets);
  std::int64_t total = 0;
  copy_bytes(queue, &total, {}, offsets + n, queue.device(), sizeof total);
  list.indices.resize(total);
  const bool has_long_rows = table.width > max_ranked;
  ScratchFrame frame(scratch);
  std::int32_t* unsorted = frame.array<std::int32_t>(has_long_rows ? total : 0).data;
  launch(queue, n * 32, rank_rows, table, n, offsets, list.indices.data(), unsorted);
  if (has_long_rows)
    launch<segment_sort::threads>(queue, n * segment_sort::threads, segment_sort::sort_each, unsorted,
                                  list.indices.data(), offsets, offsets + 1, max_ranked + 1);
}

}  // namespace

CellTable to_device(CallMemory& memory, const DenseCells& cells) {
  const auto copied = [&](const char* what, const std::vector<std::int32_t>& host) {
    auto* array = memory.array<std::int32_t>(what, {static_cast<std::int64_t>(host.size())});
    copy_bytes(memory.queue(), array, memory.queue().device(), host.data(), {}, host.size() * sizeof(std::int32_t));
    return array;
  };
  CellTable table;
  table.row_of_cell = copied("the map of the cells", cells.row_of_cell);
  table.points = copied("the table of cells x largest population", cells.points);
  table.width = cells.width;
  return table;
}

template <class Real>
NeighborTable find_table(CallMemory& memory, PaperSearch search, const PaperProblem<Real>& problem,
                         const CellTable& cells, std::int64_t width,
                         const std::function<NeighborTable(std::int64_t)>& make_table) {
  const Queue& queue = memory.queue();
  auto* longest = memory.array<std::int32_t>("the longest row", {1});
  for (;;) {
    const NeighborTable table = make_table(width);
    fill_bytes(queue, longest, 0, sizeof(std::int32_t));
    const auto find = search == PaperSearch::linked_list ? find_by_linked_list<Real> : find_simply<Real>;
    find(memory, problem, cells, table, longest);
    std::int32_t needed = 0;
    copy_bytes(queue, &needed, {}, longest, queue.device(), sizeof needed);
    if (needed <= width) return table;
    width = needed;
  }
}

template <class Real>
void run_paper_method(const NeighborSearch<Real>& search, PaperSearch kind, DeviceKind binning) {
  const Queue& queue = search.queue();
  Scratch& scratch = search.plan.scratch();
  SearchGrid<Real> grid;
  copy_bytes(queue, &grid, {}, search.plan.grid(), queue.device(), sizeof grid);
  const PaperProblem<Real> problem{with_cubic_cells(grid, search.plan.test().period[0]),
                                   search.plan.unsorted_pairs(search.sets), search.plan.periodic()};
  const std::int64_t n = problem.pairs.destination_count;
  CallMemory memory(scratch, true);
  const CellTable cells = binning == DeviceKind::cuda
                              ? bin_points(memory, problem)
                              : bin_on_host(memory, problem.cubes, search.sets.sources.points());
  const std::int64_t width = std::min(populations_per_row * cells.width, problem.pairs.source_count);
  const auto make_table = [&](std::int64_t columns) {
    return NeighborTable(memory.array<std::int32_t>("the table of destinations x neighbors", {n, columns + 1}), n,
                         columns);
  };
  to_list(scratch, find_table(memory, kind, problem, cells, width, make_table), search.list);
}

template NeighborTable find_table(CallMemory&, PaperSearch, const PaperProblem<float>&, const CellTable&, std::int64_t,
                                  const std::function<NeighborTable(std::int64_t)>&);
template NeighborTable find_table(CallMemory&, PaperSearch, const PaperProblem<double>&, const CellTable&, std::int64_t,
                                  const std::function<NeighborTable(std::int64_t)>&);
template void run_paper_method(const NeighborSearch<float>&, PaperSearch, DeviceKind);
template void run_paper_method(const NeighborSearch<double>&, PaperSearch, DeviceKind);

}  // namespace shoal::neighbors
