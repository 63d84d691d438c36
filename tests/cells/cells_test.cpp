// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/cells.hpp>

#include <cmath>

#include "cells/cell_sorter.hpp"
#include "support/distributions.hpp"
#include "support/method_suite.hpp"

namespace shoal {
namespace {

using namespace testing_support;

/// Everything that a plan returns, on the host.
struct Binned {
  std::vector<std::int64_t> cell_start;
  std::vector<std::int32_t> order;
  std::vector<std::uint32_t> cell_of_point;

  bool operator==(const Binned&) const = default;
};

template <class Real>
Binned binned(const Queue& queue, const Cells<Real>& cells) {
  return {to_host(queue, cells.cell_start()), to_host(queue, cells.order()), to_host(queue, cells.cell_of_point())};
}

template <class Real>
Binned bin(const Queue& queue, const Grid& grid, const CellsOptions& options, const Distribution<Real>& points) {
  Cells<Real> cells(queue, grid, options);
  const DevicePoints<Real> device(queue, points);
  cells.bin(device.x, device.y, device.z);
  return binned(queue, cells);
}

template <class Real>
Binned serial(const Grid& grid, const Distribution<Real>& points, Outside outside = Outside::error) {
  return bin(Queue::cpu(1), grid, {.method = "serial", .outside = outside}, points);
}

const Grid unit_grids[] = {
    Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.1),
    Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.0371, {true, false, true}),
    Grid::fill(3, {-3, -2, 0}, {2, 1, 1}, 0.017),
    Grid::fill(2, {0, 0, 0}, {1, 1, 0}, 0.01),
    Grid::fill(2, {0, 0, 0}, {1, 1, 0}, 1),
    Grid{3, {0.25, -0.5, 0.5}, {0.125, 0.25, 0.3}, {2, 5, 3}, {true, true, true}},
};

class EveryCellsMethod : public MethodTest {
 protected:
  CellsOptions options(Outside outside = Outside::error) const { return {GetParam().name, outside}; }
};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryCellsMethod, testing::ValuesIn(methods("cells")), method_test_name);

