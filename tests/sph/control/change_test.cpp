// SPDX-License-Identifier: Apache-2.0
// Particles that a program adds and removes between two steps.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>

#include "sph/control/particle_arrays.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryChangingMethod : public SphMethodTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryChangingMethod, testing::ValuesIn(methods("sph")), method_test_name);

constexpr double particle_mass = 1000 * 0.01 * 0.01;  // kg

/// Water in free space, beside which there is room for more.
Case water_in_space(Integrator integrator = Integrator::tvd_rk3, int layers = 0) {
  Case simulation = block_of_water(6, 4, layers);
  simulation.domain = Box{{-0.2, -0.2, -0.2}, {0.4, 0.4, 0.3}};
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = integrator == Integrator::verlet ? 2e-5 : 1e-4;
  simulation.scheme.gravity = {0, -9.81, 0};
  return simulation;
}

/// Positions of the particles of a body at its start.
std::vector<Vector> positions_of_body(const Fields& fields, std::int32_t body) {
  std::vector<Vector> positions;
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (fields.body[i] == body)
      positions.push_back({fields.position[3 * i], fields.position[3 * i + 1], fields.position[3 * i + 2]});
  return positions;
}

/// A jet over the water, whose tip is cut off: a program that both adds and removes.
bool feed_and_cut(Particles& particles) {
  const std::int64_t step = particles.clock().step;
  const double z = particles.dimensions() == 3 ? 0.015 : 0;
  if (step % 6 == 0) {
    const double x = 0.1 + 0.011 * static_cast<double>(step / 6);
    add_from_host(particles, {{x, 0.15, z}, {x, 0.161, z}, {x, 0.172, z}}, {{0.5, -1, 0}});
  }
  if (step % 9 == 4) remove_from_host(particles, {step % 24});
  if (step == 30) particles.remove_in({{0.1, 0, -1}, {0.125, 1, 1}});
  return true;
}

TEST_P(EveryChangingMethod, IdsCountUpAndAreNeverUsedAgain) {
  Solver run = solver(water_in_space());
  Particles particles = run.particles();
  EXPECT_EQ(add_from_host(particles, {{0.2, 0.2, 0}, {0.22, 0.2, 0}}), 24);
  EXPECT_EQ(run.clock().particles, 26);
  EXPECT_EQ(remove_from_host(particles, {25, 3}), 2);
  EXPECT_EQ(add_from_host(particles, {{0.22, 0.2, 0}}), 26);
  run.advance_steps(3);
  const Fields fields = run.fields();
  std::vector<std::int64_t> expected{0, 1, 2};
  for (std::int64_t id = 4; id < 25; ++id) expected.push_back(id);
  expected.push_back(26);
  EXPECT_EQ(fields.id, expected);
  EXPECT_EQ(run.clock().particles, 25);
  EXPECT_EQ(run.clock().lost, 0);
  EXPECT_EQ(fields.body.back(), -1) << "it started in no body";
}

TEST_P(EveryChangingMethod, AnAddedDropletFallsByGTimesTimeSquaredOverTwo) {
  for (const int layers : {0, 3}) {
    SCOPED_TRACE(layers);
    Case simulation = water_in_space(Integrator::tvd_rk3, layers);
    simulation.precision = Precision::double_;
    Solver run = solver(simulation);
    run.advance_steps(7);
    const double start = run.clock().time;
    Particles particles = run.particles();
    const std::int64_t id = add_from_host(particles, {{0.3, 0.3, 0.1}}, {{-0.4, 0.2, 0}});
    run.advance_steps(60);
    const Fields fields = run.fields();
    const double t = run.clock().time - start;
    ASSERT_EQ(fields.id.back(), id);
    const std::size_t last = 3 * (fields.id.size() - 1);
    EXPECT_NEAR(fields.position[last], 0.3 - 0.4 * t, 1e-12);
    EXPECT_NEAR(fields.position[last + 1], 0.3 + 0.2 * t - 9.81 * t * t / 2, 1e-12);
    EXPECT_EQ(fields.pressure.back(), 0);
  }
}

