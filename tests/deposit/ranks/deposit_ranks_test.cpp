// SPDX-License-Identifier: Apache-2.0
// Deposition on several ranks, which are threads here: the bits of one rank, and one error on all ranks.
#include <numeric>

#include "deposit/ranks/integer_ranks.hpp"
#include "deposit/ranks/rank_particles.hpp"

namespace shoal {
namespace {

using namespace testing_support;

/// Returns what `sum(device values, out)` gives for the particles of one rank.
template <class Real, class Sum>
std::vector<Real> summed_on_rank(const Queue& queue, Deposit<Real>& deposit, const RankParticles<Real>& part,
                                 const std::vector<Real>& values, std::int64_t count, const Sum& sum) {
  const DevicePoints<Real> device(queue, part.points);
  bin(deposit, device);
  const Array<Real> device_values = to_device(queue, part.values(values));
  Array<Real> out(queue, count);
  sum(device_values, out);
  return to_host(queue, out);
}

/// Returns the nodes that one rank gets from the particles of its layers.
template <class Real>
std::vector<Real> deposited_on_rank(const Queue& queue, Deposit<Real>& deposit, const RankParticles<Real>& part,
                                    const std::vector<Real>& values) {
  return summed_on_rank(queue, deposit, part, values, deposit.node_count(),
                        [&](const Array<Real>& in, Array<Real>& out) { deposit.to_nodes(in, out); });
}

/// Nodes of all ranks, each compared with those of one rank.
template <class Real>
void expect_bits_of_one_rank(DeviceKind device, const DepositGrid& grid, const DepositOptions& options,
                             const Distribution<Real>& points_of_all, int ranks) {
  const std::vector<Real> values = values_of<Real>(static_cast<std::int64_t>(points_of_all.x.size()));
  const std::vector<Real> expected = deposited(queue_on(device), grid, options, points_of_all, values);
  const std::vector<std::int64_t> layer = layers_of(grid, options, points_of_all);
  const Slabs slabs = slabs_of(grid, layer, ranks);
  run_on_ranks(ranks, [&](const Communicator& group) {
    const Queue queue = queue_on(device);
    Deposit<Real> deposit(queue, grid, options, slabs, group);
    const RankParticles<Real> part = particles_of(group, slabs, layer, points_of_all);
    const std::vector<Real> nodes = deposited_on_rank(queue, deposit, part, values);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::size_t in_grid = (static_cast<std::size_t>(deposit.first_node()) + i) % expected.size();
      ASSERT_EQ(nodes[i], expected[in_grid])
          << points_of_all.name << ", node " << in_grid << " on rank " << group.rank() << " of " << ranks;
    }
    const bool is_last = group.rank() + 1 == ranks;
    EXPECT_TRUE(!is_last || deposit.first_node() + deposit.node_count() >= grid.node_count());
  });
}

template <class Real>
void expect_bits_on_all_grids(const MethodInfo& method) {
  if (!method.deterministic) GTEST_SKIP() << "not promised";
  for (const DepositGrid& grid : unit_box_grids()) {
    const std::int64_t layers = grid.grid.cells[static_cast<std::size_t>(grid.grid.dimensions - 1)];
    for (const int ranks : {1, 2, 3, 4}) {
      if (ranks > layers) continue;
      for (const Distribution<Real>& points :
           {uniform<Real>(1311), clustered<Real>(5000), one_hot<Real>(600), uniform<Real>(0)})
        expect_bits_of_one_rank(method.device, grid, {.method = method.name}, points, ranks);
    }
  }
}

TEST_P(EveryDepositMethod, SlabsOfRanksGiveTheBitsOfOneRankInFloat) { expect_bits_on_all_grids<float>(GetParam()); }
TEST_P(EveryDepositMethod, SlabsOfRanksGiveTheBitsOfOneRankInDouble) { expect_bits_on_all_grids<double>(GetParam()); }

TEST_P(EveryDepositMethod, SlabsWithBlockedCellsAndSkippedParticlesGiveTheBitsOfOneRank) {
  if (!GetParam().deterministic) GTEST_SKIP() << "not promised";
  DepositGrid grid = Grid::fill(3, {0.1, 0, 0}, {1, 1, 0.9}, 0.15, {false, true, false});
  grid.blocked.assign(static_cast<std::size_t>(grid.cell_count()), 0);
  for (std::size_t cell = 0; cell < grid.blocked.size(); ++cell) grid.blocked[cell] = cell % 3 == 1 || cell % 7 < 2;
  for (const DepositBlocked blocked : {DepositBlocked::drop, DepositBlocked::redistribute}) {
    const DepositOptions options{.method = GetParam().name, .outside = DepositOutside::skip, .blocked = blocked};
    if (blocked == DepositBlocked::redistribute) grid.blocked.assign(grid.blocked.size(), 0), grid.blocked[40] = 1;
    for (const int ranks : {2, 3})
      expect_bits_of_one_rank(GetParam().device, grid, options, uniform<double>(3000), ranks);
  }
}

/// Tests that run once for each device.
class DepositRanks : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, DepositRanks, every_device, device_test_name);

