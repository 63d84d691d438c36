// SPDX-License-Identifier: Apache-2.0
// Flow along walls with and without slip, and walls that move.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/enumerators.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using std::numbers::pi;

class SphWallFlow : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphWallFlow, testing::ValuesIn(methods("sph")), method_test_name);

class FlowPastCylinders : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, FlowPastCylinders, every_device, device_test_name);

/// Water between two plates along x, 1 cm apart.
Case channel() {
  Case simulation;
  simulation.precision = Precision::double_;
  simulation.spacing = 0.01 / 16;
  simulation.smoothing = 1.5;
  simulation.materials = {water(0.1)};
  simulation.materials[0].kinematic_viscosity = 1e-4;
  const double length = 16 * simulation.spacing;
  simulation.bodies = {{"water", {{0, 0, 0}, {length, 0.01, 0}}, {}, {}}};
  simulation.walls = {{"floor", {{0, -6 * simulation.spacing, 0}, {length, 0, 0}}, {}, 4, ""},
                      {"lid", {{0, 0.01, 0}, {length, 0.01 + 6 * simulation.spacing, 0}}, {}, 4, ""}};
  for (Wall& wall : simulation.walls) {
    Shape plate;
    plate.box = wall.box;
    wall.shape = plate;
    wall.solid = true;
    wall.layers = 12;
  }
  simulation.domain = Box{{0, -0.005, 0}, {length, 0.015, 0}};
  simulation.scheme.periodic = {Axis::x};
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.wall_flow = WallFlow::no_slip;
  simulation.scheme.artificial_viscosity = 0;
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  return simulation;
}

TEST_P(SphWallFlow, PoiseuillesParabola) {
  Case simulation = channel();
  simulation.scheme.gravity = {0.04, 0, 0};  // u = g y (H − y)/(2 ν), 5 mm/s in the middle
  for (const ViscosityForm form : every<ViscosityForm>()) {
    SCOPED_TRACE(to_name(form));
    simulation.scheme.viscosity_form = form;
    // On a lattice with 1.5 spacings the viscosity of the form of Monaghan is 7 % too small.
    simulation.smoothing = form == ViscosityForm::monaghan ? 2 : 1.5;
    Solver run = solver(simulation);
    run.advance_to(0.5);  // 5 times H²/(ν π²)
    const Fields fields = run.fields();
    double worst = 0;
    for (std::size_t i = 0; i < fields.id.size(); ++i) {
      if (fields.wall[i]) continue;
      const double y = fields.position[3 * i + 1];
      worst = std::max(worst, std::abs(fields.velocity[3 * i] - 0.04 * y * (0.01 - y) / 2e-4));
    }
    EXPECT_LT(worst, 0.03 * 0.005);
  }
}

TEST_P(SphWallFlow, CouettesLineBelowAMovingLid) {
  Case simulation = channel();
  simulation.walls[1].motion.kind = MotionKind::translation;
  simulation.walls[1].motion.velocity = {0.005, 0, 0};
  Solver run = solver(simulation);
  run.advance_to(0.5);
  const Fields fields = run.fields();
  double worst = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (!fields.wall[i])
      worst = std::max(worst, std::abs(fields.velocity[3 * i] - 0.005 * fields.position[3 * i + 1] / 0.01));
  EXPECT_LT(worst, 0.03 * 0.005);
}

/// A cylinder that repeats every meter along both axes and takes a tenth of the area; ten particles a diameter.
Case cylinders() {
  Case simulation;
  simulation.precision = Precision::double_;
  simulation.spacing = 1.0 / 28;
  simulation.smoothing = 2;
  simulation.materials = {water(60)};
  simulation.materials[0].kinematic_viscosity = 1;
  simulation.materials[0].equation_of_state = EquationOfState::linear;
  simulation.domain = Box{{-0.5, -0.5, 0}, {0.5, 0.5, 0}};
  Shape cylinder, square, around;
  cylinder.kind = ShapeKind::sphere;
  cylinder.radius = std::sqrt(0.1 / pi);
  square.box = *simulation.domain;
  around.kind = ShapeKind::difference;
  around.parts = {square, cylinder};
  simulation.bodies = {{"water", *simulation.domain, {}, {}}};
  simulation.bodies[0].shape = around;
  simulation.bodies[0].density = 1010;  // walls do not pull
  simulation.bodies[0].jitter = 0.1;
  simulation.walls = {{"cylinder", {}, {}, 8, ""}};
  simulation.walls[0].shape = cylinder;
  simulation.walls[0].solid = true;
  simulation.scheme.periodic = {Axis::x, Axis::y};
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.wall_flow = WallFlow::no_slip;
  simulation.scheme.artificial_viscosity = 0;
  return simulation;
}

