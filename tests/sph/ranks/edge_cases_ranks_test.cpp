// SPDX-License-Identifier: Apache-2.0
// Ranks without particles, walls that change their rank, materials of every kind and faults: the bits, and the error, of
// one rank.
#include "sph/ranks/rank_bits.hpp"
#include "sph/sph_cases.hpp"
#include "support/enumerators.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class RankEdgeCases : public RankBits {};
INSTANTIATE_TEST_SUITE_P(AllMethods, RankEdgeCases, testing::ValuesIn(methods("sph")), method_test_name);

/// Water that flies up through a high domain of 25 layers of 2.4 cm, from layers 0 to 2.
Case flying_block(Integrator integrator) {
  Case simulation = block_of_water(10, 6);
  simulation.bodies[0].velocity = {0, 8, 0};
  simulation.bodies[0].jitter = 0.2;
  simulation.domain = Box{{-0.05, 0, 0}, {0.15, 0.6, 0}};
  simulation.scheme.integrator = integrator;
  return simulation;
}

TEST_P(RankEdgeCases, RanksWithoutParticles) {
  for (const Integrator integrator : every<Integrator>()) {
    SCOPED_TRACE(to_name(integrator));
    const Case simulation = flying_block(integrator);
    const RankPlan plan{.steps = 70, .cut = {0, 2, 5, 7, 25}};
    const RankResult one = run<float, 2>(simulation, 1, plan);
    const RankResult several = run<float, 2>(simulation, 4, plan);
    expect_same_result(one, several);
    EXPECT_EQ(several.counts, (std::vector<std::int64_t>{0, 60, 0, 0}));
    RankPlan moving = plan;
    moving.rebalance_every = 4;
    expect_same_result(one, run<float, 2>(simulation, 4, moving));
  }
}

/// 30,000 particles of which the middle one of three ranks has few at first. It gives its layers to the rank above while
/// half of the rank below comes to it, for which its memory must grow.
TEST_P(RankEdgeCases, ARankThatGivesLayersWhileItsMemoryGrows) {
  Case simulation = block_of_water(100, 300);
  simulation.bodies[0].jitter = 0.2;
  simulation.domain = Box{{-0.1, -0.024, 0}, {1.1, 3.024, 0}};
  RankPlan plan{.steps = 9, .cut = {0, 111, 115, 127}};
  const RankResult one = run<float, 2>(simulation, 1, plan);
  plan.rebalance_every = 2;
  const RankResult several = run<float, 2>(simulation, 3, plan);
  expect_same_result(one, several);
  for (const std::int64_t count : several.counts) EXPECT_NEAR(static_cast<double>(count), 1e4, 1e3);
}

TEST_P(RankEdgeCases, AllParticlesHaveLeftTheDomain) {
  Case simulation = flying_block(Integrator::verlet);
  simulation.domain->to[1] = 0.13;
  for (const int rebalance_every : {0, 4}) {
    const RankPlan plan{.steps = 200, .rebalance_every = rebalance_every};
    const RankResult one = run<float, 2>(simulation, 1, plan);
    EXPECT_EQ(one.clock.lost, 60);
    expect_same_result(one, run<float, 2>(simulation, 2, plan));
  }
}

/// A plate of 30 wall particles that pushes water up.
Case plate_under_water(Walls walls, double speed) {
  Case simulation = block_of_water(10, 8);
  simulation.walls = {{"plate", {{0, -0.03, 0}, {0.1, 0, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.walls[0].motion.kind = MotionKind::translation;
  simulation.walls[0].motion.velocity = {0, speed, 0};
  simulation.domain = Box{{-0.03, -0.08, 0}, {0.13, 0.4, 0}};
  simulation.scheme.walls = walls;
  return simulation;
}

TEST_P(RankEdgeCases, AMovingWallThatChangesItsRank) {
  constexpr std::int64_t first_wall = 80;
  for (const Walls walls : every<Walls>()) {
    SCOPED_TRACE(to_name(walls));
    const Case simulation = plate_under_water(walls, 10);
    const RankPlan plan{.steps = 40, .cut = {0, 3, 5, 20}};
    const RankResult one = run<double, 2>(simulation, 1, plan);
    EXPECT_EQ(one.failure, "");
    const RankResult several = run<double, 2>(simulation, 3, plan);
    expect_same_result(one, several);
    const RankResult start = run<double, 2>(simulation, 3, {.steps = 0, .cut = plan.cut});
    EXPECT_EQ(start.rank.at(first_wall), 0);
    EXPECT_EQ(several.rank.at(first_wall), 1);
  }
}

TEST_P(RankEdgeCases, AMovingWallThatCrossesMoreThanALayerInAStepIsTheErrorOfOneRank) {
  const Case simulation = plate_under_water(Walls::adami, 300);
  EXPECT_NE((run<float, 2>(simulation, 1, {}).failure), "");
  expect_bits_of_one_rank<float, 2>(simulation, {}, {2, 3});
}

/// A liquid or a gas with an equation of state of any kind.
Material material_of(EquationOfState equation) {
  Material material = water(40);
  material.equation_of_state = equation;
  const double modulus = material.density * material.sound_speed * material.sound_speed;
  material.compression = {modulus, modulus, modulus};
  material.tension = {modulus, 0};
  material.energy = {0.3, 0.1};
  material.grueneisen = 0.5;
  material.hugoniot_slope = 1.5;
  material.exponent = equation == EquationOfState::ideal_gas ? 1.4 : 7;
  return material;
}

TEST_P(RankEdgeCases, EveryEquationOfState) {
  for (const EquationOfState equation : every<EquationOfState>()) {
    SCOPED_TRACE(to_name(equation));
    Case simulation = flying_block(Integrator::symplectic);
    simulation.materials = {material_of(equation)};
    simulation.bodies[0].energy = 2500;
    simulation.scheme.energy = true;
    simulation.scheme.density_diffusion = DensityDiffusion::none;
    simulation.scheme.time_step = TimeStep::cfl;
    const RankResult one = run<float, 2>(simulation, 1, {.steps = 20});
    EXPECT_EQ(one.failure, "");
    expect_same_result(one, run<float, 2>(simulation, 2, {.steps = 20, .cut = {0, 2, 25}}));
  }
}

TEST_P(RankEdgeCases, AFaultInGeneralPhysicsIsTheErrorOfOneRank) {
  Case simulation = general_case(Integrator::tvd_rk3, Walls::adami, Kernel::quintic_spline, DensityDiffusion::molteni);
  simulation.scheme.dt = 1e-3;
  EXPECT_NE((run<float, 2>(simulation, 1, {.steps = 100}).failure), "");
  expect_bits_of_one_rank<float, 2>(simulation, {.steps = 100}, {3});
}

/// The water of one rank alone is too fast.
TEST_P(RankEdgeCases, AFaultOfEitherRankIsTheErrorOfOneRank) {
  for (const std::size_t fast : {std::size_t{0}, std::size_t{1}}) {
    Case simulation = flying_block(Integrator::tvd_rk3);
    simulation.bodies[0].velocity = {};
    Body high = simulation.bodies[0];
    high.box = {{0, 0.3, 0}, {0.1, 0.36, 0}};
    simulation.bodies.push_back(high);
    simulation.bodies[fast].velocity = {400, 0, 0};
    const RankResult one = run<float, 2>(simulation, 1, {});
    EXPECT_NE(one.failure, "");
    expect_same_result(one, run<float, 2>(simulation, 2, {.cut = {0, 8, 25}}));
  }
}

}  // namespace
}  // namespace shoal::sph
