// SPDX-License-Identifier: Apache-2.0
// Accelerations by a program, and callbacks before steps.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <vector>

#include "sph/control/particle_arrays.hpp"
#include "sph/open_boundaries/open_boundary_cases.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryForcedMethod : public SphMethodTest {};
class Callbacks : public DeviceTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryForcedMethod, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllDevices, Callbacks, every_device, device_test_name);

constexpr Vector spring_center{0.06, 0.05, 0};

/// A block of water that no force but a program's moves.
Case free_block(Integrator integrator, int layers = 0) {
  Case simulation = block_of_water(4, 3, layers);
  simulation.precision = Precision::double_;
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.2, 0.2, 0.2}};
  simulation.scheme.integrator = integrator;
  return simulation;
}

/// Water on a floor that a spring pulls together.
Case sprung_block(Integrator integrator = Integrator::tvd_rk3) {
  Case simulation = block_of_water(12, 10);
  simulation.walls = {{"floor", {{0, -0.03, 0}, {0.12, 0, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.scheme.walls = Walls::dynamic;  // which do not ask for gravity
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.3, 0.3, 0}};
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = integrator == Integrator::verlet ? 2e-5 : 1e-4;
  return simulation;
}

bool pull(Particles& particles) {
  set_spring(particles, 4000, spring_center);
  return true;
}

TEST_P(EveryForcedMethod, AConstantAccelerationGivesAParabola) {
  for (const Integrator integrator : integrators)
    for (const int layers : {0, 2}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << layers << " layers");
      Solver run = solver(free_block(integrator, layers));
      const Fields before = run.fields();
      Particles particles = run.particles();
      set_everywhere(particles, Quantity::acceleration, {3, -7, 0});
      run.advance_steps(50);
      const double t = run.clock().time;
      const Fields after = run.fields();
      for (std::size_t i = 0; i < after.id.size(); ++i) {
        EXPECT_NEAR(after.position[3 * i], before.position[3 * i] + 1.5 * t * t, 1e-12);
        EXPECT_NEAR(after.position[3 * i + 1], before.position[3 * i + 1] - 3.5 * t * t, 1e-12);
        EXPECT_NEAR(after.velocity[3 * i], 3 * t, 1e-8);
        EXPECT_NEAR(after.velocity[3 * i + 1], -7 * t, 1e-8);
      }
    }
}

TEST_P(EveryForcedMethod, AnAccelerationActsAsGravityDoes) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = sprung_block(integrator);
    simulation.precision = Precision::double_;
    Solver forced = solver(simulation);
    Particles particles = forced.particles();
    set_everywhere(particles, Quantity::acceleration, {0, -9.81, 0});
    simulation.scheme.gravity = {0, -9.81, 0};
    Solver heavy = solver(simulation);
    forced.advance_steps(60);
    heavy.advance_steps(60);
    expect_near(forced.fields(), heavy.fields(), 1e-11);
  }
}

TEST_P(EveryForcedMethod, AccelerationsFollowTheirParticlesAndEnd) {
  Case simulation = free_block(Integrator::tvd_rk3);
  simulation.bodies.clear();
  for (const double x : {-0.05, 0.0, 0.05})  // single particles, which pass each other in other rows of cells
    simulation.bodies.push_back({"water", {{x, x, 0}, {x + 0.01, x + 0.01, 0}}, {-400 * x, 0, 0}, {}});
  Solver run = solver(simulation);
  Particles particles = run.particles();
  set_from_host<double>(particles, Quantity::acceleration, {{0}, {7}}, {2});
  run.advance_steps(60);
  const Fields fields = run.fields();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(fields.velocity[3 * i + 1], i == 2 ? 7 * 60e-4 : 0, 1e-8);
  run.particles().clear_acceleration();
  const Snapshot at_end = run.snapshot();
  run.advance_steps(3);
  Solver free = solver(simulation, at_end);
  free.advance_steps(3);
  expect_same(run.snapshot(), free.snapshot());
}

TEST_P(EveryForcedMethod, ARestartWithTheCallbackHasTheSameBits) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    const Case simulation = sprung_block(integrator);
    Solver whole = solver(simulation), first = solver(simulation);
    for (Solver* run : {&whole, &first}) run->on_step(pull, 5);
    whole.advance_steps(40);
    first.advance_steps(20);
    Solver second = solver(simulation, first.snapshot());
    second.on_step(pull, 5);
    second.advance_steps(20);
    expect_same(whole.snapshot(), second.snapshot());
    const Fields start = solver(simulation).fields(), end = whole.fields();
    EXPECT_GT(std::abs(start.position[0] - end.position[0]), 1e-7) << "nothing moved";
  }
}

TEST_P(EveryForcedMethod, ACallbackThatDoesNothingChangesNoBit) {
  Case simulation = general_case(Integrator::symplectic, Walls::adami, Kernel::cubic_spline, DensityDiffusion::molteni);
  Solver alone = solver(simulation), watched = solver(simulation);
  int calls = 0;
  watched.on_step([&](Particles& particles) {
    EXPECT_EQ(particles.clock().step, calls++);
    return true;
  });
  alone.advance_to(23 * simulation.scheme.dt);
  watched.advance_to(23 * simulation.scheme.dt);
  EXPECT_EQ(calls, 23);
  expect_same(alone.snapshot(), watched.snapshot());
}

