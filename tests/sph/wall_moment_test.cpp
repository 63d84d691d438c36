// SPDX-License-Identifier: Apache-2.0
// Moments of the fluid on walls: a pair computed by hand, still water, and the rule of another reference point.
#include <gmock/gmock.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <cmath>
#include <numbers>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/enumerators.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class SphWallMoment : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphWallMoment, testing::ValuesIn(methods("sph")), method_test_name);

Probe on_wall(ProbeKind kind, const std::string& wall, const Vector& about = {}) {
  Probe probe;
  probe.name = "p";
  probe.kind = kind;
  probe.wall = wall;
  probe.about = about;
  return probe;
}

Wall solid(const std::string& name, const Box& box) {
  Wall wall{name, box, {}, 3, ""};
  wall.solid = true;
  return wall;
}

/// A particle of compressed water at (5, 5) mm, and one of a wall at (15, 15) mm.
Case one_pair() {
  Case simulation = block_of_water(1, 1);
  simulation.precision = Precision::double_;
  simulation.bodies[0].density = 1010;
  simulation.walls = {solid("post", {{0.01, 0.01, 0}, {0.02, 0.02, 0}})};
  simulation.scheme.walls = Walls::dynamic;
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.1, 0.1, 0}};
  return simulation;
}

TEST_P(SphWallMoment, OfOnePairIsTheLeverOfItsWallParticleTimesItsForce) {
  const Solver run = solver(one_pair());
  const Fields fields = run.fields();
  ASSERT_EQ(fields.id.size(), 2u);
  ASSERT_TRUE(fields.wall[1]);
  // F = m m_wall (p/ρ² + p_wall/ρ_wall²) dW/dr along the line from the fluid to the wall, with dW/dr of wendland_c2
  const double mass = run.balance().mass, wall_mass = 1000 * 1e-4;
  const double h = 0.012, q = std::sqrt(2.0) * 0.01 / h;
  const double dw_dr = -7 / (4 * std::numbers::pi * h * h * h) * 5 * q * std::pow(1 - q / 2, 3);
  double pressures = 0;
  for (int i = 0; i < 2; ++i) pressures += fields.pressure[i] / std::pow(static_cast<double>(fields.density[i]), 2);
  const double component = mass * wall_mass * pressures * -dw_dr / std::sqrt(2.0);
  EXPECT_GT(component, 10);
  const double moment = (0.015 - 0.3) * component - (0.015 + 0.2) * component;
  const std::vector<double> values =
      run.measure({on_wall(ProbeKind::force, "post"), on_wall(ProbeKind::moment, "post", {0.3, -0.2, 0}),
                   on_wall(ProbeKind::moment, "post", {0.005, 0.005, 0})});
  ASSERT_EQ(values.size(), 4u);
  EXPECT_NEAR(values[0], component, 1e-6 * component);
  EXPECT_NEAR(values[1], component, 1e-6 * component);
  EXPECT_NEAR(values[2], moment, 1e-6 * std::abs(moment));
  EXPECT_NEAR(values[3], 0, 1e-9 * component) << "the force points at the particle of fluid";
}

/// Still water, 0.4 m deep in 2-D and 0.2 m in 3-D, between two vertical walls that stand on a floor. It repeats along y
/// in 3-D.
Case still_water(int dimensions) {
  const int up = dimensions - 1;
  Case simulation = dimensions == 2 ? block_of_water(20, 40) : block_of_water(16, 10, 20);
  simulation.smoothing = 1.5;
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  simulation.scheme.gravity[up] = -9.81;
  const Box water = simulation.bodies[0].box;
  Box floor = water, left = water, right = water;
  floor.from[0] -= 0.05;
  floor.to[0] += 0.05;
  floor.from[up] = -0.05;
  floor.to[up] = 0;
  left.from[0] = -0.05;
  left.to[0] = 0;
  right.from[0] = water.to[0];
  right.to[0] += 0.05;
  left.to[up] = right.to[up] = water.to[up] + 0.05;
  simulation.walls = {solid("floor", floor), solid("left", left), solid("right", right)};
  for (Wall& wall : simulation.walls) wall.layers = 5;
  simulation.domain = Box{{-0.1, dimensions == 3 ? 0 : -0.1, dimensions == 3 ? -0.1 : 0},
                          {water.to[0] + 0.1, dimensions == 3 ? water.to[1] : 0.6, dimensions == 3 ? 0.4 : 0}};
  if (dimensions == 3) simulation.scheme.periodic = {Axis::y};
  return simulation;
}

