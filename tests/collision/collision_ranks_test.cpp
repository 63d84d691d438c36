// SPDX-License-Identifier: Apache-2.0
// Collisions on several ranks, which are threads here: ranks that share the work of a cell, and cells over ranks.
#include <gmock/gmock.h>
#include <shoal/collision/relaxation.hpp>
#include <shoal/ranks/slabs.hpp>

#include <cmath>

#include "collision/collision_cases.hpp"
#include "support/thread_ranks.hpp"

namespace shoal {
namespace {

using namespace testing_support;

/// Distributions of several cells: two beams each, of different densities.
template <class Real>
std::vector<Real> beams(const VelocityGrid& grid, int cells) {
  std::vector<Real> f;
  for (int cell = 0; cell < cells; ++cell)
    for (int z = 0; z < grid.nodes; ++z)
      for (int y = 0; y < grid.nodes; ++y)
        for (int x = 0; x < grid.nodes; ++x) {
          const double vx = std::abs(grid.velocity(0, x)) - 1;
          const double square = vx * vx + std::pow(grid.velocity(1, y), 2) + std::pow(grid.velocity(2, z), 2);
          f.push_back(static_cast<Real>((1 + 0.5 * cell) * std::exp(-square)));
        }
  return f;
}

class CollisionRanks : public MethodTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, CollisionRanks, testing::ValuesIn(methods("collision")), method_test_name);

const VelocityGrid small_grid{.nodes = 8, .half_width = 4};

/// Options of each approach that a method supports.
std::vector<CollisionOptions> options_of(const MethodInfo& method) {
  std::vector<CollisionOptions> supported;
  for (const CollisionApproach approach : {CollisionApproach::interpolated, CollisionApproach::conservative,
                                           CollisionApproach::spectral, CollisionApproach::carleman})
    for (const collision::CollisionMethod& entry : collision::collision_method_table())
      if (entry.name == method.name && entry.device == method.device && entry.supports(approach))
        supported.push_back({.approach = approach,
                             .method = method.name,
                             .directions = {.degree = 5},
                             .equilibrium_preserving = approach == CollisionApproach::spectral});
  return supported;
}

/// @param f  distributions of some cells
template <class Real>
void expect_q_of_one_rank(const MethodInfo& method, const VelocityGrid& grid, const std::vector<Real>& f,
                          const std::vector<CollisionOptions>& choices, const std::vector<int>& rank_counts) {
  for (const CollisionOptions& options : choices) {
    const std::vector<Real> expected = collided(queue_on(method.device), grid, options, f);
    for (const int ranks : rank_counts)
      run_on_ranks(ranks, [&](const Communicator& group) {
        const Queue queue = queue_on(method.device);
        Collision<Real> collision(queue, grid, {.rate = 1}, options, group);
        const Array<Real> device_f = to_device(queue, f);
        Array<Real> q(queue, device_f.count());
        collision.evaluate(device_f, q);
        EXPECT_EQ(to_host(queue, q), expected) << to_name(options.approach) << " on " << ranks << " ranks";
      });
  }
}

TEST_P(CollisionRanks, ShareTheWorkOfACellWithTheBitsOfOneRank) {
  if (!GetParam().deterministic) GTEST_SKIP() << "refused";
  const bool is_slow = GetParam().name == "serial";
  const std::vector<CollisionOptions> options = options_of(GetParam());
  expect_q_of_one_rank(GetParam(), small_grid, beams<double>(small_grid, 2), options,
                       is_slow ? std::vector{2} : std::vector{1, 2, 3, 4});
  if (is_slow) return;
  expect_q_of_one_rank(GetParam(), small_grid, beams<float>(small_grid, 2), options, {3, 17});  // more than work groups
}

/// Options with which a cell of 40 nodes along each axis has several batches on CUDA.
std::vector<CollisionOptions> options_of_batches(const MethodInfo& method) {
  std::vector<CollisionOptions> choices;
  for (CollisionOptions options : options_of(method)) {
    if (collision::is_fourier(options.approach)) {
      options.directions.degree = options.approach == CollisionApproach::carleman ? 19 : 5;
      choices.push_back(options);
      continue;
    }
    options.directions.degree = 3;
    for (const CollisionSupport support : {CollisionSupport::box, CollisionSupport::ball})
      for (const bool symmetrized : {false, true}) {
        if (symmetrized && options.approach != CollisionApproach::conservative) continue;
        options.support = support;
        options.symmetrized = symmetrized;
        choices.push_back(options);
      }
  }
  return choices;
}

TEST_P(CollisionRanks, ShareTheBatchesOfALargeCellWithTheBitsOfOneRank) {
  const bool has_batches = GetParam().name == "spheres" || GetParam().name == "cufft";
  if (GetParam().device == DeviceKind::cpu || !has_batches) GTEST_SKIP() << "the method has no batches";
  const VelocityGrid grid{.nodes = 40, .half_width = 5};
  const std::vector<CollisionOptions> options = options_of_batches(GetParam());
  expect_q_of_one_rank(GetParam(), grid, beams<double>(grid, 1), options, {2, 3});
  expect_q_of_one_rank(GetParam(), grid, beams<float>(grid, 1), options, {2});
}

TEST_P(CollisionRanks, StatisticalIntegrationHasTheSamplesOfOneRank) {
  std::vector<CollisionOptions> choices;
  for (const collision::CollisionMethod& entry : collision::collision_method_table())
    if (entry.name == GetParam().name && entry.device == GetParam().device && entry.one_by_one &&
        entry.supports(CollisionApproach::interpolated))
      choices.push_back({.approach = CollisionApproach::interpolated,
                         .method = GetParam().name,
                         .integration = CollisionIntegration::statistical,
                         .samples = 50});
  expect_q_of_one_rank(GetParam(), small_grid, beams<double>(small_grid, 1), choices, {2, 3});
}

TEST_P(CollisionRanks, AMethodWithoutAnOrderOfSumsIsRefusedOnAllRanks) {
  if (GetParam().deterministic) GTEST_SKIP() << "ranks share a cell by this method";
  const CollisionOptions options = options_of(GetParam()).front();
  run_on_ranks(2, [&](const Communicator& group) {
    EXPECT_THAT(message_of([&] { Collision<double>(queue(), small_grid, {.rate = 1}, options, group); }),
                testing::HasSubstr("adds in another order on every run, and ranks that share the work of a cell need"));
  });
}

TEST_P(CollisionRanks, EvaluateTheirCellsWithTheBitsOfOneRank) {
  if (!GetParam().deterministic) GTEST_SKIP() << "not promised";
  const std::vector<double> f = beams<double>(small_grid, 3);
  for (const CollisionOptions& options : options_of(GetParam())) {
    const std::vector<double> expected = collided(queue(), small_grid, options, f);
    run_on_ranks(2, [&](const Communicator& group) {
      const Share cells = share_of(3, group);
      const auto part_of = [&](const std::vector<double>& array) {
        const auto first = array.begin() + cells.first * small_grid.node_count();
        return std::vector<double>(first, first + cells.count * small_grid.node_count());
      };
      EXPECT_EQ(collided(queue(), small_grid, options, part_of(f)), part_of(expected)) << to_name(options.approach);
    });
  }
}

/// Tests that run once for each device.
class RelaxationRanks : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, RelaxationRanks, every_device, device_test_name);