const DepositGrid ten_layers = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.1, {false, false, true});

TEST_P(DepositRanks, IntegerGivesTheBitsOfOneRankForAnyPartition) {
  const Distribution<double> points_of_all = clustered<double>(4000);
  const std::vector<double> values = values_of<double>(4000);
  const std::vector<double> expected = deposited(queue(), ten_layers, {.method = "integer"}, points_of_all, values);
  for (const int ranks : {1, 2, 3, 4})
    run_on_ranks(ranks, [&](const Communicator& group) {
      const Queue on = queue();
      Deposit<double> deposit(on, ten_layers, {}, group);
      EXPECT_EQ(deposit.method().name, "integer");
      RankParticles<double> part;  // rank 1 has none
      for (std::size_t i = 0; i < points_of_all.x.size(); ++i) {
        const int rank = static_cast<int>(i * 7 % static_cast<std::size_t>(ranks));
        if ((rank == 1 ? 0 : rank) == group.rank()) part.add(points_of_all, i);
      }
      EXPECT_EQ(deposited_on_rank(on, deposit, part, values), expected) << ranks << " ranks";
    });
}

TEST_P(DepositRanks, IntegerGivesTheCellsOfOneRankForAnyPartition) {
  const Distribution<double> points_of_all = uniform<double>(900);
  const std::vector<double> values = values_of<double>(900);
  const auto cells_of = [&](const Queue& on, Deposit<double>& deposit, const RankParticles<double>& part) {
    return summed_on_rank(on, deposit, part, values, ten_layers.cell_count(),
                          [&](const Array<double>& in, Array<double>& out) { deposit.to_cells(in, out); });
  };
  RankParticles<double> every;
  for (std::size_t i = 0; i < 900; ++i) every.add(points_of_all, i);
  const Queue alone = queue();
  Deposit<double> one(alone, ten_layers, {.method = "integer"});
  const std::vector<double> expected = cells_of(alone, one, every);
  run_on_ranks(3, [&](const Communicator& group) {
    const Queue on = queue();
    Deposit<double> deposit(on, ten_layers, {}, group);
    RankParticles<double> part;
    for (std::size_t i = static_cast<std::size_t>(group.rank()); i < 900; i += 3) part.add(points_of_all, i);
    EXPECT_EQ(cells_of(on, deposit, part), expected);
  });
}

TEST_P(DepositRanks, InterpolatesFromTheNodesOfTheRankAsOneRankDoes) {
  const Distribution<float> points_of_all = uniform<float>(700);
  const std::vector<float> node_values = values_of<float>(ten_layers.node_count());
  const auto interpolated = [&](const Queue& on, Deposit<float>& deposit, const Distribution<float>& points) {
    const DevicePoints<float> device(on, points);
    bin(deposit, device);
    std::vector<float> own_nodes;
    for (std::int64_t i = 0; i < deposit.node_count(); ++i)
      own_nodes.push_back(node_values[static_cast<std::size_t>((deposit.first_node() + i) % ten_layers.node_count())]);
    const Array<float> nodes = to_device(on, own_nodes);
    Array<float> result(on, static_cast<std::int64_t>(points.x.size()));
    deposit.interpolate(nodes, result);
    return to_host(on, result);
  };
  const Queue alone = queue();
  Deposit<float> one(alone, ten_layers);
  const std::vector<float> expected = interpolated(alone, one, points_of_all);
  const std::vector<std::int64_t> layer = layers_of(ten_layers, {}, points_of_all);
  const Slabs slabs{{0, 1, 6, 10}};
  run_on_ranks(3, [&](const Communicator& group) {
    const Queue on = queue();
    Deposit<float> deposit(on, ten_layers, {}, slabs, group);
    RankParticles<float> part;
    for (std::size_t i = 0; i < layer.size(); ++i)
      if (slabs.owner(layer[i]) == group.rank()) part.add(points_of_all, i);
    EXPECT_EQ(interpolated(on, deposit, part.points), part.values(expected));
  });
}

TEST_P(DepositRanks, AParticleOfAnotherSlabIsTheSameErrorOnAllRanks) {
  const auto messages = messages_of_ranks(3, [&](const Communicator& group) {
    const Queue on = queue();
    Deposit<double> deposit(on, ten_layers, {}, Slabs{{0, 3, 6, 10}}, group);
    Distribution<double> points{"by hand", {}, {}, {}};
    points.add(0.5, 0.5, 0.15 + 0.3 * group.rank());
    points.add(0.5, 0.5, group.rank() == 1 ? 0.625 : 0.1 + 0.3 * group.rank());
    const DevicePoints<double> device(on, points);
    bin(deposit, device);
  });
  expect_on_all(
      messages,
      "deposit: particle 1 with z = 0.625 m is not in the slab of its rank, layers 3 to 5 of the grid. Give it "
      "to the rank that has its layer. (rank 1 of 3 on this machine)");
}

