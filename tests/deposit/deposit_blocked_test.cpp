// SPDX-License-Identifier: Apache-2.0
#include "deposit/deposit_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class BlockedCells : public EveryDepositMethod {};
INSTANTIATE_TEST_SUITE_P(AllMethods, BlockedCells, testing::ValuesIn(methods("deposit")), method_test_name);

/// Cells 0, 1, 2 along x; 0 and 1 are blocked. Nodes 0 and 1 (4 and 5 above) have no open cell, nodes 2 and 3 have.
DepositGrid wall() {
  DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {3, 1, 1}, {}};
  grid.blocked = {1, 1, 0};
  return grid;
}

Distribution<double> in_cell_1_and_2() {
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(1.25, 0, 0);  // a quarter into a blocked cell: 3/4 to node 1, 1/4 to node 2
  points.add(2.5, 0, 0);   // in the open cell
  points.add(1.0, 1, 0);   // on blocked node 5
  return points;
}

const std::vector<double> values = {8, 2, 16};

TEST_P(BlockedCells, DroppedSharesAreLost) {
  const Queue on = queue();
  DepositOptions how = options();
  how.blocked = DepositBlocked::drop;
  Deposit<double> deposit(on, wall(), how);
  const DevicePoints<double> points(on, in_cell_1_and_2());
  bin(deposit, points);
  EXPECT_EQ(to_nodes(on, deposit, values), (std::vector<double>{0, 0, 3, 1, 0, 0, 0, 0}));
  EXPECT_EQ(deposit.lost(to_device(on, values)), 6 + 16);
}

TEST_P(BlockedCells, RedistributedSharesStayInTheCell) {
  const Queue on = queue();
  DepositOptions how = options();
  how.blocked = DepositBlocked::redistribute;
  Deposit<double> deposit(on, wall(), how);
  const DevicePoints<double> points(on, in_cell_1_and_2());
  bin(deposit, points);
  // The first goes to node 2 whole; the last has no open share at all, and gives nodes 2 and 6 half each.
  EXPECT_EQ(to_nodes(on, deposit, values), (std::vector<double>{0, 0, 8 + 1 + 8, 1, 0, 0, 8, 0}));
  EXPECT_EQ(deposit.lost(to_device(on, values)), 0);
}

TEST_P(BlockedCells, TotalsWithBlockedCells) {
  DepositGrid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.25, {false, true, false});
  grid.blocked.assign(64, 0);
  for (const std::size_t cell : {0, 12, 51, 63}) grid.blocked[cell] = 1;  // all cells around two nodes
  const std::vector<double> values_of_all = values_of<double>(4279);
  const auto total = static_cast<double>(total_of(values_of_all));
  const double tolerance = 1e-12 * static_cast<double>(total_of(sizes_of(values_of_all)));
  const Queue on = queue();
  const DevicePoints<double> points(on, uniform<double>(4279));
  for (const DepositBlocked blocked : {DepositBlocked::drop, DepositBlocked::redistribute}) {
    DepositOptions how = options();
    how.blocked = blocked;
    Deposit<double> deposit(on, grid, how);
    bin(deposit, points);
    const double nodes = static_cast<double>(total_of(to_nodes(on, deposit, values_of_all)));
    const double lost = deposit.lost(to_device(on, values_of_all));
    EXPECT_NEAR(nodes + lost, total, tolerance) << to_name(blocked);
    EXPECT_EQ(lost == 0, blocked == DepositBlocked::redistribute);
  }
}

TEST_P(BlockedCells, AgreeWithSerial) {
  DepositGrid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.25, {false, true, false});
  grid.blocked.assign(64, 0);
  for (const std::size_t cell : {0, 12, 51, 63}) grid.blocked[cell] = 1;
  const Distribution<double> points = uniform<double>(4279);
  const std::vector<double> values_of_all = values_of<double>(4279);
  for (const DepositBlocked blocked : {DepositBlocked::drop, DepositBlocked::redistribute}) {
    DepositOptions how = options();
    how.blocked = blocked;
    const std::vector<double> expected = serial(grid, how, points, values_of_all);
    const std::vector<double> result = deposited(queue(), grid, how, points, values_of_all);
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_NEAR(result[i], expected[i], 1e-11) << i << to_name(blocked);
  }
}

class DepositBlockedErrors : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, DepositBlockedErrors, every_device, device_test_name);

std::string message_of_binning(const Queue& queue, const DepositGrid& grid, DepositBlocked blocked,
                               const Distribution<double>& from) {
  Deposit<double> deposit(queue, grid, {.blocked = blocked});
  const DevicePoints<double> points(queue, from);
  bin(deposit, points);
  return message_of([&] { queue.wait(); });
}

TEST_P(DepositBlockedErrors, NameTheFirstParticleInABlockedCell) {
  Distribution<double> points = in_cell_1_and_2();
  std::swap(points.x[0], points.x[1]);
  EXPECT_EQ(message_of_binning(queue(), wall(), DepositBlocked::report, points),
            "deposit: particle 1 is in cell 1, which is blocked. Move it, open the cell or set blocked = \"drop\" or "
            "\"redistribute\".");
}

TEST_P(DepositBlockedErrors, AreNotToldOfTheParticlesOfALaterCall) {
  const Queue on = queue();
  Deposit<double> deposit(on, wall());
  Distribution<double> from = in_cell_1_and_2();
  const DevicePoints<double> bad(on, from);
  from.x = {2.5, 2.5, 2.5};
  const DevicePoints<double> good(on, from);
  bin(deposit, bad);
  bin(deposit, good);
  EXPECT_EQ(message_of([&] { on.wait(); }).substr(0, 50), "deposit: particle 0 is in cell 1, which is blocked");
}

TEST_P(DepositBlockedErrors, NameTheFirstParticleWithoutAnOpenNode) {
  Distribution<double> points = in_cell_1_and_2();
  points.add(0.5, 0.5, 0);
  EXPECT_EQ(message_of_binning(queue(), wall(), DepositBlocked::redistribute, points),
            "deposit: particle 3 is in cell 0, none of whose nodes is open, so its value cannot be redistributed. Move "
            "it or set blocked = \"drop\".");
  EXPECT_EQ(message_of_binning(queue(), wall(), DepositBlocked::drop, points), "no error");
}

TEST_P(DepositBlockedErrors, PeriodicNodesLookAroundTheEnd) {
  DepositGrid grid = wall();
  grid.grid.periodic[0] = true;  // node 0 now has cell 2 beside it
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(0.25, 0, 0);
  EXPECT_EQ(message_of_binning(queue(), grid, DepositBlocked::redistribute, points), "no error");
}

}  // namespace
}  // namespace shoal