TEST_P(EveryChangingMethod, WhatIsAddedAtTheStartHasTheBitsOfABody) {
  for (const Integrator integrator : integrators)
    for (const int layers : {0, 3}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << layers << " layers");
      Case both = water_in_space(integrator, layers);
      both.bodies.push_back({"water", {{0.06, 0, 0}, {0.1, 0.05, 0.01 * layers}}, {0.3, 0.1, 0}, {}});
      Case one = both;
      one.bodies.pop_back();
      Solver expected = solver(both), run = solver(one);
      Particles particles = run.particles();
      add_from_host(particles, positions_of_body(expected.fields(), 1), {{0.3, 0.1, 0}});
      for (Solver* solver : {&expected, &run}) solver->advance_steps(30);
      expect_same(run.snapshot(), expected.snapshot());
    }
}

TEST_P(EveryChangingMethod, ParticlesOfAnotherMaterialHaveItsMassAndEquationOfState) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case both = general_case(integrator, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
    both.walls.clear();
    Case one = both;
    one.bodies.pop_back();
    Solver expected = solver(both), run = solver(one);
    Particles particles = run.particles();
    add_from_host(particles, positions_of_body(expected.fields(), 1), {{}}, "oil");
    for (Solver* solver : {&expected, &run}) solver->advance_steps(20);
    expect_same(run.snapshot(), expected.snapshot());
    EXPECT_NEAR(run.balance().added, 24 * 6 * 0.08, 1e-5);
  }
}

TEST_P(EveryChangingMethod, ARemovedColumnIsAsIfItNeverHadBeenThere) {
  for (const Integrator integrator : integrators)
    for (const int layers : {0, 3}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << layers << " layers");
      const Case alone = water_in_space(integrator, layers);
      Case beside = alone;
      beside.bodies.push_back({"water", {{0.15, 0, 0}, {0.19, 0.2, 0.01 * layers}}, {}, {}});
      Solver expected = solver(alone), run = solver(beside);
      run.advance_steps(11);
      Particles particles = run.particles();
      const std::int64_t removed = particles.remove_in({{0.1, -1, -1}, {1, 1, 1}});
      EXPECT_EQ(removed, 80 * std::max(layers, 1));
      EXPECT_EQ(run.clock().particles, 24 * std::max(layers, 1));
      run.advance_steps(29);
      expected.advance_steps(40);
      expect_same(run.snapshot(), expected.snapshot());
    }
}

TEST_P(EveryChangingMethod, ARestartHasTheSameBits) {
  for (const Integrator integrator : integrators)
    for (const int layers : {0, 3}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << layers << " layers");
      const Case simulation = water_in_space(integrator, layers);
      Solver whole = solver(simulation), first = solver(simulation);
      for (Solver* run : {&whole, &first}) run->on_step(feed_and_cut);
      whole.advance_steps(50);
      first.advance_steps(25);
      Solver second = solver(simulation, first.snapshot());
      second.on_step(feed_and_cut);
      second.advance_steps(25);
      expect_same(whole.snapshot(), second.snapshot());
      EXPECT_EQ(whole.snapshot().changes.added, 27);
      EXPECT_EQ(second.snapshot().changes.removed, whole.snapshot().changes.removed);
      EXPECT_EQ(second.balance().removed, whole.balance().removed);
    }
}

TEST_P(EveryChangingMethod, AgreesWithSerial) {
  for (const int layers : {0, 3}) {
    Case simulation = water_in_space(Integrator::tvd_rk3, layers);
    simulation.precision = Precision::double_;
    Solver run = solver(simulation);
    simulation.method = "serial";
    Solver serial(Queue::cpu(1), simulation);
    for (Solver* one : {&run, &serial}) {
      one->on_step(feed_and_cut);
      one->advance_steps(50);
    }
    expect_near(run.fields(), serial.fields(), 1e-9);
    EXPECT_EQ(run.clock().particles, serial.clock().particles);
  }
}

TEST_P(EveryChangingMethod, TheBalanceCountsMassAndMomentum) {
  Solver run = solver(water_in_space());
  const double start = 24 * particle_mass;
  EXPECT_EQ(run.balance().added, 0);
  EXPECT_EQ(run.balance().removed, 0);
  Particles particles = run.particles();
  add_from_host(particles, {{0.2, 0.2, 0}, {0.22, 0.2, 0}, {0.24, 0.2, 0}}, {{2, -1, 0}});
  const Balance added = run.balance();
  EXPECT_NEAR(added.added, 3 * particle_mass, 1e-12);
  EXPECT_NEAR(added.mass, start + 3 * particle_mass, 1e-12);
  EXPECT_NEAR(added.momentum[0], 3 * particle_mass * 2, 1e-7);
  EXPECT_NEAR(added.momentum[1], -3 * particle_mass, 1e-7);
  run.advance_steps(5);
  particles = run.particles();
  EXPECT_EQ(remove_from_host(particles, {0, 24, 7, 8}), 4);
  const Balance removed = run.balance();
  EXPECT_NEAR(removed.removed, 4 * particle_mass, 1e-12);
  EXPECT_NEAR(removed.mass, start + removed.added - removed.removed, 1e-12);
  EXPECT_NEAR(removed.momentum[0], 2 * particle_mass * 2, 1e-6) << "two of the added ones, and those of the block";
}