TEST_P(SphWallMoment, OfStillWaterOnAWallIsThatOfItsPressure) {
  const std::vector<double> flat =
      solver(still_water(2))
          .measure({on_wall(ProbeKind::moment, "left"), on_wall(ProbeKind::moment, "right", {0.2, 0, 0})});
  const double expected = 1000 * 9.81 * std::pow(0.4, 3) / 6;
  ASSERT_EQ(flat.size(), 2u);
  EXPECT_NEAR(flat[0], expected, 0.02 * expected);
  EXPECT_NEAR(flat[1], -expected, 0.02 * expected);

  const std::vector<double> deep = solver(still_water(3)).measure({on_wall(ProbeKind::moment, "left", {0, 0.05, 0})});
  const double expected_deep = 1000 * 9.81 * std::pow(0.2, 3) / 6 * 0.1;
  ASSERT_EQ(deep.size(), 3u);
  EXPECT_NEAR(deep[0], 0, 1e-3 * expected_deep);
  EXPECT_NEAR(deep[1], -expected_deep, 0.04 * expected_deep);
  EXPECT_NEAR(deep[2], 0, 1e-3 * expected_deep);
}

TEST_P(SphWallMoment, AboutAnotherPointDiffersByTheMomentOfTheForce) {
  for (const Walls walls : every<Walls>()) {
    SCOPED_TRACE(to_name(walls));
    Case simulation = still_water(3);
    simulation.scheme.walls = walls;
    Solver run = solver(simulation);
    run.advance_steps(5);
    const Vector shift = {0.7, -1.3, 0.4};
    const std::vector<double> force = run.measure({on_wall(ProbeKind::force, "right")});
    const std::vector<double> near = run.measure({on_wall(ProbeKind::moment, "right")});
    const std::vector<double> far = run.measure({on_wall(ProbeKind::moment, "right", shift)});
    for (int axis = 0; axis < 3; ++axis) {
      const int next = (axis + 1) % 3, last = (axis + 2) % 3;
      const double moved = shift[next] * force[last] - shift[last] * force[next];
      EXPECT_NEAR(far[axis], near[axis] - moved, 1e-12 * std::abs(force[0])) << "axis " << axis;
    }
  }
}

TEST(SphWallMomentOnThreads, HasTheSameBits) {
  const Case simulation = still_water(2);
  const auto moment_on = [&](int threads) {
    return Solver(Queue::cpu(threads), simulation).measure({on_wall(ProbeKind::moment, "left")});
  };
  const std::vector<double> expected = moment_on(1);
  for (const int threads : {2, 3}) EXPECT_EQ(moment_on(threads), expected) << threads;
}

TEST(SphWallMomentColumns, AreThoseOfTheAxesOfRotation) {
  using testing::ElementsAre;
  EXPECT_THAT(probe_columns(on_wall(ProbeKind::moment, ""), 2), ElementsAre("moment_z [N m/m]"));
  EXPECT_THAT(probe_columns(on_wall(ProbeKind::moment, ""), 3),
              ElementsAre("moment_x [N m]", "moment_y [N m]", "moment_z [N m]"));
}

TEST(SphWallMomentErrors, AreFoundBeforeTheRun) {
  Case simulation = still_water(2);
  const auto message_with = [&](const Probe& probe) {
    simulation.probes = {probe};
    return message_of([&] { Solver(Queue::cpu(1), simulation); });
  };
  EXPECT_EQ(message_with(on_wall(ProbeKind::moment, "lid")),
            "sph: probe \"p\" is on the wall \"lid\", which is not there; the case has floor, left, right.");
  EXPECT_EQ(message_with(on_wall(ProbeKind::moment, "left", {0, std::nan(""), 0})),
            "sph: probe.about has the component nan m, expected finite numbers.");
  simulation = block_of_water(8, 0);
  simulation.dimensions = 1;
  simulation.walls = {solid("left", {{-0.03, 0, 0}, {0, 0, 0}})};
  const std::string expected =
      "sph: probe \"p\" is a moment, but particles.dimensions = 1, expected 2 or 3. Remove the probe.";
  EXPECT_EQ(message_with(on_wall(ProbeKind::moment, "left")), expected);
  simulation.probes.clear();
  const Solver run(Queue::cpu(1), simulation);
  EXPECT_EQ(message_of([&] { run.measure({on_wall(ProbeKind::moment, "left")}); }), expected);
}

}  // namespace
}  // namespace shoal::sph
