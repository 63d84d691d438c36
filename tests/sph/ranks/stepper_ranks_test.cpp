// SPDX-License-Identifier: Apache-2.0
// Many steps of several ranks: every particle and the clock have the bits of one rank.
#include "sph/ranks/rank_bits.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/sph_cases.hpp"

#include <numeric>

namespace shoal::sph {
namespace {

using namespace testing_support;

class RanksOfSph : public RankBits {};
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfSph, testing::ValuesIn(methods("sph")), method_test_name);

/// Water that moves through a tank, with particles that cross layers in both directions.
Case moving_block(int dimensions, Walls walls) {
  Case simulation = dimensions == 3 ? block_of_water(8, 8, 24) : block_of_water(30, 40);
  Body& body = simulation.bodies[0];
  Body second = body;
  const int up = dimensions - 1;
  const double middle = body.box.to[up] / 2;
  body.box.to[up] = second.box.from[up] = middle;
  body.velocity[0] = 0.4;
  body.velocity[up] = 1.5;
  second.velocity[up] = -1;
  simulation.bodies.push_back(second);
  Box tank{{0, 0, 0}, body.box.to};
  tank.to[up] = 3 * middle;
  simulation.walls = {{"tank", tank, {Side::top}, 3, ""}};
  simulation.scheme.walls = walls;
  simulation.scheme.gravity[up] = -9.81;
  return simulation;
}

/// A periodic box of moving water.
Case periodic_box(std::vector<Axis> axes) {
  Case simulation = block_of_water(12, 26);
  simulation.domain = simulation.bodies[0].box;
  simulation.scheme.periodic = std::move(axes);
  simulation.bodies[0].jitter = 0.2;
  simulation.bodies[0].velocity[1] = 2;
  return simulation;
}

TEST_P(RanksOfSph, WallsOfEveryKindOverManySteps) {
  for (const Walls walls : {Walls::adami, Walls::dynamic, Walls::repulsive}) {
    SCOPED_TRACE(to_name(walls));
    expect_bits_of_one_rank<float, 2>(moving_block(2, walls));
  }
}

TEST_P(RanksOfSph, PeriodicAxesOverManySteps) {
  for (const std::vector<Axis>& axes : {std::vector{Axis::x}, {Axis::y}, {Axis::x, Axis::y}})
    expect_bits_of_one_rank<float, 2>(periodic_box(axes));
}

TEST_P(RanksOfSph, MovingWallsInGeneralPhysics) {
  for (const Walls walls : {Walls::adami, Walls::dynamic}) {
    Case simulation = general_case(Integrator::tvd_rk3, walls, Kernel::wendland_c4, DensityDiffusion::fourtakas);
    simulation.walls[0].motion.amplitude = {0.002, 0.02, 0};
    simulation.walls[0].motion.frequency = 10;
    expect_bits_of_one_rank<float, 2>(simulation, {}, {4});
    simulation.smoothing_length = SmoothingLength::by_density;
    simulation.scheme.time_step = TimeStep::cfl;
    expect_bits_of_one_rank<double, 2>(simulation, {}, {3});
  }
}

TEST_P(RanksOfSph, ParticlesThatLeaveTheDomain) {
  Case simulation = block_of_water(20, 40);
  simulation.bodies[0].velocity = {6, 8, 0};
  simulation.domain = Box{{0, 0, 0}, {0.21, 0.41, 0}};
  const RankResult one = run<float, 2>(simulation, 1, {});
  EXPECT_GT(one.clock.lost, 0);
  expect_bits_of_one_rank<float, 2>(simulation);
}

/// Planes of more particles than travel before the host knows their number, and of which none travel in the step before.
TEST_P(RanksOfSph, WholePlanesThatCrossAtOnce) {
  Case simulation = block_of_water(20, 20, 12);
  simulation.bodies[0].velocity[2] = 8;
  simulation.domain = Box{{-0.05, -0.05, -0.05}, {0.25, 0.25, 0.25}};
  expect_bits_of_one_rank<float, 3>(simulation, {.steps = 40}, {2, 3});
}

TEST_P(RanksOfSph, FluidFarFromItsDensity) {
  Case simulation = block_of_water(20, 40);
  simulation.bodies[0].strain_rate = {40, 40, 0};
  simulation.most_density_deviation = 5;
  const RankResult one = run<float, 2>(simulation, 1, {});
  EXPECT_GT(one.clock.lost, 0);
  expect_bits_of_one_rank<float, 2>(simulation);
}

/// Other tests compute the inner layers beside the halos.
TEST_P(RanksOfSph, AllLayersAfterTheHalos) {
  for (const Walls walls : {Walls::adami, Walls::dynamic})
    expect_bits_of_one_rank<float, 2>(moving_block(2, walls), {.beside_halo = false});
}

TEST_P(RanksOfSph, CutsThatMove) {
  const RankPlan plan{.steps = 60, .rebalance_every = 5, .cut = {0, 2, 4, 0}};
  for (const int dimensions : {2, 3}) {
    Case simulation = moving_block(dimensions, Walls::adami);
    RankPlan skewed = plan;
    const Lattice lattice = make_lattice(simulation, 32);
    skewed.cut.back() = lattice.cells[dimensions - 1] - 2;
    if (dimensions == 2)
      expect_bits_of_one_rank<float, 2>(simulation, skewed, {3});
    else
      expect_bits_of_one_rank<float, 3>(simulation, skewed, {3});
  }
  Case repeated = periodic_box({Axis::x, Axis::y});
  RankPlan skewed = plan;
  skewed.cut.back() = make_lattice(repeated, 32).cells[1] - 2;
  expect_bits_of_one_rank<float, 2>(repeated, skewed, {3});
}

TEST_P(RanksOfSph, CountTheirParticlesAndTheGhostsOfTheNextLayers) {
  Case simulation = periodic_box({Axis::x, Axis::y});
  simulation.bodies[0].jitter = 0;
  simulation.bodies[0].velocity = {};
  const std::int64_t layers = make_lattice(simulation, 32).cells[1];
  const std::vector<std::int64_t> cut = {0, 2, 5, layers};
  const RankResult result = run<float, 2>(simulation, 3, {.steps = 3, .cut = cut});
  std::vector<std::int64_t> particles(static_cast<std::size_t>(layers));
  for (const auto& [id, layer] : result.layer) ++particles[static_cast<std::size_t>(layer)];
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const auto first = particles.begin() + cut[rank], end = particles.begin() + cut[rank + 1];
    EXPECT_EQ(result.slabs[rank].particles, std::accumulate(first, end, std::int64_t{0}));
    const std::int64_t below = rank == 0 ? particles.back() : *(first - 1);
    const std::int64_t above = rank == 2 ? particles.front() : *end;
    EXPECT_EQ(result.slabs[rank].ghosts, below + above) << "rank " << rank;
  }
  const RankResult alone = run<float, 2>(simulation, 1, {.steps = 1});
  EXPECT_EQ(alone.slabs[0].particles, static_cast<std::int64_t>(alone.layer.size()));
  EXPECT_EQ(alone.slabs[0].ghosts, 0);
}

