// SPDX-License-Identifier: Apache-2.0
// Particle values to cells: numbers by hand, a sum over all particles and cells as reference, blocked cells, repeated bins.
#include <algorithm>
#include <cmath>

#include "deposit/deposit_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class ToCells : public EveryDepositMethod {
 protected:
  void SetUp() override {
    EveryDepositMethod::SetUp();
    if (!IsSkipped()) on = queue();
  }

  /// Values of the cells of a plan, on the host.
  std::vector<double> cells(Deposit<double>& deposit, const std::vector<double>& values) const {
    const Array<double> device_values = to_device(on, values);
    Array<double> device_cells(on, deposit.grid().cell_count());
    deposit.to_cells(device_values, device_cells);
    return to_host(on, device_cells);
  }

  /// Values of the cells for one particle of value 8 in a 2-D grid.
  std::vector<double> cells_of_one(const DepositGrid& grid, double x, double y, DepositOptions how) const {
    Deposit<double> deposit(on, grid, how);
    const Array<double> device_x = to_device(on, std::vector<double>{x});
    const Array<double> device_y = to_device(on, std::vector<double>{y});
    deposit.bin(device_x, device_y);
    return cells(deposit, {8});
  }
  std::vector<double> cells_of_one(const DepositGrid& grid, double x, double y = 0.5) const {
    return cells_of_one(grid, x, y, options());
  }

  Queue on = Queue::cpu();
};
INSTANTIATE_TEST_SUITE_P(AllMethods, ToCells, testing::ValuesIn(methods("deposit")), method_test_name);

DepositGrid unit_row(bool periodic = false) { return Grid{2, {0, 0, 0}, {1, 1, 1}, {4, 1, 1}, {periodic}}; }

TEST_P(ToCells, GoToTheCellsWithinOneWidthOfTheirCenter) {
  EXPECT_EQ(cells_of_one(unit_row(), 1.75), (std::vector<double>{0, 6, 2, 0}));
  EXPECT_EQ(cells_of_one(unit_row(), 1.25), (std::vector<double>{2, 6, 0, 0}));
  EXPECT_EQ(cells_of_one(unit_row(), 1.5), (std::vector<double>{0, 8, 0, 0}));
  const std::vector<double> near_its_end = cells_of_one(unit_row(), 1.9);
  EXPECT_EQ(near_its_end[0], 0);  // its center is 1.4 widths away
  EXPECT_DOUBLE_EQ(near_its_end[1], 4.8);
  EXPECT_DOUBLE_EQ(near_its_end[2], 3.2);
}

