// SPDX-License-Identifier: Apache-2.0
// Open boundaries: profiles, speeds and levels, and flows with exact solutions.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>
#include <shoal/sph/measure.hpp>

#include <algorithm>
#include <cmath>

#include "sph/open_boundaries/open_boundary_cases.hpp"
#include "support/method_suite.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class OpenBoundaryOnDevice : public DeviceTest {
 protected:
  Solver solver(const Case& simulation) const { return Solver(queue(), simulation); }
};
INSTANTIATE_TEST_SUITE_P(AllDevices, OpenBoundaryOnDevice, every_device, device_test_name);

TEST_P(OpenBoundaryOnDevice, ColumnsEnterAtTheirOwnSpeed) {
  Case simulation = free_stream();
  simulation.precision = Precision::double_;
  simulation.open_boundaries[0].profile = VelocityProfile::linear;
  Solver run = solver(simulation);
  run.advance_to(0.052);
  const Fields fields = run.fields();
  std::array<int, 10> count{};
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (fields.id[i] >= 400) ++count[static_cast<std::size_t>((fields.id[i] - 400) % 10)];
  for (std::size_t row = 0; row < 10; ++row) {
    const double speed = inflow_speed * (static_cast<double>(row) + 0.5) / 10;
    EXPECT_EQ(count[row], static_cast<int>(std::floor(speed * 0.052 / 0.01 + 0.5))) << row;
  }
}

TEST_P(OpenBoundaryOnDevice, SpeedsFollowTheirTable) {
  Case simulation = free_stream();
  simulation.open_boundaries[0].velocity = {};
  simulation.open_boundaries[0].times = {0, 0.02, 0.04};
  simulation.open_boundaries[0].speeds = {2, 4, 0};
  Solver run = solver(simulation);
  run.advance_to(0.05);
  EXPECT_NEAR(run.balance().inflow, 10.0, 1e-9);  // 0.06 m and 0.04 m, ten layers of ten particles
  run.advance_to(0.06);
  EXPECT_NEAR(run.balance().inflow, 10.0, 1e-9);
}

TEST_P(OpenBoundaryOnDevice, WhatEntersHasTheMassOfTheFluidAtTheStart) {
  Case simulation = free_stream();
  simulation.bodies[0].density = 1010;
  Solver run = solver(simulation);
  run.advance_to(0.04);
  const double layers = std::floor(0.04 * inflow_speed / simulation.spacing + 0.5);
  EXPECT_NEAR(run.balance().inflow, 1.01 * layers, 1e-5);  // of ten particles
}

TEST_P(OpenBoundaryOnDevice, FluidEntersBelowTheWaterLevel) {
  Case simulation = free_stream();
  simulation.scheme.gravity = {0, -1, 0};
  simulation.open_boundaries[0].water_level = 0.06;
  Solver run = solver(simulation);
  run.advance_to(0.03);
  EXPECT_NEAR(run.balance().inflow, 6 * 6 * 0.1, 1e-9);
}

TEST_P(OpenBoundaryOnDevice, ProbesOfStoredFieldsTakeWhatEntered) {
  Case simulation = free_stream();
  simulation.scheme.laminar_viscosity = true;
  Solver run = solver(simulation);
  run.advance_to(0.05);
  const std::vector<Probe> probes{{.name = "v", .kind = ProbeKind::velocity, .at = {0.08, 0.05, 0}},
                                  {.name = "h", .kind = ProbeKind::water_height, .at = {0.08, 0, 0}}};
  const std::vector<double> live = run.measure(probes);
  const std::vector<double> stored = measure(Queue::cpu(1), simulation, run.fields(), probes);
  ASSERT_EQ(live.size(), stored.size());
  for (std::size_t k = 0; k < live.size(); ++k) EXPECT_NEAR(live[k], stored[k], 1e-5);
  EXPECT_NEAR(live[0], inflow_speed, 1e-3);
}

