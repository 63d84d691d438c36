// SPDX-License-Identifier: Apache-2.0
// Open boundaries: what enters, leaves and returns, by every method.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "sph/open_boundaries/open_boundary_cases.hpp"
#include "sph/snapshots.hpp"
#include "sph/sph_method_test.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryOpenBoundary : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryOpenBoundary, testing::ValuesIn(methods("sph")), method_test_name);

// A lattice that moves as a whole has neither forces nor changes of density: it is an exact solution of the scheme.
TEST_P(EveryOpenBoundary, AUniformStreamPassesUnchanged) {
  for (const Integrator integrator : integrators) {
    Case simulation = free_stream(integrator);
    simulation.precision = Precision::double_;
    Solver run = solver(simulation);
    const double time = integrator == Integrator::verlet ? 0.0124 : 0.0724;  // 2.48 or 14.48 spacings
    const int passed = integrator == Integrator::verlet ? 2 : 14;
    run.advance_to(time);
    const Fields fields = run.fields();
    ASSERT_EQ(fields.id.size(), 400u) << to_name(integrator);
    std::set<std::int64_t> entered;
    for (std::size_t i = 0; i < fields.id.size(); ++i) {
      EXPECT_NEAR(fields.velocity[3 * i], inflow_speed, 1e-6);
      EXPECT_NEAR(fields.velocity[3 * i + 1], 0, 1e-6);
      EXPECT_NEAR(fields.density[i], 1000, 1e-3);
      const double columns = (fields.position[3 * i] - inflow_speed * time) / 0.01;
      EXPECT_NEAR(columns - std::floor(columns), 0.5, 1e-5);
      if (fields.id[i] >= 400) {
        entered.insert(fields.id[i]);
        EXPECT_EQ(fields.body[i], -1);
      }
    }
    EXPECT_EQ(entered.size(), 10u * static_cast<std::size_t>(passed));
    EXPECT_EQ(*entered.begin(), 400);
    EXPECT_EQ(*entered.rbegin(), 399 + 10 * passed);
    const Balance balance = run.balance();
    EXPECT_NEAR(balance.inflow, passed, 1e-9);
    EXPECT_NEAR(balance.outflow, passed, 1e-9);
    EXPECT_NEAR(balance.mass, 40.0, 1e-9);
    EXPECT_EQ(run.clock().particles, 400);
    EXPECT_EQ(run.clock().lost, 0);
  }
}

TEST_P(EveryOpenBoundary, MassIsThatOfTheStartWithWhatPassed) {
  for (const Integrator integrator : integrators) {
    Case simulation = disturbed_stream(integrator);
    simulation.scheme.laminar_viscosity = true;  // particles have masses of their own
    Solver run = solver(simulation);
    const double start = run.balance().mass;
    EXPECT_EQ(run.balance().inflow, 0);
    EXPECT_EQ(run.balance().outflow, 0);
    run.advance_to(0.02);
    const Balance balance = run.balance();
    EXPECT_GT(balance.inflow, 0.03 * start);
    EXPECT_GT(balance.outflow, 0.03 * start);
    EXPECT_EQ(balance.clock.lost, 0);
    EXPECT_NEAR(balance.mass, start + balance.inflow - balance.outflow, 1e-9 * start) << to_name(integrator);
  }
}

// A box that is wider than the stream: three columns on both sides lie in walls, as in the corners around a round pipe.
TEST_P(EveryOpenBoundary, NothingEntersWhereAWallStands) {
  Case simulation = free_stream();
  simulation.walls = {{.name = "plates", .box = {{0, 0, 0}, {0.4, 0.1, 0}}, .open = {Side::left, Side::right}}};
  for (OpenBoundary& boundary : simulation.open_boundaries) boundary.box.from[1] = -0.03, boundary.box.to[1] = 0.13;
  Solver run = solver(simulation);
  run.advance_to(0.0324);                      // 6.48 spacings
  EXPECT_NEAR(run.balance().inflow, 6, 1e-6);  // of 10 columns with 0.1 kg each
  const Fields fields = run.fields();
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall[i] != 0) continue;
    EXPECT_GT(fields.position[3 * i + 1], 0);
    EXPECT_LT(fields.position[3 * i + 1], 0.1);
  }
}

/// The disturbed stream in forms that take other parts of the code.
std::vector<std::pair<std::string, Case>> forms_of_stream() {
  std::vector<std::pair<std::string, Case>> forms;
  const auto add = [&](const char* name, const std::function<void(Case&)>& change) {
    Case simulation = disturbed_stream();
    simulation.precision = Precision::double_;
    change(simulation);
    forms.emplace_back(name, simulation);
  };
  add("plain", [](Case&) {});
  add("general", [](Case& c) { c.scheme.laminar_viscosity = true; });
  add("constant", [](Case& c) { c.open_boundaries[1].extrapolation = Extrapolation::constant; });
  add("power", [](Case& c) { c.open_boundaries[0].profile = VelocityProfile::power; });
  add("periodic", [](Case& c) {
    c.scheme.periodic = {Axis::y};
    c.domain = Box{{-0.1, 0, 0}, {0.5, 0.1, 0}};
  });
  add("level", [](Case& c) {
    c.scheme.gravity = {0, -5, 0};
    for (OpenBoundary& boundary : c.open_boundaries) boundary.water_level = 0.1, boundary.pressure = 0.0;
  });
  add("cfl", [](Case& c) { c.scheme.time_step = TimeStep::cfl; });
  return forms;
}

