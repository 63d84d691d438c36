// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_reduce.cuh>

#include "core/cuda/cub_call.cuh"
#include "core/cuda/kernel_resources.cuh"
#include "neighbors/paper/call_memory.cuh"
#include "neighbors/paper/paper_search.cuh"

namespace shoal::neighbors {

namespace {

/// Kernel `gencellpop` of the paper: one thread for each point increments the population of its cell.
template <class Real>
__global__ void count_in_cells(SearchGrid<Real> cubes, PointReader<Real> points, std::int64_t n,
                               std::int32_t* population) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  const std::uint32_t cell = cell_or_fault<Real>(cubes.cells, points, i, nullptr);
  if (cell < cubes.cells.cell_count()) atomicAdd(population + cell, 1);
}

/// Kernel `pop_cells` of the paper: one thread for each point appends it to its cell.
template <class Real>
__global__ void append_to_cells(SearchGrid<Real> cubes, PointReader<Real> points, std::int64_t n, std::int64_t width,
                                std::int32_t* population, std::int32_t* rows) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  const std::uint32_t cell = cell_or_fault<Real>(cubes.cells, points, i, nullptr);
  if (cell >= cubes.cells.cell_count()) return;
  const std::int32_t position = atomicAdd(population + cell, 1);
  rows[cell * width + position] = static_cast<std::int32_t>(i);
}

std::int32_t max_population(CallMemory& memory, const std::int32_t* population, std::int64_t cells,
                            std::int32_t* largest) {
  call_cub(memory.scratch(), [&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::Max(storage, bytes, population, largest, cells, stream_of(memory.queue()));
  });
  std::int32_t on_host = 0;
  copy_bytes(memory.queue(), &on_host, {}, largest, memory.queue().device(), sizeof on_host);
  return on_host;
}

}  // namespace

template <class Real>
CellTable bin_points(CallMemory& memory, const PaperProblem<Real>& problem) {
  const Queue& queue = memory.queue();
  const PointReader<Real>& points = problem.pairs.sources;
  const std::int64_t n = problem.pairs.source_count;
  const std::int64_t cells = problem.cubes.cells.cell_count();
  auto* population = memory.array<std::int32_t>("the population of the cells", {cells});
  auto* largest = memory.array<std::int32_t>("the largest population", {1});
  const std::size_t bytes = static_cast<std::size_t>(cells) * sizeof(std::int32_t);
  fill_bytes(queue, population, 0, bytes);
  launch(queue, n, count_in_cells<Real>, problem.cubes, points, n, population);
  CellTable table;
  table.width = max_population(memory, population, cells, largest);
  auto* rows = memory.array<std::int32_t>("the table of cells x largest population", {cells, table.width});
  table.points = rows;
  fill_bytes(queue, rows, 0xff, bytes * static_cast<std::size_t>(table.width));  // -1
  fill_bytes(queue, population, 0, bytes);
  launch(queue, n, append_to_cells<Real>, problem.cubes, points, n, table.width, population, rows);
  return table;
}

template CellTable bin_points(CallMemory&, const PaperProblem<float>&);
template CellTable bin_points(CallMemory&, const PaperProblem<double>&);

template <class Real>
std::vector<KernelResources> binning_kernels() {
  return {resources_of("gencellpop", count_in_cells<Real>), resources_of("pop_cells", append_to_cells<Real>)};
}

template std::vector<KernelResources> binning_kernels<float>();
template std::vector<KernelResources> binning_kernels<double>();

}  // namespace shoal::neighbors