// Water at rest beside a box of water at rest stays so; the pressure in the box is hydrostatic.
TEST_P(OpenBoundaryOnDevice, AnInletAtRestHoldsStillWater) {
  for (const Extrapolation extrapolation : {Extrapolation::linear, Extrapolation::constant}) {
    Case simulation = block_of_water(30, 20);
    simulation.precision = Precision::double_;
    simulation.smoothing = 1.5;
    simulation.materials = {water(15)};
    simulation.bodies[0].pressure = InitialPressure::hydrostatic;
    simulation.walls = {{"tank", {{0, 0, 0}, {0.3, 0.3, 0}}, {Side::top, Side::right}, 3, ""}};
    simulation.domain = Box{{-0.05, -0.05, 0}, {0.4, 0.4, 0}};
    simulation.scheme.time_step = TimeStep::cfl;
    simulation.scheme.gravity = {0, -9.81, 0};
    simulation.scheme.artificial_viscosity = 0.1;
    simulation.open_boundaries = {{.name = "end",
                                   .box = {{0.26, 0, 0}, {0.3, 0.3, 0}},
                                   .fluid = Side::left,
                                   .velocity = 0.0,
                                   .extrapolation = extrapolation}};
    Solver run = solver(simulation);
    run.advance_to(0.5);
    const Balance balance = run.balance();
    EXPECT_EQ(balance.inflow, 0);
    EXPECT_EQ(balance.outflow, 0);
    EXPECT_LT(std::sqrt(2 * balance.kinetic / balance.mass), 0.02 * std::sqrt(9.81 * 0.2));
    for (const double x : {0.2, 0.28}) {
      const double p = run.measure({{.name = "p", .kind = ProbeKind::pressure, .at = {x, 0.05, 0}}})[0];
      EXPECT_NEAR(p, 1000 * 9.81 * 0.15, 0.05 * 1000 * 9.81 * 0.15) << x << " m, " << to_name(extrapolation);
    }
  }
}

/// Channel of length 3 and height 1 between plates without slip: Re = 10 by the height and the largest velocity.
Case poiseuille(Extrapolation extrapolation) {
  Case simulation;
  simulation.spacing = 0.0625;
  simulation.smoothing = 1.5;
  simulation.materials = {water(10)};
  simulation.materials[0].kinematic_viscosity = 0.1;
  simulation.bodies = {{"water", {{0, 0, 0}, {3, 1, 0}}, {0.5, 0, 0}, {}}};
  simulation.walls = {{"plates", {{0, 0, 0}, {3, 1, 0}}, {Side::left, Side::right}, 4, ""}};
  simulation.domain = Box{{-0.5, -0.5, 0}, {3.5, 1.5, 0}};
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.wall_flow = WallFlow::no_slip;
  simulation.scheme.artificial_viscosity = 0;
  simulation.scheme.shifting.coefficient = 2;
  simulation.open_boundaries = {{.name = "inlet",
                                 .box = {{0, 0, 0}, {0.375, 1, 0}},
                                 .fluid = Side::right,
                                 .velocity = 1,
                                 .profile = VelocityProfile::parabolic,
                                 .extrapolation = extrapolation},
                                {.name = "outlet",
                                 .box = {{2.625, 0, 0}, {3, 1, 0}},
                                 .fluid = Side::left,
                                 .pressure = 0.0,
                                 .extrapolation = extrapolation}};
  return simulation;
}

// u = 4 s (1 − s), dp/dx = −8 ρ ν u/H² = −800 Pa/m.
TEST_P(OpenBoundaryOnDevice, PoiseuilleFlowKeepsItsProfile) {
  for (const Extrapolation extrapolation : {Extrapolation::linear, Extrapolation::constant}) {
    Solver run = solver(poiseuille(extrapolation));
    run.advance_to(6);
    const auto value = [&](ProbeKind kind, double x, double s) {
      return run.measure({{.name = "p", .kind = kind, .at = {x, s, 0}}})[0];
    };
    for (const double s : {0.25, 0.5, 0.6})  // probes nearer to a plate lack fluid on one side
      EXPECT_NEAR(value(ProbeKind::velocity, 1.5, s), 4 * s * (1 - s), 0.025) << to_name(extrapolation);
    const double slope = value(ProbeKind::pressure, 2, 0.5) - value(ProbeKind::pressure, 1, 0.5);
    EXPECT_NEAR(slope, -800, 80) << to_name(extrapolation);
    const Balance balance = run.balance();
    EXPECT_NEAR(balance.inflow, 4000, 0.02 * 4000) << to_name(extrapolation);  // 2/3 of the largest velocity
    EXPECT_NEAR(balance.outflow, balance.inflow, 0.02 * balance.inflow) << to_name(extrapolation);
  }
}

}  // namespace
}  // namespace shoal::sph
