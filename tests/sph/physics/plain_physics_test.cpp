// SPDX-License-Identifier: Apache-2.0
// Exact solutions and invariants that every method must reproduce in plain physics.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <cmath>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "sph/sph_states.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class SphPlainPhysics : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphPlainPhysics, testing::ValuesIn(methods("sph")), method_test_name);

TEST_P(SphPlainPhysics, AFreeParticleFallsOnAParabola) {
  Case simulation = block_of_water(1, 1);
  simulation.precision = Precision::double_;
  simulation.bodies[0].velocity = {1, 2, 0};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.dt = 1e-3;
  simulation.domain = Box{{-1, -1, 0}, {1, 1, 0}};
  Solver run = solver(simulation);
  run.advance_to(0.3);
  const Fields fields = run.fields();
  EXPECT_EQ(run.clock().step, 300);
  // third order is exact for a parabola, up to the resolution of a position in each of 3 · 300 stages
  EXPECT_NEAR(fields.position[0], 0.005 + 0.3, 1e-9);
  EXPECT_NEAR(fields.position[1], 0.005 + 2 * 0.3 - 9.81 * 0.09 / 2, 1e-9);
  EXPECT_NEAR(fields.velocity[1], 2 - 9.81 * 0.3, 1e-6);
}

TEST_P(SphPlainPhysics, AFreeDropKeepsItsMomentumAndMass) {
  Case simulation = block_of_water(31, 29);
  simulation.precision = Precision::double_;
  simulation.scheme.energy = true;
  simulation.bodies[0].velocity = {1.5, -0.5, 0};
  Solver run = solver(simulation, disturbed(solver(simulation).snapshot(), simulation, units_a_spacing(simulation)));
  const Balance before = run.balance();
  run.advance_steps(200);
  const Balance after = run.balance();
  EXPECT_EQ(after.mass, before.mass);
  EXPECT_EQ(run.clock().particles, 31 * 29);
  const double scale = before.mass * 1.5;
  for (int axis = 0; axis < 2; ++axis)
    EXPECT_LE(std::abs(after.momentum[axis] - before.momentum[axis]), 1e-12 * scale) << "axis " << axis;
}

TEST_P(SphPlainPhysics, ViscosityTurnsKineticEnergyIntoHeat) {
  Case simulation = block_of_water(31, 29);
  simulation.precision = Precision::double_;
  simulation.scheme.energy = true;
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.scheme.dt = 2e-5;
  Solver run = solver(simulation, disturbed(solver(simulation).snapshot(), simulation, units_a_spacing(simulation)));
  const Balance before = run.balance();
  run.advance_steps(200);
  const Balance after = run.balance();
  EXPECT_LT(after.kinetic, 0.9 * before.kinetic);
  // equation (6) is the exact work of the pair forces, so that only the integrator's third order is left
  EXPECT_NEAR(after.kinetic + after.internal, before.kinetic + before.internal, 1e-3 * before.kinetic);
}

TEST_P(SphPlainPhysics, StillWaterStaysStill) {
  Case simulation = block_of_water(40, 30);
  simulation.walls = {{"tank", {{0, 0, 0}, {0.4, 0.4, 0}}, {Side::top}, 3, ""}};
  simulation.materials = {water(20)};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  simulation.scheme.time_step = TimeStep::cfl;
  Solver run = solver(simulation);
  run.advance_to(0.3);
  double bottom = 0;  // mean over the bottom row and over 20 times: sound goes up and down all the while
  for (int sample = 1; sample <= 20; ++sample) {
    run.advance_to(0.3 + 0.01 * sample);
    const Fields fields = run.fields();
    for (int i = 0; i < 40; ++i) bottom += fields.pressure[i] / (40 * 20);
  }
  EXPECT_NEAR(bottom, 1000 * 9.81 * 0.295, 0.05 * 1000 * 9.81 * 0.3);
  const Balance balance = run.balance();
  const double wave_speed_squared = 9.81 * 0.3;
  EXPECT_LT(balance.kinetic, balance.mass * 0.02 * 0.02 * wave_speed_squared / 2)
      << "speeds stay below 2 % of a wave's";
  EXPECT_EQ(balance.clock.lost, 0);
}

}  // namespace
}  // namespace shoal::sph
