// SPDX-License-Identifier: Apache-2.0
// Values of probes and of the balance for states with a known answer, on every device.
#include <gmock/gmock.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/enumerators.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class SphProbes : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphProbes, testing::ValuesIn(methods("sph")), method_test_name);

Probe probe(ProbeKind kind, Vector position = {}) {
  Probe made;
  made.name = "p";
  made.kind = kind;
  made.at = position;
  return made;
}

/// 30 x 20 (x 10) particles of 1 cm that move as one.
Case moving_block(bool deep) {
  Case simulation = block_of_water(30, 20, deep ? 10 : 0);
  simulation.bodies[0].velocity = {1.5, -0.5, 0.25};
  return simulation;
}

TEST_P(SphProbes, AgreeWithTheFields) {
  Case simulation = block_of_water(30, 20);
  simulation.walls = {{"tank", {{0, 0, 0}, {0.4, 0.3, 0}}, {Side::top}, 3, ""}};
  simulation.scheme.gravity = {0, -9.81, 0};
  Solver run = solver(simulation);
  run.advance_steps(50);
  const Vector place = {0.1, 0, 0};
  const std::vector<Probe> probes = {{"front", ProbeKind::surge_front, {}, 0},
                                     {"floor", ProbeKind::pressure, place, 0},
                                     {"air", ProbeKind::pressure, {0.39, 0.29, 0}, 0}};
  const Fields fields = run.fields();
  double front = 0;
  double weights = 0;
  double pressures = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall[i]) continue;
    front = std::max(front, fields.position[3 * i]);
    const double q = std::hypot(fields.position[3 * i] - place[0], fields.position[3 * i + 1] - place[1]) / 0.012;
    const double weight = (q < 2 ? std::pow(1 - q / 2, 4) * (1 + 2 * q) : 0) / fields.density[i];
    weights += weight;
    pressures += weight * fields.pressure[i];
  }
  const std::vector<double> values = run.measure(probes);
  EXPECT_DOUBLE_EQ(values[0], front);
  EXPECT_NEAR(values[1], pressures / weights, 1e-4 * pressures / weights);
  EXPECT_EQ(values[2], 0);
  EXPECT_EQ(values, run.measure(probes));
}

TEST_P(SphProbes, APointShowsVelocityAndDensity) {
  const std::vector<double> flat =
      solver(moving_block(false))
          .measure({probe(ProbeKind::velocity, {0.1, 0.1, 0}), probe(ProbeKind::density, {0, 0, 0})});
  ASSERT_EQ(flat.size(), 3u);
  EXPECT_NEAR(flat[0], 1.5, 1e-6);
  EXPECT_NEAR(flat[1], -0.5, 1e-6);
  EXPECT_NEAR(flat[2], 1000, 1e-3);
  const std::vector<double> deep = solver(moving_block(true)).measure({probe(ProbeKind::velocity, {0.1, 0.1, 0.05})});
  ASSERT_EQ(deep.size(), 3u);
  EXPECT_NEAR(deep[2], 0.25, 1e-6);
}

TEST_P(SphProbes, BetweenTwoFluidsTheirVolumesCount) {
  Case simulation = block_of_water(20, 20);
  simulation.materials.push_back(water());
  simulation.materials[1].name = "oil";
  simulation.materials[1].density = 250;
  simulation.bodies.push_back({"oil", {{0, 0.2, 0}, {0.2, 0.4, 0}}, {}, {}});
  simulation.bodies[1].velocity = {2, 0, 0};
  const Solver run = solver(simulation);
  const Fields fields = run.fields();
  double top = 0;
  double bottom = 1;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    const double height = fields.position[3 * i + 1];
    if (fields.density[i] > 500) top = std::max(top, height);
    if (fields.density[i] < 500) bottom = std::min(bottom, height);
  }
  const Vector between = {0.1, (top + bottom) / 2, 0};
  const std::vector<double> values =
      run.measure({probe(ProbeKind::density, between), probe(ProbeKind::velocity, between)});
  EXPECT_NEAR(values[0], 625, 1e-3);  // 400 if masses counted
  EXPECT_NEAR(values[1], 1, 1e-6);
}

TEST_P(SphProbes, ALineIsItsPoints) {
  Case simulation = moving_block(false);
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  simulation.scheme.gravity = {0, -9.81, 0};
  Probe line = probe(ProbeKind::line);
  line.from = {0.1, 0, 0};
  line.to = {0.1, 0.2, 0};
  line.points = 5;
  const Solver run = solver(simulation);
  const std::vector<double> values = run.measure({probe(ProbeKind::surge_front), line, probe(ProbeKind::surge_front)});
  ASSERT_EQ(values.size(), 7u);
  for (int k = 0; k < 5; ++k)
    EXPECT_EQ(values[1 + k], run.measure({probe(ProbeKind::pressure, {0.1, 0.05 * k, 0})})[0]) << k;
  EXPECT_NEAR(values[3], 981, 10);
  EXPECT_EQ(values[0], values[6]);
  line.of = LineQuantity::velocity;
  EXPECT_EQ(run.measure({line}).size(), 10u);
}