TEST_P(EveryCellsMethod, SixPointsByHand) {
  const Grid grid{2, {0, 0, 0}, {1, 1, 1}, {3, 2, 1}, {}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(2.5, 1.5, 0);  // cell 5
  points.add(0.5, 0.5, 0);  // cell 0
  points.add(1.0, 0.0, 0);  // cell 1: a lower edge belongs to the cell above it
  points.add(3.0, 2.0, 0);  // cell 5: the upper bound belongs to the last cell
  points.add(0.0, 1.0, 0);  // cell 3
  points.add(0.9, 0.9, 0);  // cell 0
  const Binned result = bin(queue(), grid, options(), points);
  EXPECT_EQ(result.cell_of_point, (std::vector<std::uint32_t>{5, 0, 1, 5, 3, 0}));
  EXPECT_EQ(result.order, (std::vector<std::int32_t>{1, 5, 2, 4, 0, 3}));
  EXPECT_EQ(result.cell_start, (std::vector<std::int64_t>{0, 2, 3, 3, 4, 4, 6}));
}

template <class Real>
void expect_serial_bits(const Queue& queue, const CellsOptions& options) {
  for (const std::int64_t n : {0, 1, 131, 42'793})
    for (const Distribution<Real>& points : every_distribution<Real>(n))
      for (const Grid& grid : unit_grids) {
        if (options.outside == Outside::error && grid.cell_count() == 30) continue;  // does not hold the unit box
        const Binned expected = serial(grid, points, options.outside);
        EXPECT_TRUE(bin(queue, grid, options, points) == expected)
            << points.name << ", n = " << n << ", " << grid.cell_count() << " cells";
      }
}

TEST_P(EveryCellsMethod, GivesTheBitsOfSerialInFloat) { expect_serial_bits<float>(queue(), options()); }
TEST_P(EveryCellsMethod, GivesTheBitsOfSerialInDouble) { expect_serial_bits<double>(queue(), options()); }
TEST_P(EveryCellsMethod, GivesTheBitsOfSerialWithABucket) {
  expect_serial_bits<float>(queue(), options(Outside::bucket));
}

TEST_P(EveryCellsMethod, GivesTheSameBitsForEveryNumberOfThreads) {
  if (GetParam().device != DeviceKind::cpu) GTEST_SKIP() << "threads are a choice on the cpu";
  const Distribution<double> points = clustered<double>(42'793);
  const Grid& grid = unit_grids[1];
  const Binned expected = serial(grid, points);
  for (const int threads : {1, 2, 5, 16})
    EXPECT_TRUE(bin(Queue::cpu(threads), grid, options(), points) == expected) << threads;
}

TEST_P(EveryCellsMethod, OrdersByCellThenByPoint) {
  const Distribution<float> points = clustered<float>(42'793);
  const Binned result = bin(queue(), unit_grids[0], options(), points);
  ASSERT_EQ(result.cell_start.size(), 1001u);
  ASSERT_EQ(result.cell_start.back(), points.count());
  for (std::size_t cell = 0; cell < 1000; ++cell)
    for (std::int64_t k = result.cell_start[cell]; k < result.cell_start[cell + 1]; ++k) {
      const std::int32_t point = result.order[static_cast<std::size_t>(k)];
      ASSERT_EQ(result.cell_of_point[static_cast<std::size_t>(point)], cell);
      const bool first = k == result.cell_start[cell];
      ASSERT_TRUE(first || result.order[static_cast<std::size_t>(k - 1)] < point);
    }
}

TEST_P(EveryCellsMethod, PutsPointsWithoutACellIntoTheBucket) {
  const Grid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.5);
  Distribution<float> points = uniform<float>(7);
  points.x[1] = 1.5f;
  points.y[3] = std::nanf("");
  points.z[4] = INFINITY;
  points.x[6] = -1e-30f;
  const Binned result = bin(queue(), grid, options(Outside::bucket), points);
  ASSERT_EQ(result.cell_start.size(), 10u);
  EXPECT_EQ(result.cell_start[8], 3);
  EXPECT_EQ(result.cell_start[9], 7);
  EXPECT_EQ(std::vector<std::int32_t>(result.order.begin() + 3, result.order.end()),
            (std::vector<std::int32_t>{1, 3, 4, 6}));
  EXPECT_EQ(result.cell_of_point[3], 8u);
}

TEST_P(EveryCellsMethod, ManyMoreCellsThanPoints) {
  const Grid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.005);
  const Distribution<double> points = uniform<double>(131);
  EXPECT_TRUE(bin(queue(), grid, options(), points) == serial(grid, points));
}

TEST_P(EveryCellsMethod, ASecondBinningAllocatesNothing) {
  const Queue on = queue();
  Cells<float> cells(on, unit_grids[0], options());
  const DevicePoints<float> first(on, uniform<float>(42'793, 5));
  const Distribution<float> moved = uniform<float>(42'793, 6);
  const DevicePoints<float> second(on, moved);
  cells.bin(first.x, first.y, first.z);
  const void* before[] = {cells.cell_start().data, cells.order().data, cells.cell_of_point().data};
  cells.bin(second.x, second.y, second.z);
  const void* after[] = {cells.cell_start().data, cells.order().data, cells.cell_of_point().data};
  EXPECT_TRUE(std::equal(before, before + 3, after));
  EXPECT_TRUE(binned(on, cells) == serial(unit_grids[0], moved));
}

TEST_P(EveryCellsMethod, AnArrayOfStructuresComesInAsItIs) {
  const Queue on = queue();
  const Distribution<double> points = uniform<double>(131);
  std::vector<double> interleaved;
  for (std::size_t i = 0; i < points.x.size(); ++i)
    interleaved.insert(interleaved.end(), {points.x[i], points.y[i], points.z[i], -7.0});
  const Array<double> array = to_device(on, interleaved);
  const auto member = [&](int k) { return View<const double>(array.data() + k, 131, on.device(), 4); };
  Cells<double> cells(on, unit_grids[0], options());
  cells.bin(member(0), member(1), member(2));
  EXPECT_TRUE(binned(on, cells) == serial(unit_grids[0], points));
}

template <class T>
void expect_reordered(const Queue& queue, const Cells<float>& cells) {
  const std::vector<std::int32_t> order = to_host(queue, cells.order());
  std::vector<T> values(order.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(3 * i + 1);
  std::vector<T> expected;
  for (const std::int32_t point : order) expected.push_back(values[static_cast<std::size_t>(point)]);
  const Array<T> in = to_device(queue, values);
  Array<T> out(queue, in.count());
  cells.reorder(in, out);
  EXPECT_EQ(to_host(queue, out), expected);
}

TEST_P(EveryCellsMethod, ReordersArraysOfEveryType) {
  const Queue on = queue();
  Cells<float> cells(on, unit_grids[0], options());
  const DevicePoints<float> points(on, uniform<float>(131));
  cells.bin(points.x, points.y, points.z);
  expect_reordered<float>(on, cells);
  expect_reordered<double>(on, cells);
  expect_reordered<std::int32_t>(on, cells);
  expect_reordered<std::int64_t>(on, cells);
}

TEST_P(EveryCellsMethod, SortsKnownCells) {
  const Queue on = queue();
  cells::CellSorter sorter(on, GetParam().name);
  const Array<std::uint32_t> keys = to_device(on, std::vector<std::uint32_t>{2, 3, 0, 2, 3, 0, 0});
  sorter.sort(keys, 3);
  EXPECT_EQ(to_host(on, sorter.cell_start()), (std::vector<std::int64_t>{0, 3, 3, 5, 7}));
  EXPECT_EQ(to_host(on, sorter.order()), (std::vector<std::int32_t>{2, 5, 6, 0, 3, 1, 4}));
  EXPECT_EQ(sorter.method().name, GetParam().name);
}

TEST(Cells, TwoDimensionsNeedNoZ) {
  const Queue queue = Queue::cpu(2);
  Cells<float> cells(queue, Grid::fill(2, {}, {1, 1, 0}, 0.5));
  const std::vector<float> x{0.9f, 0.1f};
  cells.bin(x, x);
  EXPECT_EQ(to_host(queue, cells.order()), (std::vector<std::int32_t>{1, 0}));
}

TEST(Cells, AutoSelectsADeterministicMethodByTheNumberOfThreads) {
  for (const auto& [threads, name] : {std::pair(1, "serial"), {3, "serial"}, {4, "counting"}, {16, "counting"}}) {
    const Cells<double> cells(Queue::cpu(threads), unit_grids[0]);
    EXPECT_TRUE(cells.method().deterministic);
    EXPECT_EQ(cells.method().name, name) << threads << " threads";
    EXPECT_EQ(cells.method().device, DeviceKind::cpu);
  }
}

TEST(Cells, AutoOnFewThreadsSelectsByTheNumberOfPoints) {
  cells::CellSorter sorter(Queue::cpu(2));
  for (const auto& [points, name] : {std::pair(5'999'999, "serial"), {6'000'000, "counting"}, {7, "serial"}}) {
    const std::vector<std::uint32_t> keys(static_cast<std::size_t>(points), 1);
    sorter.sort({keys.data(), points}, 2);
    EXPECT_EQ(sorter.method().name, name) << points;
    EXPECT_EQ(sorter.cell_start().data[1], 0);
    EXPECT_EQ(sorter.cell_start().data[2], points);
  }
}

}  // namespace
}  // namespace shoal
