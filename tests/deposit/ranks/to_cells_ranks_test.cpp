// SPDX-License-Identifier: Apache-2.0
// Particle values to cells on slabs of ranks, which are threads here: the bits of one rank, and one error on all ranks.
#include "deposit/ranks/rank_particles.hpp"

namespace shoal {
namespace {

using namespace testing_support;

/// Order in which a plan gets values.
enum class Order { by_number, by_cell };

/// Values and their squares to cells: one after the other in memory, both strided.
template <class Real>
std::vector<Real> cells_of_two(const Queue& queue, Deposit<Real>& deposit, std::int64_t cells,
                               const std::vector<Real>& values) {
  std::vector<Real> pairs;
  for (const Real value : values) pairs.insert(pairs.end(), {value, value * value});
  const Array<Real> memory = to_device(queue, pairs);
  const auto count = static_cast<std::int64_t>(values.size());
  const View<const Real> in[] = {{memory.data(), count, queue.device(), 2},
                                 {memory.data() + 1, count, queue.device(), 2}};
  Array<Real> first(queue, cells), second(queue, cells);
  const View<Real> out[] = {first.view(), second.view()};
  deposit.to_cells(in[1], out[1]);  // a second call needs no positions
  deposit.to_cells(in, out);
  std::vector<Real> result = to_host(queue, first);
  const std::vector<Real> squares = to_host(queue, second);
  result.insert(result.end(), squares.begin(), squares.end());
  return result;
}

template <class Real>
std::vector<Real> cells_on(const Queue& queue, Deposit<Real>& deposit, std::int64_t cells,
                           const Distribution<Real>& points, std::vector<Real> values, Order order) {
  const DevicePoints<Real> device(queue, points);
  bin(deposit, device);
  if (order == Order::by_cell) {
    std::vector<Real> sorted;
    for (const std::int32_t number : to_host(queue, deposit.order()))
      sorted.push_back(values[static_cast<std::size_t>(number)]);
    values = sorted;
    deposit.values_are_in_cell_order();
  }
  return cells_of_two(queue, deposit, cells, values);
}

template <class Real>
void expect_cells_of_one_rank(DeviceKind device, const DepositGrid& grid, const DepositOptions& options,
                              const Distribution<Real>& points_of_all, int ranks, Order order = Order::by_number) {
  const std::vector<Real> values = values_of<Real>(static_cast<std::int64_t>(points_of_all.x.size()));
  const Queue alone = queue_on(device);
  Deposit<Real> one(alone, grid, options);
  const std::vector<Real> expected = cells_on(alone, one, grid.cell_count(), points_of_all, values, order);
  const std::vector<std::int64_t> layer = layers_of(grid, options, points_of_all);
  const Slabs slabs = slabs_of(grid, layer, ranks);
  const std::int64_t cells_of_layer = grid.cell_count() / slabs.layers();
  run_on_ranks(ranks, [&](const Communicator& group) {
    const Queue queue = queue_on(device);
    Deposit<Real> deposit(queue, grid, options, slabs, group);
    const RankParticles<Real> part = particles_of(group, slabs, layer, points_of_all);
    const std::int64_t count = cells_of_layer * slabs.count(group.rank());
    const std::vector<Real> cells = cells_on(queue, deposit, count, part.points, part.values(values), order);
    const auto first = static_cast<std::size_t>(deposit.first_cell()), length = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t square = static_cast<std::size_t>(grid.cell_count()) + first + i;
      ASSERT_EQ(cells[i], expected[first + i])
          << points_of_all.name << ", cell " << first + i << " on rank " << group.rank() << " of " << ranks;
      ASSERT_EQ(cells[length + i], expected[square]) << points_of_all.name << ", square in cell " << first + i;
    }
  });
}

class ToCellsOfRanks : public EveryDepositMethod {
 protected:
  void SetUp() override {
    EveryDepositMethod::SetUp();
    if (!IsSkipped() && !GetParam().deterministic) GTEST_SKIP() << "not promised";
  }
  template <class Real>
  void expect_on_all_grids() {
    for (const DepositGrid& grid : unit_box_grids()) {
      const std::int64_t layers = grid.grid.cells[static_cast<std::size_t>(grid.grid.dimensions - 1)];
      for (const int ranks : {2, 3, 4}) {
        if (ranks > layers) continue;
        for (const Distribution<Real>& points :
             {uniform<Real>(1311), clustered<Real>(3000), one_hot<Real>(600), uniform<Real>(0)})
          expect_cells_of_one_rank(GetParam().device, grid, options(), points, ranks);
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(AllMethods, ToCellsOfRanks, testing::ValuesIn(methods("deposit")), method_test_name);

TEST_P(ToCellsOfRanks, HaveTheBitsOfOneRankInFloat) { expect_on_all_grids<float>(); }
TEST_P(ToCellsOfRanks, HaveTheBitsOfOneRankInDouble) { expect_on_all_grids<double>(); }

TEST_P(ToCellsOfRanks, HaveTheBitsOfOneRankForValuesInCellOrder) {
  for (const bool is_periodic : {false, true}) {
    const DepositGrid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.2, {false, false, is_periodic});
    for (const int ranks : {2, 5})
      expect_cells_of_one_rank(GetParam().device, grid, options(), uniform<double>(2000), ranks, Order::by_cell);
  }
}

TEST_P(ToCellsOfRanks, HaveTheBitsOfOneRankWithBlockedCellsAndSkippedParticles) {
  DepositGrid grid = Grid::fill(3, {0.1, 0, 0}, {1, 1, 0.9}, 0.15, {false, true, false});
  grid.blocked.assign(static_cast<std::size_t>(grid.cell_count()), 0);
  for (const DepositBlocked blocked : {DepositBlocked::drop, DepositBlocked::redistribute}) {
    const std::size_t every = blocked == DepositBlocked::drop ? 3 : 11;
    for (std::size_t cell = 0; cell < grid.blocked.size(); ++cell) grid.blocked[cell] = cell % every == 1;
    const DepositOptions how{.method = GetParam().name, .outside = DepositOutside::skip, .blocked = blocked};
    for (const int ranks : {2, 3}) expect_cells_of_one_rank(GetParam().device, grid, how, uniform<double>(3000), ranks);
  }
}

TEST_P(ToCellsOfRanks, AfterTheNextBinHaveItsParticles) {
  const DepositGrid grid = Grid::fill(2, {0, 0, 0}, {1, 1, 0}, 0.25);
  run_on_ranks(2, [&](const Communicator& group) {
    const Queue on = queue();
    Deposit<double> deposit(on, grid, options(), Slabs{{0, 2, 4}}, group);
    for (const double y : {0.5, 0.5625}) {  // above the cut, nearer to the cell below or to that above
      Distribution<double> points{"above the cut", {}, {}, {}};
      if (group.rank() == 1) points.add(0.125, y, 0);
      const DevicePoints<double> device(on, points);
      bin(deposit, device);
      const Array<double> values = to_device(on, std::vector<double>(points.x.size(), 8));
      Array<double> cells(on, 8);
      deposit.to_cells(values, cells);
      std::vector<double> expected(8, 0.0);
      const double above = 8 * (y - 0.375) / 0.25;
      expected[group.rank() == 0 ? 4 : 0] = group.rank() == 0 ? 8 - above : above;
      EXPECT_EQ(to_host(on, cells), expected) << y;
    }
  });
}

/// Messages of two ranks for two particles in the upper slab, the second of which is wrong.
std::vector<std::string> messages_of_cells(DeviceKind device, const DepositGrid& grid, const DepositOptions& options,
                                           const Distribution<double>& points, double second_value) {
  return messages_of_ranks(2, [&](const Communicator& group) {
    const Queue on = queue_on(device);
    Deposit<double> deposit(on, grid, options, Slabs{{0, 2, 4}}, group);
    const bool is_upper = group.rank() == 1;
    const DevicePoints<double> part(on, is_upper ? points : Distribution<double>{"none", {}, {}, {}});
    bin(deposit, part);
    const Array<double> values = to_device(on, is_upper ? std::vector<double>{1, second_value} : std::vector<double>());
    Array<double> cells(on, 8);
    deposit.to_cells(values, cells);
  });
}

TEST_P(ToCellsOfRanks, WithoutAnOpenCellTheErrorIsTheSameOnAllRanks) {
  DepositGrid grid = Grid::fill(2, {0, 0, 0}, {1, 1, 0}, 0.25);
  grid.blocked.assign(16, 1);
  grid.blocked[11] = 0;  // right above the cut
  const DepositOptions how{.method = GetParam().name, .blocked = DepositBlocked::redistribute};
  Distribution<double> points{"above the cut", {}, {}, {}};
  points.add(0.9, 0.55, 0);
  points.add(0.55, 0.55, 0);  // in a blocked cell with an open node, none of whose cells around is open
  for (const std::string& message : messages_of_cells(GetParam().device, grid, how, points, 1))
    EXPECT_EQ(message,
              "deposit: no cell around particle 1 is open, so its value cannot be redistributed to cells. Move it or "
              "set blocked = \"drop\". (rank 1 of 2 on this machine)");
}

TEST_P(ToCellsOfRanks, AValueThatIsNotFiniteIsNamedWithItsRank) {
  if (GetParam().name != "integer") GTEST_SKIP() << "sums propagate it";
  const DepositGrid grid = Grid::fill(2, {0, 0, 0}, {1, 1, 0}, 0.25);
  Distribution<double> points{"above the cut", {}, {}, {}};
  points.add(0.5, 0.9, 0);
  points.add(0.5, 0.55, 0);
  expect_on_all(messages_of_cells(GetParam().device, grid, options(), points, std::nan("")),
                "deposit: value 0 of particle 1 is nan, expected a finite number. Repair or remove it. (rank 1 of 2 on "
                "this machine)");
}

}  // namespace
}  // namespace shoal