TEST_P(SphProbes, TheWaterHeightIsThatOfTheColumn) {
  EXPECT_NEAR(solver(moving_block(false)).measure({probe(ProbeKind::water_height, {0.123, 0, 0})})[0], 0.2, 1e-6);
  EXPECT_NEAR(solver(moving_block(true)).measure({probe(ProbeKind::water_height, {0.123, 0.08, 0})})[0], 0.1, 1e-6);
  EXPECT_EQ(solver(moving_block(false)).measure({probe(ProbeKind::water_height, {0.34, 0, 0})})[0], 0);
}

TEST_P(SphProbes, TheSpreadOfABlockIsThatOfALattice) {
  const std::vector<double> spread = solver(moving_block(true)).measure({probe(ProbeKind::spread)});
  ASSERT_EQ(spread.size(), 3u);
  EXPECT_NEAR(spread[0], 0.01 * std::sqrt((30 * 30 - 1) / 12.0), 1e-7);
  EXPECT_NEAR(spread[1], 0.01 * std::sqrt((20 * 20 - 1) / 12.0), 1e-7);
  EXPECT_NEAR(spread[2], 0.01 * std::sqrt((10 * 10 - 1) / 12.0), 1e-7);
}

TEST_P(SphProbes, AFluidHasTheCenterAndVelocityOfItsMass) {
  Case simulation = moving_block(true);
  Body oil = simulation.bodies[0];  // beside the water, half as dense
  oil.material = "oil";
  oil.box = {{0.3, 0, 0}, {0.6, 0.2, 0.1}};
  oil.velocity = {0, 0.5, 0.25};
  simulation.bodies.push_back(oil);
  simulation.materials.push_back(simulation.materials[0]);
  simulation.materials[1].name = "oil";
  simulation.materials[1].density /= 2;
  simulation.domain = Box{{-0.2, -0.2, -0.2}, {0.8, 0.4, 0.3}};
  Probe center = probe(ProbeKind::fluid_center), velocity = probe(ProbeKind::fluid_velocity);
  const Solver run = solver(simulation);
  const std::vector<double> both = run.measure({center, velocity});
  ASSERT_EQ(both.size(), 6u);
  EXPECT_NEAR(both[0], (2 * 0.15 + 0.45) / 3, 1e-6);
  EXPECT_NEAR(both[1], 0.1, 1e-6);
  EXPECT_NEAR(both[2], 0.05, 1e-6);
  EXPECT_NEAR(both[3], 1, 1e-6);
  EXPECT_NEAR(both[4], (-2 * 0.5 + 0.5) / 3, 1e-6);
  EXPECT_NEAR(both[5], 0.25, 1e-6);
  center.material = velocity.material = "oil";
  const std::vector<double> one = run.measure({center, velocity});
  EXPECT_NEAR(one[0], 0.45, 1e-6);
  EXPECT_NEAR(one[4], 0.5, 1e-6);
  center.material = "air";
  EXPECT_THAT(message_of([&] { run.measure({center}); }),
              HasSubstr("of the material \"air\", which is not there; the case has water, oil"));
}

/// Water in a tank with a post in it.
Case tank_with_post(Walls walls) {
  Case simulation = block_of_water(20, 20);
  simulation.precision = Precision::double_;
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  simulation.walls = {{"tank", {{0, 0, 0}, {0.3, 0.3, 0}}, {Side::top}, 3, ""},
                      {"post", {{0.2, 0, 0}, {0.25, 0.1, 0}}, {}, 3, ""}};
  simulation.walls[1].solid = true;
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.walls = walls;
  simulation.scheme.dt = 1e-7;
  return simulation;
}

TEST_P(SphProbes, WhatWallsTakeFromTheFluidIsTheForceOnThem) {
  for (const Walls walls : every<Walls>()) {
    SCOPED_TRACE(to_name(walls));
    Solver run = solver(tank_with_post(walls));
    Probe tank = probe(ProbeKind::force), post = probe(ProbeKind::force);
    tank.wall = "tank";
    post.wall = "post";
    const std::vector<double> force = run.measure({tank, post});
    ASSERT_EQ(force.size(), 4u);
    const Balance before = run.balance();
    run.advance_steps(1);
    const Balance after = run.balance();
    const double weight = before.mass * 9.81;
    for (int axis = 0; axis < 2; ++axis) {
      const double taken = (axis == 1 ? -weight : 0.0) - (after.momentum[axis] - before.momentum[axis]) / 1e-7;
      EXPECT_NEAR(force[axis] + force[2 + axis], taken, 1e-3 * weight) << "axis " << axis;
    }
    EXPECT_LT(force[1], 0);
    EXPECT_GT(force[2], 0);
    if (walls != Walls::adami) continue;
    EXPECT_NEAR(force[1], -weight, 0.1 * weight);
  }
}