TEST_P(EveryChangingMethod, ParticlesThatLeaveTheDomainAreLostBesideThoseRemoved) {
  Case simulation = water_in_space();
  simulation.scheme.gravity = {};
  simulation.bodies[0].velocity = {10, 0, 0};
  Solver run = solver(simulation);
  run.advance_steps(2);
  Particles particles = run.particles();
  remove_from_host(particles, {0, 1, 2});
  add_from_host(particles, {{-0.1, 0.1, 0}, {-0.1, 0.2, 0}});
  run.advance_steps(500);
  EXPECT_EQ(run.clock().lost, 21) << "all others of the block";
  EXPECT_EQ(run.clock().particles, 2);
  particles = run.particles();
  add_from_host(particles, {{0, 0.1, 0}, {0, 0.2, 0}, {0, 0.25, 0}});
  EXPECT_EQ(run.clock().particles, 5);
  EXPECT_EQ(run.clock().lost, 21);
  const Balance balance = run.balance();
  EXPECT_NEAR(balance.removed, 3 * particle_mass, 1e-12);
  EXPECT_NEAR(balance.mass, 5 * particle_mass, 1e-12);
  Solver resumed = solver(simulation, run.snapshot());
  resumed.advance_steps(1);
  EXPECT_EQ(resumed.clock().lost, 21);
  EXPECT_EQ(resumed.clock().particles, 5);
}

TEST_P(EveryChangingMethod, RowsAreRemovedByFlags) {
  Solver run = solver(water_in_space());
  run.advance_steps(3);
  Particles particles = run.particles();
  const Queue& device = particles.queue();
  const std::vector<std::int64_t> id = to_host(device, particles.id());
  std::vector<std::uint8_t> flags;
  for (const std::int64_t one : id) flags.push_back(one % 2 == 1);
  EXPECT_EQ(particles.remove_rows(to_device(device, flags)), 12);
  EXPECT_EQ(particles.remove_rows(Array<std::uint8_t>(
                to_device(device, std::vector<std::uint8_t>(static_cast<std::size_t>(particles.count()), 0)))),
            0);
  for (const std::int64_t one : run.fields().id) EXPECT_EQ(one % 2, 0);
  EXPECT_EQ(run.fields().id.size(), 12u);
}

TEST_P(EveryChangingMethod, WallsStayWhereFluidIsRemoved) {
  Case simulation = water_in_space();
  simulation.walls = {{"floor", {{0, -0.03, 0}, {0.06, 0, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  Solver run = solver(simulation);
  Particles particles = run.particles();
  EXPECT_EQ(particles.remove_in({{-1, -1, 0}, {1, 1, 0}}), 24);
  EXPECT_EQ(run.clock().particles, 18);
  add_from_host(particles, {{0.03, 0.03, 0}});
  run.advance_steps(10);
  EXPECT_EQ(run.clock().particles, 19);
}

TEST_P(EveryChangingMethod, AccelerationsStayWithTheirParticles) {
  Case simulation = water_in_space();
  simulation.scheme.gravity = {};
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  Particles particles = run.particles();
  add_from_host(particles, {{0.2, 0.2, 0}, {0.3, 0.3, 0}});
  set_from_host<double>(particles, Quantity::acceleration, {{3}, {0}}, {25});
  remove_from_host(particles, {24});
  add_from_host(particles, {{0.2, 0.3, 0}});
  run.advance_steps(20);
  const Fields fields = run.fields();
  ASSERT_EQ(fields.id.size(), 26u);
  EXPECT_NEAR(fields.velocity[3 * 24], 3 * 20e-4, 1e-8) << "id 25";
  EXPECT_EQ(fields.velocity[3 * 25], 0) << "id 26";
}

}  // namespace
}  // namespace shoal::sph
