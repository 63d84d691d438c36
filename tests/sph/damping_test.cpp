// SPDX-License-Identifier: Apache-2.0
// Damping zones: particles that lose velocity exactly as the formula says.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>

#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryDampingMethod : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryDampingMethod, testing::ValuesIn(methods("sph")), method_test_name);

/// A column of ten particles at x = 0.005 m that moves along y, all at the same speed, so that no forces act.
Case moving_column(Integrator integrator) {
  Case simulation = block_of_water(1, 10);
  simulation.precision = Precision::double_;
  simulation.bodies[0].velocity = {0, 0.4, 0};
  simulation.domain = Box{{-0.2, -0.2, 0}, {0.2, 0.4, 0}};
  simulation.scheme.integrator = integrator;
  simulation.damping = {{.box = {{0, -0.2, 0}, {0.02, 0.4, 0}}, .toward = Side::right, .rate = 60}};
  return simulation;
}

TEST_P(EveryDampingMethod, AMovingColumnSlowsDownByTheFormula) {
  for (const Integrator integrator : {Integrator::tvd_rk3, Integrator::symplectic, Integrator::verlet})
    for (const auto& [side, s] : {std::pair{Side::right, 0.25}, {Side::left, 0.75}}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", toward " << to_name(side));
      Case simulation = moving_column(integrator);
      simulation.damping[0].toward = side;
      Solver run = solver(simulation);
      run.advance_steps(100);
      const double expected = 0.4 * std::exp(-60 * s * s * run.clock().time);
      for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_NEAR(run.fields().velocity[3 * i + 1] / expected, 1, 1e-7) << "fields are floats";
        EXPECT_NEAR(run.fields().velocity[3 * i], 0, 1e-12);
      }
      EXPECT_NEAR(run.balance().momentum[1], run.balance().mass * expected, 1e-7 * run.balance().mass);
    }
}

TEST_P(EveryDampingMethod, ZonesThatOverlapMultiplyAndEndAtTheirBoxes) {
  Case simulation = moving_column(Integrator::tvd_rk3);
  simulation.damping.push_back({.box = {{-0.01, -0.2, 0}, {0.01, 0.4, 0}}, .toward = Side::left, .rate = 40});
  simulation.damping.push_back({.box = {{0.0051, -0.2, 0}, {0.01, 0.4, 0}}, .toward = Side::left, .rate = 1000});
  simulation.damping.push_back({.box = {{0, 0.2, 0}, {0.02, 0.4, 0}}, .toward = Side::right, .rate = 1000});
  Solver run = solver(simulation);
  run.advance_steps(50);
  const double rate = 60 * 0.25 * 0.25 + 40 * 0.25 * 0.25;
  EXPECT_NEAR(run.fields().velocity[1] / (0.4 * std::exp(-rate * run.clock().time)), 1, 1e-7);
}

TEST_P(EveryDampingMethod, TheDecayFollowsAParticleThroughTheZone) {
  Case simulation = moving_column(Integrator::tvd_rk3);
  simulation.bodies[0].velocity = {2, 0, 0};
  simulation.damping[0].box = {{0, -0.2, 0}, {0.1, 0.4, 0}};
  simulation.damping[0].rate = 30;
  Solver run = solver(simulation);
  double x = 0.005, v = 2;
  for (int step = 0; step < 200; ++step) {
    x += 1e-4 * v;
    v *= std::exp(-30 * std::pow(x / 0.1, 2) * 1e-4);
  }
  run.advance_steps(200);
  EXPECT_NEAR(run.fields().velocity[0] / v, 1, 1e-6);
  EXPECT_NEAR(run.fields().position[0], x, 1e-8);
}

TEST_P(EveryDampingMethod, ARestartContinuesWithTheSameBits) {
  Case simulation = general_case(Integrator::verlet, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
  simulation.damping = {{.box = {{0, -0.05, 0}, {0.24, 0.6, 0}}, .toward = Side::top, .rate = 200}};
  expect_same_bits_after_restart(simulation, 9, 11);
}

TEST_P(EveryDampingMethod, WallsKeepTheirVelocity) {
  Case simulation = moving_column(Integrator::tvd_rk3);
  simulation.walls = {{"plate", {{-0.03, 0.15, 0}, {0, 0.18, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.walls[0].motion = {.kind = MotionKind::translation, .velocity = {0.3, 0, 0}};
  simulation.damping[0].box.from = {-0.2, -0.2, 0};
  Solver run = solver(simulation);
  run.advance_steps(10);
  const Fields fields = run.fields();
  for (std::size_t i = 0; i < fields.id.size(); ++i) EXPECT_TRUE(!fields.wall[i] || fields.velocity[3 * i] == 0.3F);
}

TEST(Damping, PlainCasesStayPlain) { EXPECT_FALSE(needs_general_physics(moving_column(Integrator::tvd_rk3))); }

TEST(Damping, EveryBadValueIsNamed) {
  const auto message = [](const DampingZone& zone) {
    Case simulation = moving_column(Integrator::tvd_rk3);
    simulation.damping = {zone};
    return message_of([&] { require_valid(simulation); });
  };
  const Box box{{0, 0, 0}, {1, 1, 0}};
  EXPECT_EQ(message({.box = box}), "no error");
  EXPECT_EQ(message({.box = {{0, 1, 0}, {1, 1, 0}}}),
            "sph: damping.box spans [1, 1] m along y, expected two finite numbers, the second one larger.");
  EXPECT_EQ(message({.box = {{0, 0, 0}, {HUGE_VAL, 1, 0}}}),
            "sph: damping.box spans [0, inf] m along x, expected two finite numbers, the second one larger.");
  EXPECT_EQ(message({.box = box, .rate = 0}), "sph: damping.rate = 0 1/s, expected a positive number.");
  EXPECT_EQ(message({.box = box, .toward = Side::front}),
            "sph: side \"front\" needs a 3-D case; a 2-D case has left, right, bottom, top.");
  Case many = moving_column(Integrator::tvd_rk3);
  many.damping.assign(9, {.box = box});
  EXPECT_EQ(message_of([&] { require_valid(many); }), "sph: the case has 9 [[damping]], expected at most 8.");
}

}  // namespace
}  // namespace shoal::sph