/// f of some cells after relaxation, and the number of steps.
std::pair<std::vector<double>, std::int64_t> relaxed(const Queue& queue, const std::vector<double>& f,
                                                     const Communicator& cells_of, const Communicator& work_of) {
  Collision<double> collision(queue, small_grid, {.rate = 1}, {.negative = NegativeDistribution::accept}, work_of);
  Relaxation<double> gas(std::move(collision), {.scheme = RelaxationScheme::tvd_rk2}, cells_of);
  const Array<double> device_f = to_device(queue, f);
  gas.start(device_f);
  gas.advance_to(0.2);
  gas.advance_to(0.3, [] { return true; });
  EXPECT_EQ(gas.states().size(), f.size() / static_cast<std::size_t>(small_grid.node_count()));
  return {to_host(queue, gas.f()), gas.steps()};
}

TEST_P(RelaxationRanks, OfCellsOverRanksHasTheBitsOfOneRank) {
  const std::vector<double> f = beams<double>(small_grid, 3);  // the last cell has the shortest step
  const auto expected = relaxed(queue(), f, Communicator::alone(), Communicator::alone());
  for (const int ranks : {2, 3, 4})  // the last rank of four has no cell
    run_on_ranks(ranks, [&](const Communicator& group) {
      const Share cells = share_of(3, group);
      const auto part_of = [&](const std::vector<double>& array) {
        const auto first = array.begin() + cells.first * small_grid.node_count();
        return std::vector<double>(first, first + cells.count * small_grid.node_count());
      };
      const auto result = relaxed(queue(), part_of(f), group, Communicator::alone());
      EXPECT_EQ(result.first, part_of(expected.first)) << ranks << " ranks";
      EXPECT_EQ(result.second, expected.second);
    });
}

TEST_P(RelaxationRanks, OfOneCellSharedByRanksHasTheBitsOfOneRank) {
  const std::vector<double> f = beams<double>(small_grid, 1);
  const auto expected = relaxed(queue(), f, Communicator::alone(), Communicator::alone());
  run_on_ranks(
      3, [&](const Communicator& group) { EXPECT_EQ(relaxed(queue(), f, Communicator::alone(), group), expected); });
}

/// Messages of all ranks.
std::vector<std::string> messages_of(int ranks, const std::function<void(const Communicator&)>& call) {
  std::vector<std::string> messages(static_cast<std::size_t>(ranks));
  run_on_ranks(ranks, [&](const Communicator& group) {
    messages[static_cast<std::size_t>(group.rank())] = message_of([&] { call(group); });
  });
  return messages;
}

TEST_P(RelaxationRanks, ANegativeDistributionOfOneRankIsTheSameErrorOnAllRanks) {
  const auto messages = messages_of(2, [&](const Communicator& group) {
    std::vector<double> f = beams<double>(small_grid, 1);
    if (group.rank() == 1) f[5] = -1;
    relaxed(queue(), f, group, Communicator::alone());
  });
  for (const std::string& message : messages)
    EXPECT_EQ(message,
              "relaxation: f is negative at node 5 of cell 0 at the start. Repair it. (rank 1 of 2 on this "
              "machine)");
}

TEST(CollisionRanksErrors, AreTheSameOnAllRanks) {
  const auto evaluate = [](const Communicator& group, int cells, std::int64_t more) {
    const Queue queue = Queue::cpu(1);
    Collision<double> collision(queue, small_grid, {.rate = 1}, {}, group);
    std::vector<double> f = beams<double>(small_grid, cells);
    std::vector<double> q(f.size() + static_cast<std::size_t>(more));
    collision.evaluate(View<const double>(f), View<double>(q));
  };
  for (const std::string& message :
       messages_of(2, [&](const Communicator& group) { evaluate(group, 1 + group.rank(), 0); }))
    EXPECT_EQ(message, "collision: f has 1 cells on one rank and 2 on another. Give all ranks the same f.");
  for (const std::string& message :
       messages_of(2, [&](const Communicator& group) { evaluate(group, 1, group.rank()); }))
    EXPECT_EQ(message, "collision: q has 513 elements, expected 512. (rank 1 of 2 on this machine)");
}

}  // namespace
}  // namespace shoal
