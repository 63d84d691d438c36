// SPDX-License-Identifier: Apache-2.0
// What every method of the solver does at the edges: unstable runs, particles that leave, goals, observers.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

void expect_start(const std::string& message, const std::string& start) {
  EXPECT_EQ(message.substr(0, start.size()), start);
}

class SphMethodLimits : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphMethodLimits, testing::ValuesIn(methods("sph")), method_test_name);

TEST_P(SphMethodLimits, AnUnstableRunNamesStepAndParticleAndKeepsTheStateBefore) {
  Case simulation = block_of_water(20, 20);
  simulation.bodies.push_back(
      {"water", {{0.4, 0, 0}, {0.41, 0.01, 0}}, {300, 0, 0}, {}});  // 3 cm a step, support 2.4 cm
  Solver run = solver(simulation);
  expect_start(
      message_of([&] { run.advance_steps(5); }),
      "sph: unstable at step 1, t = 0.0001 s: particle 400 moves further than the kernel's support of 0.024 m in "
      "one step; the furthest way of any particle is 0.03");
  const Snapshot kept = run.snapshot();
  EXPECT_EQ(kept.clock.step, 0);
  EXPECT_EQ(kept.id.size(), 401u);
  for (std::size_t i = 0; i < kept.id.size(); ++i) {
    EXPECT_EQ(kept.velocity[0][i], kept.id[i] == 400 ? 300 : 0);
    EXPECT_EQ(kept.velocity[1][i], 0);
  }
}

TEST_P(SphMethodLimits, AWallThatMovesFurtherThanTheSupportInAStepIsAnError) {
  Case simulation = block_of_water(20, 20);
  simulation.walls = {{"piston", {{-0.3, 0, 0}, {0.2, 0.2, 0}}, {Side::top, Side::right, Side::bottom}, 1, ""}};
  simulation.walls[0].motion.kind = MotionKind::translation;
  simulation.walls[0].motion.velocity = {-230, 0, 0};  // 2.3 cm a step, support 2.4 cm
  solver(simulation).advance_steps(1);
  simulation.walls[0].motion.velocity = {-250, 0, 0};
  expect_start(message_of([&] { solver(simulation).advance_steps(1); }),
               "sph: unstable at step 1, t = 0.0001 s: particle 400 moves further than the kernel's support of 0.024 m "
               "in one step; the furthest way of any particle is 0.02");
}

TEST_P(SphMethodLimits, APositionThatIsNoNumberIsNamedAsSuch) {
  Case simulation = block_of_water(20, 20);
  simulation.scheme.gravity = {1e200, 0, 0};
  const std::string message = message_of([&] { solver(simulation).advance_steps(5); });
  EXPECT_NE(message.find("gets a position or velocity that is no finite number"), std::string::npos) << message;
}

TEST_P(SphMethodLimits, AdvancingAgainAfterDivergenceThrowsAgain) {
  Case simulation = block_of_water(20, 20);
  simulation.bodies[0].velocity = {300, 0, 0};
  Solver run = solver(simulation);
  const std::string message = message_of([&] { run.advance_steps(5); });
  expect_start(message, "sph: unstable at step 1, t = 0.0001 s: particle 0 moves");
  EXPECT_EQ(message_of([&] { run.advance_steps(5); }), message);
  EXPECT_EQ(message_of([&] { run.profile(5); }), message);
  EXPECT_EQ(message_of([&] { run.advance_steps(0); }), "no error");
  EXPECT_EQ(run.clock().step, 0);
  EXPECT_EQ(run.snapshot().velocity[0], std::vector<double>(400, 300));
}

TEST_P(SphMethodLimits, AStepThatIsTooLongBlowsUpWithAMessage) {
  Case simulation = dam_break(1);
  simulation.scheme.dt = 0.02;
  Solver run = solver(simulation);
  const std::string message = message_of([&] { run.advance_to(4); });
  expect_start(message, "sph: unstable at step ");
}

TEST_P(SphMethodLimits, AVelocityThatIsNotANumberMakesTheRunUnstable) {
  const Case simulation = block_of_water(10, 10);
  Snapshot state = solver(simulation).snapshot();
  for (std::size_t i = 0; i < state.id.size(); ++i)
    if (state.id[i] == 42) state.velocity[1][i] = std::nan("");
  Solver run = solver(simulation, state);
  const std::string message = message_of([&] { run.advance_steps(1); });
  expect_start(message,
               "sph: unstable at step 1, t = 0.0001 s: particle 42 gets a position or velocity that is no finite");
}

TEST_P(SphMethodLimits, FluidFarFromItsDensityIsDroppedAndCounted) {
  Case simulation = block_of_water(8, 8);
  simulation.bodies[0].strain_rate = {40, 40, 0};  // ρ falls by up to 4.5 % within 0.8 ms
  simulation.most_density_deviation = 30;
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.scheme.dt = 1e-5;
  Solver run = solver(simulation);
  run.advance_to(1e-3);
  const std::int64_t lost = run.clock().lost;
  EXPECT_GT(lost, 0);
  EXPECT_LT(lost, 64);
  EXPECT_EQ(run.clock().particles, 64 - lost);
  EXPECT_EQ(run.fields().id.size(), static_cast<std::size_t>(64 - lost));
  const Snapshot there = run.snapshot();
  EXPECT_EQ(std::count_if(there.density_deviation.begin(), there.density_deviation.end(),
                          [](double deviation) { return std::fabs(deviation) > 30; }),
            lost);
  Solver resumed = solver(simulation, there);
  EXPECT_EQ(resumed.clock().lost, lost);
  run.advance_steps(20);
  resumed.advance_steps(20);
  EXPECT_EQ(run.snapshot().density_deviation, resumed.snapshot().density_deviation);
}