TEST_P(FlowPastCylinders, HasTheDragOfSanganiAndAcrivos) {
  Case simulation = cylinders();
  simulation.scheme.gravity = {20, 0, 0};
  Solver run(queue(), simulation);
  double flow = 0;  // mean velocity over the square
  for (int k = 0; k < 5; ++k) {
    run.advance_to(0.4 + 0.025 * k);
    flow += run.balance().momentum[0] / (1010 * 5);
  }
  // F/(μ U) = 4π/(ln 1/√c − 0.738 + c − 0.887 c² + 2.038 c³) of creeping flow, with the share c = 0.1; F = ρ g L²
  EXPECT_NEAR(20 / flow, 24.81, 0.05 * 24.81);
}

TEST_P(SphWallFlow, FluidSlipsAlongAMovingLidUnlessToldNotTo) {
  Case simulation = channel();
  simulation.scheme.wall_flow = WallFlow::slip;
  simulation.walls[1].motion.kind = MotionKind::translation;
  simulation.walls[1].motion.velocity = {0.005, 0, 0};
  Solver run = solver(simulation);
  run.advance_to(0.1);
  EXPECT_LT(run.balance().kinetic, 1e-6 * run.balance().mass * 0.005 * 0.005);
}

TEST_P(SphWallFlow, MovingWallsGoWhereTheyAreTold) {
  Case simulation = block_of_water(10, 10);
  simulation.precision = Precision::double_;
  simulation.walls = {{"tank", {{0, 0, 0}, {0.1, 0.12, 0}}, {Side::top}, 3, ""}};
  simulation.walls[0].motion.kind = MotionKind::oscillation;
  simulation.walls[0].motion.amplitude = {0.004, 0.001, 0};
  simulation.walls[0].motion.frequency = 5;
  for (const Walls walls : every<Walls>()) {
    SCOPED_TRACE(to_name(walls));
    simulation.scheme.walls = walls;
    Solver run = solver(simulation);
    const Fields before = run.fields();
    run.advance_to(0.0613);
    const Fields after = run.fields();
    const double phase = 2 * pi * 5 * run.clock().time;
    const std::size_t walls_at = after.id.size() - (before.id.size() - 100);  // 100 of fluid come first; some may leave
    for (std::size_t i = walls_at, k = 100; i < after.id.size(); ++i, ++k) {
      ASSERT_EQ(after.id[i], before.id[k]);
      EXPECT_NEAR(after.position[3 * i] - before.position[3 * k], 0.004 * std::sin(phase), 1e-9);
      EXPECT_NEAR(after.position[3 * i + 1] - before.position[3 * k + 1], 0.001 * std::sin(phase), 1e-9);
      EXPECT_NEAR(after.velocity[3 * i], 0.004 * 10 * pi * std::cos(phase), 1e-6);
    }
  }
}

TEST_P(SphWallFlow, WaterInATankThatAcceleratesFollowsIt) {
  Case simulation = block_of_water(12, 12);
  simulation.precision = Precision::double_;
  simulation.walls = {{"tank", {{0, 0, 0}, {0.12, 0.12, 0}}, {}, 3, ""}};
  simulation.walls[0].motion.kind = MotionKind::translation;
  simulation.walls[0].motion.velocity = {0.3, -0.2, 0};
  simulation.bodies[0].velocity = {0.3, -0.2, 0};
  Solver run = solver(simulation);
  run.advance_to(0.05);
  const Fields fields = run.fields();  // as still as in a tank at rest: nothing pushes
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    EXPECT_NEAR(fields.velocity[3 * i], 0.3, 1e-5);
    EXPECT_NEAR(fields.velocity[3 * i + 1], -0.2, 1e-5);
  }
}

}  // namespace
}  // namespace shoal::sph