TEST_P(EveryForcedMethod, GeneralPhysicsHasAccelerations) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = general_case(integrator, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
    const auto push = [](Particles& particles) {
      set_everywhere(particles, Quantity::acceleration, {50, 20, 0});
      return true;
    };
    Solver run = solver(simulation), free = solver(simulation);
    run.on_step(push);
    run.advance_steps(10);
    free.advance_steps(10);
    simulation.method = "serial";
    Solver serial(Queue::cpu(1), simulation);
    serial.on_step(push);
    serial.advance_steps(10);
    expect_near(run.fields(), serial.fields(), 1e-7);
    const double gained = run.balance().momentum[0] - free.balance().momentum[0];
    EXPECT_NEAR(gained / (run.balance().mass * 50 * 10 * simulation.scheme.dt), 1, 0.05);
  }
}

TEST_P(Callbacks, AnAccelerationLimitsTheStepByCfl) {
  Case simulation = block_of_water(4, 3);
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.scheme.cfl = 0.2;
  simulation.domain = Box{{-5, -5, 0}, {5, 5, 0}};
  Solver run(queue(), simulation);
  Particles particles = run.particles();
  set_everywhere(particles, Quantity::acceleration, {1e6, 0, 0});
  const double expected = 0.2 * std::sqrt(simulation.smoothing * simulation.spacing / 1e6);
  EXPECT_NEAR(run.clock().next_dt, expected, 1e-5 * expected) << "for the first step";
  run.advance_steps(2);
  EXPECT_NEAR(run.clock().next_dt, expected, 1e-5 * expected);
}

TEST_P(Callbacks, AreBeforeStepsWhoseNumbersAreMultiples) {
  Solver run(queue(), sprung_block());
  std::vector<std::int64_t> steps;
  run.on_step(
      [&](Particles& particles) {
        steps.push_back(particles.clock().step);
        return true;
      },
      3);
  run.advance_steps(4);
  run.advance_steps(3);
  run.advance_steps(0);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 3, 6}));
  run.on_step({});
  run.advance_steps(5);
  EXPECT_EQ(steps.size(), 3u);
}

TEST_P(Callbacks, AreInProfiles) {
  Solver alone(queue(), sprung_block()), profiled(queue(), sprung_block());
  for (Solver* run : {&alone, &profiled}) run->on_step(pull, 2);
  alone.advance_steps(5);
  const std::vector<KernelProfile> profiles = profiled.profile(5);
  expect_same(alone.snapshot(), profiled.snapshot());
  for (std::size_t k = 1; k < profiles.size(); ++k) EXPECT_NE(profiles[k].name, profiles[0].name);
}

TEST_P(Callbacks, EndTheRunBeforeTheStep) {
  Solver run(queue(), sprung_block());
  run.on_step([](Particles& particles) { return particles.clock().step < 4; });
  run.advance_steps(10);
  EXPECT_EQ(run.clock().step, 4);
  run.on_step([](Particles&) { return true; });
  int observed = 0;
  run.advance_to(1, [&](const Clock&) { return ++observed < 3; });
  EXPECT_EQ(run.clock().step, 7) << "an observer still ends the run";
}

TEST_P(Callbacks, BadOnesAreErrors) {
  Solver run(queue(), sprung_block());
  EXPECT_EQ(message_of([&] { run.on_step(pull, 0); }), "sph: a callback every 0 steps, expected at least 1.");
  run.on_step([](Particles&) -> bool { throw Error("of the program"); });
  EXPECT_EQ(message_of([&] { run.advance_steps(2); }), "of the program");
  EXPECT_EQ(run.clock().step, 0);
}

TEST(CallbacksOfThreads, AnyNumberOfThreadsHasTheSameBits) {
  const auto bits = [](int threads) {
    Solver run(Queue::cpu(threads), sprung_block());
    run.on_step(pull);
    run.advance_steps(50);
    return run.snapshot();
  };
  expect_same(bits(1), bits(3));
}

TEST_P(Callbacks, ParticlesThatEnterHaveThemFromTheNextCallOn) {
  const Case simulation = disturbed_stream();
  const auto lift = [](Particles& particles) {
    set_everywhere(particles, Quantity::acceleration, {0, 5, 0});
    return true;
  };
  Solver whole(queue(), simulation), first(queue(), simulation);
  for (Solver* run : {&whole, &first}) run->on_step(lift, 40);
  whole.advance_steps(240);
  EXPECT_GT(whole.balance().inflow, 0);
  first.advance_steps(120);
  Solver second(queue(), simulation, first.snapshot());
  second.on_step(lift, 40);
  second.advance_steps(120);
  expect_same(whole.snapshot(), second.snapshot());
}

}  // namespace
}  // namespace shoal::sph
