// SPDX-License-Identifier: Apache-2.0
// Open boundaries on several ranks, which are threads here: the bits of one rank, whatever way the fluid flows, wherever the
// cuts are and however often they move.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <iterator>
#include <utility>
#include <vector>

#include "sph/open_boundaries/open_boundary_cases.hpp"
#include "sph/ranks/joined_parts.hpp"
#include "sph/ranks/rank_bits.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class RanksOfOpenBoundary : public RankBits {
 protected:
  /// State of a run on so many ranks, from the start or from the rows of each rank.
  std::vector<Snapshot> parts_after(Case simulation, int steps, int count, const std::vector<Snapshot>& start = {}) {
    simulation.method = GetParam().name;
    std::vector<Snapshot> parts(static_cast<std::size_t>(count));
    run_on_ranks(count, [&](const Communicator& ranks) {
      const auto rank = static_cast<std::size_t>(ranks.rank());
      const Queue queue = queue_on(GetParam().device);
      Solver run = start.empty() ? Solver(queue, simulation, ranks) : Solver(queue, simulation, start[rank], ranks);
      run.advance_steps(steps);
      parts[rank] = run.snapshot();
    });
    return parts;
  }
};

INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfOpenBoundary, testing::ValuesIn(methods("sph")), method_test_name);

void expect_same_particles(const Snapshot& expected, const Snapshot& got) {
  EXPECT_EQ(expected.clock.particles, got.clock.particles);
  EXPECT_EQ(expected.clock.lost, got.clock.lost);
  EXPECT_EQ(expected.id, got.id);
  EXPECT_EQ(expected.coordinate, got.coordinate);
  EXPECT_EQ(expected.velocity, got.velocity);
  EXPECT_EQ(expected.density_deviation, got.density_deviation);
  EXPECT_EQ(expected.previous_velocity, got.previous_velocity);
}

TEST_P(RanksOfOpenBoundary, HaveTheBitsOfOneRank) {
  for (const Integrator integrator : integrators)
    expect_bits_of_one_rank<float, 2>(disturbed_stream(integrator), {.steps = 120, .rebalance_every = 7}, {3});
  Case simulation = disturbed_stream();
  simulation.scheme.laminar_viscosity = true;
  expect_bits_of_one_rank<double, 2>(simulation, {.steps = 120}, {2});
}

// Columns that several ranks share, and particles that change their rank in the step in which they return.
TEST_P(RanksOfOpenBoundary, HaveTheBitsOfOneRankWhereFlowReturns) {
  Case simulation = turning_stream();
  simulation.bodies[0].velocity = {2, 2, 0};
  simulation.bodies[0].strain_rate = {3, -2, 0};
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.5, 0.3, 0}};
  for (OpenBoundary& boundary : simulation.open_boundaries) boundary.box.to[1] = 0.2;
  const RankPlan plan{.steps = 120, .rebalance_every = 7};
  const RankResult one = run<float, 2>(simulation, 1, plan);
  EXPECT_GT(std::prev(one.particles.end())->first, 400) << "some have returned";
  expect_same_result(one, run<float, 2>(simulation, 3, plan));
}

// The fluid flows along the axis that the cuts divide: the boxes and their images are on the first and on the last rank.
TEST_P(RanksOfOpenBoundary, HaveTheBitsOfOneRankWhereFlowCrossesTheCuts) {
  const RankPlan plan{.steps = 120, .rebalance_every = 7};
  expect_bits_of_one_rank<float, 2>(turned_upward(disturbed_stream()), plan, {2, 4});
  expect_bits_of_one_rank<double, 2>(turned_upward(disturbed_stream(Integrator::verlet)), plan, {3});
  Case simulation = turning_stream();
  simulation.bodies[0].velocity = {2, 0, 0};
  simulation.bodies[0].strain_rate = {3, -2, 0};
  const RankResult one = run<float, 2>(turned_upward(simulation), 1, plan);
  EXPECT_GE(std::prev(one.particles.end())->first, 400) << "some have returned";
  expect_same_result(one, run<float, 2>(turned_upward(simulation), 3, plan));
}

// Few steps, in which nevertheless fluid enters and returns: short enough for tools that check memory.
TEST_P(RanksOfOpenBoundary, HaveTheBitsOfOneRankInAFewSteps) {
  for (Case simulation : {free_stream(), turning_stream()}) {
    simulation.bodies[0].velocity = {20, 0, 0};
    if (simulation.open_boundaries[0].is_inlet()) simulation.open_boundaries[0].velocity = 20;
    for (const Case& turned : {simulation, turned_upward(simulation)}) {
      const RankPlan plan{.steps = 15, .rebalance_every = 4};
      const RankResult one = run<float, 2>(turned, 1, plan);
      EXPECT_GE(std::prev(one.particles.end())->first, 400) << "some have entered";
      expect_same_result(one, run<float, 2>(turned, 2, plan));
    }
  }
}

TEST_P(RanksOfOpenBoundary, HaveTheBitsOfOneRankIn3dAnd1d) {
  expect_bits_of_one_rank<float, 3>(stream_in_3d(), {.steps = 60, .rebalance_every = 7}, {3});
  expect_bits_of_one_rank<float, 1>(stream_in_1d(), {.steps = 300, .rebalance_every = 7}, {2, 3});
}