TEST_P(ToCells, ShareBetweenFourCellsInTheirProportions) {
  const DepositGrid square = Grid{2, {0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {}};
  EXPECT_EQ(cells_of_one(square, 0.75, 1), (std::vector<double>{3, 1, 3, 1}));
}

TEST_P(ToCells, GoToTheLastCellBeyondItsCenter) {
  EXPECT_EQ(cells_of_one(unit_row(), 0.25), (std::vector<double>{8, 0, 0, 0}));
  EXPECT_EQ(cells_of_one(unit_row(), 4), (std::vector<double>{0, 0, 0, 8}));
  EXPECT_EQ(cells_of_one(Grid{2, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {}}, 0.9), (std::vector<double>{8}));
}

TEST_P(ToCells, GoAcrossAPeriodicBoundary) {
  EXPECT_EQ(cells_of_one(unit_row(true), 0.25), (std::vector<double>{6, 0, 0, 2}));
  EXPECT_EQ(cells_of_one(unit_row(true), 3.75), (std::vector<double>{2, 0, 0, 6}));
}

TEST_P(ToCells, MeasureDistancesBetweenCentersOfUnequalCells) {
  DepositGrid grid = unit_row();
  grid.stretch(0, {0, 1, 4, 5});  // centers at 0.5, 2.5 and 4.5
  EXPECT_EQ(cells_of_one(grid, 1), (std::vector<double>{6, 2, 0}));
  EXPECT_EQ(cells_of_one(grid, 0.75), (std::vector<double>{7, 1, 0}));
  EXPECT_DOUBLE_EQ(cells_of_one(grid, 3.5)[1], 4);
}

TEST_P(ToCells, RedistributeSharesOfBlockedCells) {
  DepositGrid grid = unit_row();
  grid.blocked = {1, 0, 0, 0};
  EXPECT_EQ(cells_of_one(grid, 1.25), (std::vector<double>{0, 8, 0, 0}));
  DepositOptions how = options();
  how.blocked = DepositBlocked::drop;
  EXPECT_EQ(cells_of_one(grid, 1.25, 0.5, how), (std::vector<double>{0, 6, 0, 0}));
}

TEST_P(ToCells, NameAParticleWithoutAnOpenCell) {
  DepositGrid grid = unit_row();
  grid.blocked = {1, 1, 0, 0};
  DepositOptions how = options();
  how.blocked = DepositBlocked::redistribute;
  EXPECT_EQ(message_of([&] { cells_of_one(grid, 1.25, 0.5, how); }),
            "deposit: no cell around particle 0 is open, so its value cannot be redistributed to cells. Move it or set "
            "blocked = \"drop\".");
  EXPECT_EQ(cells_of_one(grid, 1.75, 0.5, how), (std::vector<double>{0, 0, 8, 0}));
}

/// Weights of the cells along an axis by the distance from their centers.
std::vector<double> weights_along(const DepositGrid& grid, int axis, double x) {
  const auto count = static_cast<std::size_t>(grid.grid.cells[axis]);
  std::vector<double> nodes = grid.nodes[axis];
  for (std::size_t i = 0; grid.nodes[axis].empty() && i <= count; ++i)
    nodes.push_back(grid.grid.origin[axis] + static_cast<double>(i) * grid.grid.spacing[axis]);
  std::vector<double> centers, weights(count, 0);
  for (std::size_t i = 0; i < count; ++i) centers.push_back((nodes[i] + nodes[i + 1]) / 2);
  const double period = nodes.back() - nodes.front();
  if (grid.grid.periodic[axis]) {
    x -= std::floor((x - centers[0]) / period) * period;
    centers.push_back(centers[0] + period);
  }
  x = std::clamp(x, centers.front(), centers.back());
  for (std::size_t i = 0; i < centers.size(); ++i) {
    const double below = i > 0 ? centers[i] - centers[i - 1] : 1;
    const double above = i + 1 < centers.size() ? centers[i + 1] - centers[i] : 1;
    const double distance = x < centers[i] ? (centers[i] - x) / below : (x - centers[i]) / above;
    weights[i % count] += std::max(0.0, 1 - distance);
  }
  return weights;
}

std::vector<double> by_distances(const DepositGrid& grid, const Distribution<double>& points,
                                 const std::vector<double>& values) {
  std::vector<double> cells(static_cast<std::size_t>(grid.cell_count()), 0);
  for (std::size_t p = 0; p < values.size(); ++p) {
    const std::vector<double> wx = weights_along(grid, 0, points.x[p]), wy = weights_along(grid, 1, points.y[p]);
    const std::vector<double> wz =
        grid.grid.dimensions == 3 ? weights_along(grid, 2, points.z[p]) : std::vector<double>{1};
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      cells[cell] +=
          wx[cell % wx.size()] * wy[cell / wx.size() % wy.size()] * wz[cell / wx.size() / wy.size()] * values[p];
  }
  return cells;
}

TEST_P(ToCells, AreTheSumsOverAllParticlesByDistance) {
  const Distribution<double> points = uniform<double>(131);
  const DevicePoints<double> on_device(on, points);
  const std::vector<double> values = values_of<double>(131);
  for (const DepositGrid& grid : unit_box_grids()) {
    Deposit<double> deposit(on, grid, options());
    bin(deposit, on_device);
    const std::vector<double> result = cells(deposit, values), expected = by_distances(grid, points, values);
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_NEAR(result[i], expected[i], 1e-11) << i;
  }
}

TEST_P(ToCells, KeepTheTotal) {
  const DevicePoints<double> points(on, uniform<double>(4279));
  const std::vector<double> values = values_of<double>(4279);
  for (const DepositGrid& grid : unit_box_grids()) {
    Deposit<double> deposit(on, grid, options());
    bin(deposit, points);
    const std::vector<double> result = cells(deposit, values);
    EXPECT_NEAR(static_cast<double>(total_of(result)), static_cast<double>(total_of(values)), 1e-10);
  }
}

TEST_P(ToCells, FollowANewBinAndANewOrderOfValues) {
  const DepositGrid grid = unit_box_grids()[0];
  Deposit<double> deposit(on, grid, options()), fresh(on, grid, options());
  const DevicePoints<double> first(on, uniform<double>(131, 1)), second(on, uniform<double>(131, 2));
  const std::vector<double> values = values_of<double>(131);
  bin(deposit, first);
  const std::vector<double> before = cells(deposit, values);
  bin(deposit, second);
  bin(fresh, second);
  const std::vector<double> after = cells(deposit, values);
  std::vector<double> sizes = values;
  for (double& size : sizes) size = std::abs(size);
  sizes = cells(fresh, sizes);
  expect_the_same(GetParam(), 131, after, cells(fresh, values), sizes);
  EXPECT_NE(after, before);
  std::vector<double> in_cell_order;
  for (const std::int32_t particle : to_host(on, deposit.order()))
    in_cell_order.push_back(values[static_cast<std::size_t>(particle)]);
  deposit.values_are_in_cell_order();
  expect_the_same(GetParam(), 131, cells(deposit, in_cell_order), after, sizes);
}

TEST_P(ToCells, GetNothingFromSkippedParticles) {
  DepositOptions how = options();
  how.outside = DepositOutside::skip;
  EXPECT_EQ(cells_of_one(unit_row(), 7, 0.5, how), (std::vector<double>{0, 0, 0, 0}));
}

TEST_P(ToCells, HaveTheBitsOfTheCpu) {
  if (!is_canonical(GetParam())) GTEST_SKIP() << "not the canonical sum";
  const Distribution<double> points = uniform<double>(4279);
  const std::vector<double> values = values_of<double>(4279);
  for (const DepositGrid& grid : unit_box_grids()) {
    const Queue cpu = Queue::cpu(2);
    Deposit<double> deposit(on, grid, options()), expected(cpu, grid, {.method = "sorted"});
    const DevicePoints<double> on_device(on, points), on_cpu(cpu, points);
    bin(deposit, on_device);
    bin(expected, on_cpu);
    const Array<double> cpu_values = to_device(cpu, values);
    Array<double> cpu_cells(cpu, grid.cell_count());
    expected.to_cells(cpu_values, cpu_cells);
    EXPECT_EQ(cells(deposit, values), to_host(cpu, cpu_cells));
  }
}

}  // namespace
}  // namespace shoal
