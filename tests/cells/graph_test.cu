// SPDX-License-Identifier: Apache-2.0
// Sorting into cells can be captured in a CUDA graph and replayed on new cells.
#include <gtest/gtest.h>

#include <random>

#include "cells/cell_sorter.hpp"
#include "support/cuda_graph.cuh"
#include "support/devices.hpp"

namespace shoal {
namespace {

std::vector<std::uint32_t> random_cells(std::size_t n, std::uint32_t most, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::uint32_t> pick(0, most);
  std::vector<std::uint32_t> cells(n);
  for (std::uint32_t& cell : cells) cell = pick(random);
  return cells;
}

class CellSorterGraph : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(CudaMethods, CellSorterGraph, testing::Values("radix", "counting"),
                         [](const auto& method) { return method.param + "_cuda"; });

TEST_P(CellSorterGraph, ReplaysOnNewCells) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  constexpr std::int64_t cell_count = 100;  // full cells, too
  constexpr std::size_t n = 100'000;
  const Queue queue = Queue::cuda(0);
  Array<std::uint32_t> first = to_device(queue, random_cells(n, cell_count, 1));
  const std::vector<std::uint32_t> second = random_cells(n, cell_count, 2);

  cells::CellSorter sorter(queue, GetParam());
  sorter.sort(first.view(), cell_count);  // allocates
  queue.wait();
  const testing_support::CudaGraph graph(queue, [&] { sorter.sort(first.view(), cell_count); });

  copy(queue, View<const std::uint32_t>(second), first.view());
  graph.launch();
  const Queue cpu = Queue::cpu(1);
  cells::CellSorter serial(cpu, "serial");
  serial.sort(View<const std::uint32_t>(second), cell_count);
  EXPECT_EQ(to_host(queue, sorter.order()), to_host(cpu, serial.order()));
  EXPECT_EQ(to_host(queue, sorter.cell_start()), to_host(cpu, serial.cell_start()));
}

}  // namespace
}  // namespace shoal