TEST_P(SphMethodLimits, ParticlesThatLeaveAreCountedAndStopThere) {
  Case simulation = block_of_water(4, 4);
  simulation.bodies[0].velocity = {1, 0, 0};
  simulation.bodies.push_back({"water", {{0, 0.3, 0}, {0.04, 0.34, 0}}, {}, {}});
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.2, 0.4, 0}};
  simulation.scheme.dt = 1e-3;
  Solver run = solver(simulation);
  run.advance_to(0.3);
  EXPECT_EQ(run.clock().particles, 16);
  EXPECT_EQ(run.clock().lost, 16);
  const Fields fields = run.fields();
  ASSERT_EQ(fields.id.size(), 16u);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(fields.id[i], static_cast<std::int64_t>(16 + i));
  EXPECT_DOUBLE_EQ(run.balance().mass, 16 * 1000 * simulation.spacing * simulation.spacing);
  const Snapshot there = run.snapshot();
  run.advance_to(0.6);
  const Snapshot later = run.snapshot();
  ASSERT_EQ(later.id.size(), 32u);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(later.id[i], static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(later.coordinate[0][i], there.coordinate[0][i]);
}

TEST_P(SphMethodLimits, TheStepByCflMeetsTheGoal) {
  Case simulation = dam_break(1);
  simulation.scheme.time_step = TimeStep::cfl;
  Solver run = solver(simulation);
  run.advance_to(0.0123);
  EXPECT_EQ(run.clock().time, 0.0123);
  // h / c = 4.8e-4 s; no particle is faster than 2 √(g H) = 6.3 m/s, so steps are within 0.8 h / (c + 6.3) and 0.8 h /
  // c
  EXPECT_LE(run.clock().next_dt, 0.8 * 0.024 / 50);
  EXPECT_GE(run.clock().next_dt, 0.8 * 0.024 / 56.3);
  EXPECT_GE(run.clock().step, 32);
  EXPECT_LE(run.clock().step, 38);
}

TEST_P(SphMethodLimits, AFixedStepTakesTheNearestWholeNumber) {
  Solver run = solver(dam_break(1));
  run.advance_to(0.0021);
  EXPECT_EQ(run.clock().step, 5);
  EXPECT_EQ(run.clock().time, 5 * 4e-4);
  run.advance_to(0.0021);
  EXPECT_EQ(run.clock().step, 5);
}

TEST_P(SphMethodLimits, AnObserverEndsARunEarly) {
  Solver run = solver(dam_break(1));
  int calls = 0;
  run.advance_to(4, [&](const Clock& clock) {
    ++calls;
    EXPECT_GT(clock.step, 0);
    return false;
  });
  EXPECT_EQ(calls, 1);
  EXPECT_LT(run.clock().step, 10000);
  run.advance_steps(1);  // and it can go on
  const std::int64_t step = run.clock().step;
  calls = 0;
  run.profile(10, 4, [&](const Clock& clock) {
    ++calls;
    EXPECT_GT(clock.step, step);
    return false;
  });
  EXPECT_EQ(calls, 1);
}

TEST_P(SphMethodLimits, TimeDoesNotRunBackwards) {
  Solver run = solver(block_of_water(3, 3));
  run.advance_to(0.01);
  EXPECT_EQ(message_of([&] { run.advance_to(0.005); }), "sph: cannot advance to t = 0.005 s from t = 0.01 s.");
  EXPECT_EQ(message_of([&] { run.advance_steps(-1); }), "sph: cannot advance by -1 steps.");
  EXPECT_EQ(message_of([&] { run.profile(1, 0.005); }), "sph: cannot advance to t = 0.005 s from t = 0.01 s.");
  EXPECT_EQ(message_of([&] { run.profile(-1); }), "sph: cannot profile -1 steps.");
}

TEST_P(SphMethodLimits, ReportsItsRow) {
  const MethodInfo method = solver(block_of_water(3, 3)).method();
  EXPECT_EQ(method.operation, "sph");
  EXPECT_EQ(method.name, GetParam().name);
  EXPECT_EQ(method.device, GetParam().device);
}

TEST(Sph, AProbeOutsideTheDomainIsAnError) {
  Case simulation = block_of_water(10, 10);
  simulation.domain = Box{{-1, -1, 0}, {1, 1, 0}};
  simulation.probes = {{"far", ProbeKind::pressure, {0, 7, 0}, 0}};
  expect_start(message_of([&] { Solver(Queue::cpu(), simulation); }),
               "sph: probe \"far\" is outside the domain: at[1] = 7 m, allowed [-1.024, ");
}

TEST(Sph, AutoTakesADeterministicMethod) {
  EXPECT_EQ(Solver(Queue::cpu(), block_of_water(3, 3)).method().name, "list");
}

}  // namespace
}  // namespace shoal::sph