TEST_P(SphProbes, ThePowerOfAWallIsItsForceOnTheFluidTimesItsSpeed) {
  for (const Walls walls : every<Walls>()) {
    SCOPED_TRACE(to_name(walls));
    Case simulation = tank_with_post(walls);
    EXPECT_EQ(solver(simulation).balance().wall_power, 0);
    simulation.walls[1].motion.kind = MotionKind::translation;
    simulation.walls[1].motion.velocity = {0.3, -0.2, 0};
    Solver run = solver(simulation);
    Probe post = probe(ProbeKind::force);
    post.wall = "post";
    const std::vector<double> force = run.measure({post});
    const double expected = -(force[0] * 0.3 - force[1] * 0.2);
    EXPECT_GT(std::abs(expected), 1);
    EXPECT_NEAR(run.balance().wall_power, expected, 1e-6 * std::abs(expected));
  }
}

TEST_P(SphProbes, AWallHasThePressureOfTheDepth) {
  Case simulation = tank_with_post(Walls::adami);
  Solver run = solver(simulation);
  run.advance_steps(1);
  const double weight = 1000 * 9.81 * 0.2;
  const std::vector<double> got =
      run.measure({probe(ProbeKind::wall_pressure, {0.1, 0, 0}), probe(ProbeKind::pressure, {0.1, 0, 0}),
                   probe(ProbeKind::wall_pressure, {0.3, 0.2, 0})});
  EXPECT_NEAR(got[0], weight, 0.005 * weight) << "both sides of the floor count";
  EXPECT_LT(got[1], 0.98 * weight) << "only the fluid above it counts";
  EXPECT_EQ(got[2], 0) << "a dry wall";
}

TEST_P(SphProbes, WallsHaveNoPressureBeforeTheFirstStep) {
  Case simulation = tank_with_post(Walls::adami);
  Solver run = solver(simulation);
  const Probe floor = probe(ProbeKind::wall_pressure, {0.1, 0, 0});
  const double before = run.measure({floor})[0];
  run.advance_steps(1);
  EXPECT_NEAR(before, run.measure({floor})[0] / 2, 0.05 * 1962) << "of the fluid's half alone";
}

TEST_P(SphProbes, TheBalanceHasTheErrorOfTheDensity) {
  Case simulation = block_of_water(1, 100);
  simulation.precision = Precision::double_;
  simulation.scheme.gravity = {0, -9.81, 0};
  EXPECT_EQ(solver(simulation).balance().density_error, 0);
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  const Solver run = solver(simulation);
  const Fields fields = run.fields();
  double squared = 0, most = 0;
  for (const float density : fields.density) {
    squared += std::pow(density / 1000.0 - 1, 2) / 100;
    most = std::max(most, std::abs(density / 1000.0 - 1));
  }
  EXPECT_NEAR(run.balance().density_error, std::sqrt(squared), 1e-6);
  EXPECT_NEAR(run.balance().largest_density_error, most, 1e-6);
  EXPECT_GT(most, 0.003);
  EXPECT_EQ(run.balance().total(), run.balance().potential + run.balance().elastic);
}

TEST(SphProbeColumns, NameWhatIsMeasuredWithUnits) {
  using testing::ElementsAre;
  EXPECT_THAT(probe_columns(probe(ProbeKind::surge_front), 2), ElementsAre("front [m]"));
  EXPECT_THAT(probe_columns(probe(ProbeKind::velocity), 2), ElementsAre("velocity_x [m/s]", "velocity_y [m/s]"));
  EXPECT_THAT(probe_columns(probe(ProbeKind::force), 3), ElementsAre("force_x [N]", "force_y [N]", "force_z [N]"));
  Probe line = probe(ProbeKind::line);
  line.of = LineQuantity::density;
  line.points = 3;
  EXPECT_THAT(probe_columns(line, 2), ElementsAre("density_1 [kg/m3]", "density_2 [kg/m3]", "density_3 [kg/m3]"));
}

std::string message_with(const Probe& bad, Walls walls = Walls::adami) {
  Case simulation = tank_with_post(walls);
  simulation.domain = Box{{-1, -1, 0}, {1, 1, 0}};
  simulation.probes = {bad};
  return message_of([&] { Solver(Queue::cpu(1), simulation); });
}

TEST(SphProbeErrors, AreFoundBeforeTheRun) {
  Probe bad = probe(ProbeKind::force);
  bad.wall = "lid";
  EXPECT_EQ(message_with(bad), "sph: probe \"p\" is on the wall \"lid\", which is not there; the case has tank, post.");
  bad = probe(ProbeKind::line);
  bad.points = 1;
  EXPECT_EQ(message_with(bad), "sph: probe.points = 1, expected 2 to 10000 points on the line \"p\".");
  bad.points = 3;
  bad.to = {0, 7, 0};
  EXPECT_THAT(message_with(bad), HasSubstr("probe \"p\" is outside the domain: at[1] = 3.5 m"));
  EXPECT_THAT(message_with(probe(ProbeKind::water_height, {9, 0, 0})), HasSubstr("outside the domain: at[0] = 9 m"));
  EXPECT_EQ(message_with(probe(ProbeKind::water_height, {0, 9, 0})), "no error") << "its height does not count";
  EXPECT_THAT(message_with(probe(ProbeKind::wall_pressure), Walls::repulsive), HasSubstr("repulsive walls have none"));
}

}  // namespace
}  // namespace shoal::sph
