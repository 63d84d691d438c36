// SPDX-License-Identifier: Apache-2.0
// Materials and their energy: a gas, a liquid under shock, heat pulses, two liquids.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <cmath>
#include <tuple>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/enumerators.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class SphMaterials : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphMaterials, testing::ValuesIn(methods("sph")), method_test_name);

/// Sod's tube: 1, 1 | 0.125, 0.1 at rest, γ = 1.4, particles of one mass.
Case sod(int left) {
  Case simulation;
  simulation.dimensions = 1;
  simulation.precision = Precision::double_;
  simulation.spacing = 0.5 / left;
  simulation.smoothing = 2;
  simulation.scheme.kernel = Kernel::wendland_c4;
  simulation.smoothing_length = SmoothingLength::by_density;
  Material air;
  air.name = "air";
  air.density = 1;
  air.equation_of_state = EquationOfState::ideal_gas;
  air.exponent = 1.4;
  simulation.materials = {air};
  Body dense{"air", {{-0.5, 0, 0}, {0, 0, 0}}, {}, {}};
  dense.energy = 2.5;
  Body thin{"air", {{0, 0, 0}, {0.5, 0, 0}}, {}, {}};
  thin.spacing = 8 * simulation.spacing;
  thin.density = 0.125;
  thin.energy = 2;
  simulation.bodies = {dense, thin};
  simulation.domain = Box{{-1, 0, 0}, {1, 0, 0}};
  simulation.scheme.energy = true;
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.scheme.artificial_viscosity = 1;
  simulation.scheme.quadratic_viscosity = 2;
  simulation.scheme.cfl = 0.3;
  return simulation;
}

/// Mean of a field over the particles with begin < x < end.
double mean_between(const Fields& fields, const std::vector<float>& values, double begin, double end) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (fields.position[3 * i] > begin && fields.position[3 * i] < end) {
      sum += values[i];
      ++count;
    }
  return sum / count;
}

TEST_P(SphMaterials, SodsPlateaus) {
  Solver run = solver(sod(640));
  run.advance_to(0.15);
  const Fields fields = run.fields();
  std::vector<float> speed;
  for (std::size_t i = 0; i < fields.id.size(); ++i) speed.push_back(fields.velocity[3 * i]);
  // the exact solution has at t = 0.15: tail of the fan −0.0105, contact 0.1391, shock 0.2628
  for (const auto& [begin, end, density] : {std::tuple(0.02, 0.11, 0.426319), std::tuple(0.165, 0.235, 0.265574)}) {
    EXPECT_NEAR(mean_between(fields, fields.density, begin, end), density, 0.02 * density);
    EXPECT_NEAR(mean_between(fields, fields.pressure, begin, end), 0.303130, 0.02 * 0.303130);
    EXPECT_NEAR(mean_between(fields, speed, begin, end), 0.927453, 0.02 * 0.927453);
  }
  const Balance balance = run.balance();
  EXPECT_NEAR(balance.kinetic + balance.internal, 0.5 * 2.5 + 0.0625 * 2, 1e-3);
  EXPECT_NEAR(balance.mass, 0.5 + 0.0625, 1e-12);
}

TEST_P(SphMaterials, AGasThatLosesItsHeatIsAnError) {
  Case simulation = sod(100);
  simulation.bodies[1].energy = 1e-9;
  simulation.bodies[1].velocity = {400, 0, 0};
  simulation.scheme.cfl = 3;
  Solver run = solver(simulation);
  const std::string message = message_of([&] { run.advance_to(0.15); });
  EXPECT_TRUE(message.starts_with("sph: ")) << message;
}

TEST_P(SphMaterials, ADensityBeyondThePoleIsAnErrorAndTheStateBeforeIsKept) {
  Case simulation = block_of_water(20, 20);
  simulation.materials[0].equation_of_state = EquationOfState::mie_grueneisen;
  simulation.materials[0].hugoniot_slope = 40;  // the pole is at 2.6 % more density
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.scheme.dt = 1e-6;
  Snapshot state = solver(simulation).snapshot();
  for (std::size_t i = 0; i < state.id.size(); ++i)
    if (state.id[i] == 123) state.density_deviation[i] = 1000 / 38.9;
  Solver run = solver(simulation, state);
  const std::string message = message_of([&] { run.advance_steps(3); });
  EXPECT_TRUE(message.starts_with("sph: the equation of state of particle 123 leaves its range at step 1, t = 1e-06 s"))
      << message;
  EXPECT_EQ(run.clock().step, 0);
}

TEST_P(SphMaterials, AHeatPulseAddsItsEnergyWithEveryIntegrator) {
  for (const Integrator integrator : every<Integrator>())
    for (const double length : {0.0, 2.5e-4, 3e-3}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << length << " s");
      Case simulation = block_of_water(20, 20);
      simulation.precision = Precision::double_;
      simulation.scheme.integrator = integrator;
      simulation.scheme.energy = true;
      HeatPulse pulse{{0.1, 0.1, 0}, 0.03, 50};
      pulse.start = 1.23e-3;
      pulse.length = length;
      simulation.heat = {pulse};
      Case at_once = simulation;
      at_once.heat[0].start = at_once.heat[0].length = 0;
      Solver run = solver(simulation);
      run.advance_steps(10);
      EXPECT_EQ(run.balance().internal, 0);
      run.advance_steps(43);
      // water at rest that does not push back: tait has no heat in its pressure
      const double pulse_energy = solver(at_once).balance().internal;
      EXPECT_NEAR(run.balance().internal, pulse_energy, 1e-9 * pulse_energy);
    }
}

TEST_P(SphMaterials, OilFloatsOnWaterAtRest) {
  Case simulation = block_of_water(16, 16);
  simulation.precision = Precision::double_;
  simulation.materials = {water(20), water(20)};
  simulation.materials[1].name = "oil";
  simulation.materials[1].density = 250;
  simulation.bodies.push_back({"oil", {{0, 0.16, 0}, {0.16, 0.32, 0}}, {}, {}});
  simulation.walls = {{"tank", {{0, 0, 0}, {0.16, 0.4, 0}}, {Side::top}, 3, ""}};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.scheme.artificial_viscosity = 0.5;
  Solver run = solver(simulation);
  run.advance_to(0.3);
  double bottom = 0, between = 0;  // means over rows, and over 20 times: sound goes up and down all the while
  for (int sample = 1; sample <= 20; ++sample) {
    run.advance_to(0.3 + 0.01 * sample);
    const Fields fields = run.fields();
    for (std::size_t i = 0; i < 16; ++i) {
      bottom += fields.pressure[i] / (16 * 20);
      between += fields.pressure[16 * 15 + i] / (16 * 20);
    }
  }
  const Fields fields = run.fields();
  const double head = 9.81 * 250 * 0.16;
  EXPECT_NEAR(bottom, head + 9.81 * 1000 * 0.155, 0.05 * (head + 9.81 * 155));
  EXPECT_NEAR(between, head + 9.81 * 1000 * 0.005, 0.15 * head);
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall[i]) continue;
    if (fields.material[i] == 0)
      EXPECT_LT(fields.position[3 * i + 1], 0.17);
    else
      EXPECT_GT(fields.position[3 * i + 1], 0.15);
  }
  EXPECT_NEAR(run.balance().mass, 0.16 * 0.16 * 1250, 1e-9);
}

}  // namespace
}  // namespace shoal::sph
