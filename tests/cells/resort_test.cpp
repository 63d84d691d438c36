// SPDX-License-Identifier: Apache-2.0
// Sorts that follow each other, of points that moved a little, a lot or not at all: every method sorts each of them
// like `serial`, whatever it keeps of the previous sort.
#include <gtest/gtest.h>

#include <random>

#include "cells/cell_sorter.hpp"
#include "support/method_suite.hpp"

namespace shoal {
namespace {

using namespace testing_support;

/// The cells of some points, and the number of cells without the bucket.
struct Points {
  std::vector<std::uint32_t> cell;
  std::int64_t cells;

  Points(std::size_t n, std::int64_t count, unsigned seed) : cell(n), cells(count), random_(seed) { move(n); }

  /// Moves random points to random cells, the bucket included.
  void move(std::size_t moved) {
    std::uniform_int_distribution<std::uint32_t> any_cell(0, static_cast<std::uint32_t>(cells));
    const bool moves_every_point = moved == cell.size();
    for (std::size_t k = 0; k < moved; ++k) cell[moves_every_point ? k : random_() % cell.size()] = any_cell(random_);
  }

 private:
  std::mt19937_64 random_;
};

class EverySorter : public MethodTest {
 protected:
  cells::CellSorter sorter(const Queue& queue) const { return cells::CellSorter(queue, GetParam().name); }

  void expect_serial(const Queue& queue, cells::CellSorter& sorter, const Points& points) const {
    const Array<std::uint32_t> cells = to_device(queue, points.cell);
    sorter.sort(cells, points.cells);
    const Queue cpu = Queue::cpu(1);
    cells::CellSorter serial(cpu, "serial");
    serial.sort(points.cell, points.cells);
    EXPECT_EQ(to_host(queue, sorter.order()), to_host(cpu, serial.order()));
    EXPECT_EQ(to_host(queue, sorter.cell_start()), to_host(cpu, serial.cell_start()));
  }
};

INSTANTIATE_TEST_SUITE_P(AllMethods, EverySorter, testing::ValuesIn(methods("cells")), method_test_name);

TEST_P(EverySorter, FollowsPointsThatMoveALittle) {
  const Queue on = queue();
  for (const std::int64_t cells : {1, 7, 1'000, 100'000}) {
    cells::CellSorter sort = sorter(on);
    Points points(10'007, cells, 3);
    expect_serial(on, sort, points);
    for (int step = 0; step < 20; ++step) {
      points.move(static_cast<std::size_t>(step * step));
      expect_serial(on, sort, points);
    }
  }
}

TEST_P(EverySorter, FollowsPointsThatStay) {
  const Queue on = queue();
  cells::CellSorter sort = sorter(on);
  const Points points(1'009, 100, 3);
  for (int step = 0; step < 3; ++step) expect_serial(on, sort, points);
}

TEST_P(EverySorter, FollowsPointsThatAllMove) {
  const Queue on = queue();
  cells::CellSorter sort = sorter(on);
  Points points(1'009, 100, 3);
  for (const std::size_t moved : {1'009, 10, 1'009, 500, 0, 60, 70}) {
    points.move(moved);
    expect_serial(on, sort, points);
  }
}

TEST_P(EverySorter, FollowsOtherNumbersOfPointsAndCells) {
  const Queue on = queue();
  cells::CellSorter sort = sorter(on);
  for (const std::size_t n : {1'009, 1'008, 1'008, 1, 0, 1, 2, 1'009})
    for (const std::int64_t cells : {100, 101, 100}) expect_serial(on, sort, Points(n, cells, 3));
}

TEST_P(EverySorter, FollowsOnePointBetweenFullCells) {
  const Queue on = queue();
  cells::CellSorter sort = sorter(on);
  Points points(300, 3, 3);
  for (std::size_t i = 0; i < 300; ++i) points.cell[i] = static_cast<std::uint32_t>(i % 3);
  expect_serial(on, sort, points);
  for (const std::size_t i : {0, 150, 299})
    for (const std::uint32_t cell : {3U, 0U, 2U, 1U}) {  // 3 is the bucket
      points.cell[i] = cell;
      expect_serial(on, sort, points);
    }
}

TEST_P(EverySorter, GivesTheSameBitsForEveryNumberOfThreads) {
  if (GetParam().device != DeviceKind::cpu) GTEST_SKIP() << "threads are a choice on the cpu";
  for (const int threads : {1, 2, 16}) {
    const Queue on = Queue::cpu(threads);
    cells::CellSorter sort = sorter(on);
    Points points(5'003, 300, 3);
    for (const std::size_t moved : {0, 100, 3, 250}) {
      points.move(moved);
      expect_serial(on, sort, points);
    }
  }
}

TEST(Resort, TakesNoMoreMemoryWhenPointsMove) {
  const Queue on = Queue::cpu(3);
  cells::CellSorter sort(on, "resort");
  Points points(10'007, 1'000, 3);
  sort.sort(points.cell, points.cells);
  points.move(10);
  sort.sort(points.cell, points.cells);
  const std::int64_t bytes = sort.bytes();
  for (const std::size_t moved : {0, 300, 10'007, 1}) {
    points.move(moved);
    sort.sort(points.cell, points.cells);
    EXPECT_EQ(sort.bytes(), bytes) << moved;
  }
}

}  // namespace
}  // namespace shoal