TEST_P(DepositRanks, ABadParticleOrArgumentIsTheSameErrorOnAllRanks) {
  for (const bool is_particle : {true, false}) {
    const auto messages = messages_of_ranks(2, [&](const Communicator& group) {
      const Queue on = queue();
      Deposit<double> deposit(on, ten_layers, {}, Slabs{{0, 5, 10}}, group);
      Distribution<double> points{"by hand", {}, {}, {}};
      points.add(is_particle && group.rank() == 1 ? 7 : 0.5, 0.5, 0.25 + 0.5 * group.rank());
      const DevicePoints<double> device(on, points);
      bin(deposit, device);
      Array<double> nodes(on, deposit.node_count() + group.rank());
      deposit.to_nodes(device.x, nodes);
    });
    expect_on_all(messages,
                  is_particle ? "deposit: particle 0 is outside the grid: x = 7 m, allowed [0, 1] m. Enlarge the grid "
                                "or set outside = \"clamp\" or \"skip\". (rank 1 of 2 on this machine)"
                              : "deposit: node 0 has 727 elements, expected 726. (rank 1 of 2 on this machine)");
  }
}

TEST_P(DepositRanks, FaultsOfIntegerAreTheSameErrorOnAllRanks) {
  for (const bool is_finite : {true, false}) {
    const auto messages = messages_of_ranks(2, [&](const Communicator& group) {
      const Queue on = queue();
      Deposit<double> deposit(on, ten_layers, {.method = "integer", .ranges = {5}}, group);
      Distribution<double> points{"by hand", {}, {}, {}};
      points.add(0.5, 0.5, 0.5);
      const DevicePoints<double> device(on, points);
      bin(deposit, device);
      const double last = is_finite ? 3.5 : std::nan("");
      const Array<double> values = to_device(on, std::vector<double>{group.rank() == 0 ? 3 : last});
      Array<double> nodes(on, deposit.node_count());
      deposit.to_nodes(values, nodes);
      on.wait();
    });
    EXPECT_EQ(messages[0], messages[1]);
    EXPECT_NE(messages[0].find(is_finite ? "add up to more than its range, 5" : "value 0 of particle 0 is not finite"),
              std::string::npos)
        << messages[0];
  }
}

TEST_P(DepositRanks, SlabsThatDoNotFitAreTheSameErrorOnAllRanks) {
  const auto refused = [&](const std::function<Slabs(int)>& slabs_of) {
    const auto messages = messages_of_ranks(2, [&](const Communicator& group) {
      const Deposit<double> deposit(queue(), ten_layers, {}, slabs_of(group.rank()), group);
    });
    EXPECT_EQ(messages[0], messages[1]);
    return messages[0];
  };
  EXPECT_EQ(refused([](int) {
              return Slabs{{0, 3, 5, 10}};
            }),
            "deposit: slabs of 3 ranks, but there are 2. Cut the layers for this number of ranks. (rank 0 of 2 on this "
            "machine)");
  EXPECT_EQ(refused([](int) {
              return Slabs{{0, 3, 9}};
            }),
            "deposit: slabs of 9 layers, but the grid has 10 cells along z. Cut these. (rank 0 of 2 on this machine)");
  EXPECT_EQ(
      refused([](int) {
        return Slabs{{0, 0, 10}};
      }),
      "deposit: rank 0 has no layer of cells, expected at least 1. Use fewer ranks, or another cut. (rank 0 of 2 on "
      "this machine)");
  EXPECT_EQ(refused([](int rank) {
              return Slabs{{0, 4 + rank, 10}};
            }),
            "deposit: ranks have different slabs: cut 1 is at layer 4 on one and at layer 5 on another. Give all ranks "
            "the same ones.");
}

TEST_P(DepositRanks, RefuseWhatDependsOnThePartition) {
  expect_on_all(messages_of_ranks(2,
                                  [&](const Communicator& group) {
                                    const std::string method = queue().on_cpu() ? "serial" : "lanes";
                                    const Deposit<double> deposit(queue(), ten_layers, {.method = method}, group);
                                  }),
                "deposit: method `" + std::string(queue().on_cpu() ? "serial" : "lanes") +
                    "` adds in an order that depends on how particles are shared out over ranks. Use method `integer`, "
                    "or give Slabs. (rank 0 of 2 on this machine)");
}

TEST(DepositIntegerRanks, RefuseMoreParticlesThan64BitsMayHold) {
  expect_on_all(messages_of_ranks(2,
                                  [&](const Communicator& group) {
                                    const deposit::SharedNodes shared(Queue::cpu(1), group);
                                    deposit::integer_ranks::particles_of_all(&shared, std::int64_t{1} << 31);
                                  }),
                "deposit: 4294967296 particles on all ranks, method `integer` adds at most 4294967295. Use another "
                "method.");
}

}  // namespace
}  // namespace shoal