TEST_P(RanksOfSph, IdsOf64BitsGiveTheSameOrder) {
  const Case simulation = moving_block(2, Walls::adami);
  const RankResult narrow = run<float, 2>(simulation, 1, {});
  for (const int count : {1, 3})
    expect_same_result(narrow, run<float, 2>(simulation, count, {.rebalance_every = 5, .has_wide_ids = true}));
}

TEST_P(RanksOfSph, CutsMoveTowardEqualWork) {
  constexpr std::int64_t first_wall = 600;
  struct Choice {
    Walls walls;
    int pause_every;  ///< a run that pauses after each step in which cuts move
  };
  for (const auto [walls, pause_every] :
       {Choice{Walls::adami, 1000}, Choice{Walls::dynamic, 1000}, Choice{Walls::adami, 5}}) {
    SCOPED_TRACE(testing::Message() << to_name(walls) << ", pause every " << pause_every);
    const Case simulation = water_on_a_thick_floor(walls);
    const std::int64_t layers = make_lattice(simulation, 32).cells[1] - 2;
    const RankPlan plan{
        .steps = 30, .pause_every = pause_every, .rebalance_every = pause_every == 5 ? 5 : 1, .cut = {0, 2, layers}};
    const RankResult result = run<float, 2>(simulation, 2, plan);
    std::vector<std::int64_t> weight(2), of_layer(static_cast<std::size_t>(layers));
    for (const auto& [id, rank] : result.rank) {
      const std::int64_t work = id >= first_wall && walls == Walls::adami ? 1 : 10;
      weight[static_cast<std::size_t>(rank)] += work;
      of_layer[static_cast<std::size_t>(result.layer.at(id))] += work;
    }
    for (std::size_t rank = 0; rank < 2; ++rank) EXPECT_EQ(result.slabs[rank].weight, weight[rank]);
    EXPECT_LE(std::abs(weight[0] - weight[1]), *std::max_element(of_layer.begin(), of_layer.end()));
    expect_same_result(run<float, 2>(simulation, 1, plan), result);
  }
}

TEST_P(RanksOfSph, AllRanksThrowTheErrorOfOneRank) {
  Case simulation = moving_block(2, Walls::adami);
  simulation.scheme.dt = 5e-3;
  const RankResult one = run<float, 2>(simulation, 1, {.steps = 200});
  EXPECT_NE(one.failure, "");
  expect_bits_of_one_rank<float, 2>(simulation, {.steps = 200}, {2});
}

}  // namespace
}  // namespace shoal::sph
