// SPDX-License-Identifier: Apache-2.0
// The order in which bin() leaves particles, on grids whose cell numbers have one digit of ten bits and more.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "deposit/deposit_cases.hpp"
#include "support/method_suite.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class DepositBinning : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, DepositBinning, every_device, device_test_name);

/// A grid of the unit square whose numbers of cells are powers of two, so that cells are exact in floating point.
Grid grid_of(std::int64_t x_cells, std::int64_t y_cells) {
  return {2,
          {0, 0, 0},
          {1.0 / static_cast<double>(x_cells), 1.0 / static_cast<double>(y_cells), 1},
          {x_cells, y_cells, 1},
          {}};
}

template <class Real>
std::vector<std::int64_t> cells_of(const Grid& grid, const Distribution<Real>& points) {
  std::vector<std::int64_t> cells;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const auto along = [&](int axis, Real coordinate) {
      const auto cell = static_cast<std::int64_t>(std::floor(coordinate * static_cast<Real>(grid.cells[axis])));
      return std::min(cell, grid.cells[axis] - 1);
    };
    cells.push_back(along(0, points.x[i]) + grid.cells[0] * along(1, points.y[i]));
  }
  return cells;
}

template <class Real>
void expect_sorted(const Queue& queue, const Grid& grid, const Distribution<Real>& points) {
  const std::vector<std::int64_t> cells = cells_of(grid, points);
  std::vector<std::int32_t> expected(cells.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::int32_t a, std::int32_t b) { return cells[a] < cells[b]; });
  Deposit<Real> deposit(queue, grid);
  const DevicePoints<Real> device(queue, points);
  bin(deposit, device);
  queue.wait();
  EXPECT_EQ(to_host(queue, deposit.order()), expected);
  const std::vector<std::int64_t> start = to_host(queue, deposit.cell_start());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const auto cell = static_cast<std::size_t>(cells[expected[k]]);
    ASSERT_LE(start[cell], static_cast<std::int64_t>(k));
    ASSERT_GT(start[cell + 1], static_cast<std::int64_t>(k));
  }
}

TEST_P(DepositBinning, SortsByCellThenByNumberForAnyNumberOfCells) {
  for (const int bits : {0, 1, 9, 10, 11, 19, 20, 21, 23}) {
    const Grid grid = grid_of(std::int64_t{1} << (bits / 2), std::int64_t{1} << (bits - bits / 2));
    SCOPED_TRACE(grid.cell_count());
    expect_sorted(queue(), grid, uniform<float>(20'011));
    expect_sorted(queue(), grid, clustered<double>(20'011));
  }
}

TEST_P(DepositBinning, SortsAnyNumberOfParticles) {
  const Grid grid = grid_of(512, 1024);
  for (const std::int64_t n : {0, 1, 31, 4095, 4096, 4097, 200'003}) {
    SCOPED_TRACE(n);
    expect_sorted(queue(), grid, uniform<float>(n));
    expect_sorted(queue(), grid, one_hot<double>(n));
  }
}

}  // namespace
}  // namespace shoal