// The boundaries are in the lowest layers, so that the other ranks have no part of one, and some have no particle.
TEST_P(RanksOfOpenBoundary, HaveTheBitsOfOneRankWithoutAPartOfABoundary) {
  Case simulation = disturbed_stream();
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.5, 0.5, 0}};
  for (OpenBoundary& boundary : simulation.open_boundaries) boundary.box.to[1] = 0.04;
  const std::int64_t layers = make_lattice(simulation, 32).cells[1] - 2;
  const RankPlan plan{.steps = 120, .cut = {0, 7, 10, 15, layers}};
  const RankResult one = run<float, 2>(simulation, 1, plan), four = run<float, 2>(simulation, 4, plan);
  EXPECT_EQ(four.counts.back(), 0) << "the last rank should have no particle";
  expect_same_result(one, four);
}

// On CUDA more enter than ranks have room for at the start.
TEST_P(RanksOfOpenBoundary, MakeRoomForWhatEnters) {
  Case simulation = block_of_water(10, 40);
  simulation.bodies[0].velocity = {10, 0, 0};
  simulation.domain = Box{{-0.1, -0.1, 0}, {2.8, 0.5, 0}};
  simulation.open_boundaries = {
      {.box = {{0, 0, 0}, {0.05, 0.4, 0}}, .fluid = Side::right, .velocity = 10, .pressure = 0.0}};
  const int steps = GetParam().device == DeviceKind::cuda ? 2400 : 150;
  const RankPlan plan{.steps = steps, .pause_every = 90};
  const RankResult one = run<float, 2>(simulation, 1, plan);
  EXPECT_EQ(one.clock.particles, 400 + steps / 10 * 40);
  expect_same_result(one, run<float, 2>(simulation, 3, plan));
}

// Fluid that leaves the box leaves the domain soon. It counts as outflow on any number of ranks.
TEST_P(RanksOfOpenBoundary, HaveNoLossWhereTheDomainEndsWithABox) {
  Case simulation = free_stream();
  simulation.domain = Box{{0, -0.1, 0}, {0.4, 0.2, 0}};
  const RankPlan plan{.steps = 300};
  const RankResult one = run<float, 2>(simulation, 1, plan);
  EXPECT_EQ(one.clock.lost, 0);
  EXPECT_EQ(one.clock.particles, 400);
  expect_same_result(one, run<float, 2>(simulation, 3, plan));
}

TEST_P(RanksOfOpenBoundary, ResumeOnAnyNumberOfRanks) {
  for (Case simulation : {disturbed_stream(Integrator::verlet), turned_upward(disturbed_stream())}) {
    simulation.open_boundaries[0].ramp = 0;
    const Snapshot whole = parts_after(simulation, 250, 1).front();
    EXPECT_GE(whole.id.back(), 400) << "nothing has entered";
    const std::vector<Snapshot> parts = parts_after(simulation, 150, 3);
    expect_same_particles(whole, joined(parts_after(simulation, 100, 3, parts)));
    expect_same_particles(whole, joined(parts_after(simulation, 100, 2, {joined({parts[0], parts[1]}), parts[2]})));
    expect_same_particles(whole, parts_after(simulation, 100, 1, {joined(parts)}).front());
  }
}

TEST(OpenBoundary, ReportsOfRanksAreThoseOfOne) {
  const auto run_on = [](const Communicator& ranks) {
    Solver run(Queue::cpu(1), disturbed_stream(), ranks);
    run.advance_steps(250);
    return std::pair(run.fields(), run.balance());
  };
  const auto [whole, balance] = run_on(Communicator::alone());
  std::vector<Fields> parts(2);
  run_on_ranks(2, [&](const Communicator& ranks) {
    const auto [fields, sums] = run_on(ranks);
    parts[static_cast<std::size_t>(ranks.rank())] = fields;
    EXPECT_EQ(sums.mass, balance.mass);
    EXPECT_EQ(sums.inflow, balance.inflow);
    EXPECT_EQ(sums.outflow, balance.outflow);
  });
  std::vector<std::int64_t> ids = parts[0].id;
  ids.insert(ids.end(), parts[1].id.begin(), parts[1].id.end());
  EXPECT_EQ(ids, whole.id);
  EXPECT_EQ(parts[1].first, static_cast<std::int64_t>(parts[0].id.size()));
  EXPECT_EQ(parts[0].total, whole.total);
  EXPECT_FALSE(parts[1].id.empty());
}

TEST(OpenBoundary, TooManyRanksForLayersOfABoundaryAreAnError) {
  Case simulation = turned_upward(free_stream());
  simulation.domain =
      Box{{-0.1, 0, 0}, {0.2, 0.4, 0}};  // 16 layers of cells, of which each box and its image have five
  std::string message;
  run_on_ranks(6, [&](const Communicator& ranks) {
    const std::string text = message_of([&] { Solver(Queue::cpu(1), simulation, ranks); });
    if (ranks.rank() == 0) message = text;
  });
  EXPECT_THAT(message, HasSubstr("for 6 ranks with at least 2 each, of which one rank must have layers"));
}

}  // namespace
}  // namespace shoal::sph