TEST_P(EveryOpenBoundary, AgreesWithSerial) {
  for (auto [name, simulation] : forms_of_stream()) {
    SCOPED_TRACE(name);
    Solver run = solver(simulation);
    simulation.method = "serial";
    Solver serial(Queue::cpu(1), simulation);
    run.advance_steps(200);
    serial.advance_steps(200);
    EXPECT_GT(run.balance().inflow, 0);
    EXPECT_GT(run.balance().outflow, 0);
    expect_near(run.fields(), serial.fields(), 1e-9);
    EXPECT_EQ(run.balance().inflow, serial.balance().inflow);
    EXPECT_EQ(run.balance().outflow, serial.balance().outflow);
  }
}

TEST_P(EveryOpenBoundary, AgreesWithSerialIn3D) {
  Case simulation = stream_in_3d();
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  simulation.method = "serial";
  Solver serial(Queue::cpu(1), simulation);
  run.advance_steps(60);
  serial.advance_steps(60);
  EXPECT_GT(run.balance().inflow, 0);
  EXPECT_GT(run.balance().outflow, 0);
  expect_near(run.fields(), serial.fields(), 1e-9);
}

TEST_P(EveryOpenBoundary, AFlowThatTurnsBackReturns) {
  Case simulation = turning_stream();
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  for (const double time : {0.05, 0.1}) {
    run.advance_to(time);
    const Fields fields = run.fields();
    EXPECT_EQ(fields.id.size(), 400u) << time;
    EXPECT_EQ(std::set<std::int64_t>(fields.id.begin(), fields.id.end()).size(), fields.id.size());
    EXPECT_GT(std::count_if(fields.id.begin(), fields.id.end(), [](std::int64_t id) { return id >= 400; }), 15);
    for (std::size_t i = 0; i < fields.id.size(); ++i) {
      EXPECT_NEAR(fields.velocity[3 * i], 1 - 20 * time, 0.03);
      EXPECT_NEAR(fields.density[i], 1000, 1);
    }
    const Balance balance = run.balance();
    EXPECT_EQ(balance.inflow, 0);
    EXPECT_NEAR(balance.outflow, 0, 1e-9);
  }
}

TEST_P(EveryOpenBoundary, AFlowThatTurnsBackAgreesWithSerialAndResumes) {
  Case simulation = turning_stream();
  simulation.bodies[0].strain_rate = {3, -2, 0};
  simulation.scheme.laminar_viscosity = true;
  Solver whole = solver(simulation), first = solver(simulation);
  whole.advance_steps(700);
  first.advance_steps(333);
  Solver second = solver(simulation, first.snapshot());
  second.advance_steps(367);
  expect_same(whole.snapshot(), second.snapshot());
  simulation.precision = Precision::double_;
  Solver precise = solver(simulation);
  simulation.method = "serial";
  Solver serial(Queue::cpu(1), simulation);
  precise.advance_steps(300);
  serial.advance_steps(300);
  expect_near(precise.fields(), serial.fields(), 1e-8);
}

// The fluid that an outlet holds has the velocity of that before it, also toward the bed, which does not act on it.
TEST_P(EveryOpenBoundary, FluidLeavesThroughAnOutletAndNotThroughItsBed) {
  Solver run = solver(stream_over_a_bed());
  const double start = run.balance().mass;
  for (const double time : {0.05, 0.1, 0.15, 0.2, 0.3}) {
    run.advance_to(time);
    const Fields fields = run.fields();
    for (std::size_t i = 0; i < fields.id.size(); ++i) {
      if (fields.wall[i]) continue;
      EXPECT_GT(fields.position[3 * i + 1], -0.01) << "particle " << fields.id[i] << ", " << time;
    }
  }
  EXPECT_EQ(run.clock().lost, 0);
  EXPECT_GT(run.balance().outflow, 0.4 * start);
  EXPECT_NEAR(run.balance().mass, start - run.balance().outflow, 1e-9 * start);
}

TEST_P(EveryOpenBoundary, AParticleThatLeavesTheDomainIsLost) {
  Case simulation = free_stream();
  simulation.bodies.push_back({"water", {{0.2, 0.14, 0}, {0.21, 0.15, 0}}, {0, 40, 0}, {}});
  Solver run = solver(simulation);
  run.advance_steps(100);
  EXPECT_EQ(run.clock().lost, 1);
  EXPECT_EQ(run.clock().particles, run.snapshot().total - 1);
  Solver resumed = solver(simulation, run.snapshot());
  EXPECT_EQ(resumed.clock().lost, 1);
  resumed.advance_steps(20);
  EXPECT_EQ(resumed.clock().lost, 1);
}

}  // namespace
}  // namespace shoal::sph
