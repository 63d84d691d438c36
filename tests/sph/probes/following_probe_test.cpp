// SPDX-License-Identifier: Apache-2.0
// Probes that move with a wall or a rigid body: they show what a probe at the moved place shows.
#include <gmock/gmock.h>
#include <shoal/sph/measure.hpp>

#include <cmath>

#include "sph/bodies/body_cases.hpp"
#include "sph/diagnostics/following/stored_displacement.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

class EveryFollowingProbe : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryFollowingProbe, testing::ValuesIn(methods("sph")), method_test_name);

/// Point of the water near the box, at the start.
constexpr Vector beside{0.085, 0.055, 0};

Probe velocity_at(const Vector& point, const std::string& follows = "") {
  Probe probe{"speed", ProbeKind::velocity};
  probe.at = point;
  probe.follows = follows;
  return probe;
}

/// A box that turns beside water, whose velocity is linear in space.
Case box_beside_shear() {
  Case simulation = box_beside_water();
  simulation.precision = Precision::double_;
  simulation.bodies[0].strain_rate = {20, -20, 0};
  return simulation;
}

void expect_near(const std::vector<double>& values, const std::vector<double>& expected, double error) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], expected[k], error) << k;
}

TEST_P(EveryFollowingProbe, OnADrivenBodyShowsTheValueAtTheMovedPlace) {
  Solver run = solver(box_beside_shear());
  expect_near(run.measure({velocity_at(beside, "box")}), run.measure({velocity_at(beside)}), 0);
  const Vector center = run.rigid_bodies()[0].center;
  run.drive("box", {-0.8, 0.3, 0}, {0, 0, 400});
  run.advance_steps(60);
  const double t = run.clock().time, angle = 400 * t * M_PI / 180;
  const double x = beside[0] - center[0], y = beside[1] - center[1];
  const Vector moved{center[0] - 0.8 * t + std::cos(angle) * x - std::sin(angle) * y,
                     center[1] + 0.3 * t + std::sin(angle) * x + std::cos(angle) * y, 0};
  const std::vector<double> values = run.measure({velocity_at(beside, "box")});
  expect_near(values, run.measure({velocity_at(moved)}), 1e-9);
  EXPECT_GT(std::abs(values[0] - run.measure({velocity_at(beside)})[0]), 1e-3) << "the place matters";
}

TEST_P(EveryFollowingProbe, OnAWallWithAMotionStartsWhereItIsGiven) {
  Case simulation = block_of_water(20, 16);
  simulation.bodies[0].strain_rate = {20, -20, 0};
  simulation.walls = {{"flap", {{-0.03, 0, 0}, {0, 0.2, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  Motion& motion = simulation.walls[0].motion;
  motion.kind = MotionKind::pitch;
  motion.frequency = 10;
  motion.angle_amplitude = 5;
  motion.mean_angle = 3;
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.4, 0.4, 0}};
  Solver run = solver(simulation);
  const Vector point{0.05, 0.09, 0};
  expect_near(run.measure({velocity_at(point, "flap")}), run.measure({velocity_at(point)}), 1e-6);
  run.advance_steps(60);
  const double angle =
      5 * std::sin(2 * M_PI * 10 * run.clock().time) * M_PI / 180;  // since t = 0, about the origin of coordinates
  const Vector moved{std::cos(angle) * point[0] - std::sin(angle) * point[1],
                     std::sin(angle) * point[0] + std::cos(angle) * point[1], 0};
  expect_near(run.measure({velocity_at(point, "flap")}), run.measure({velocity_at(moved)}), 1e-5);
}

TEST_P(EveryFollowingProbe, HasNoValueOutsideTheDomain) {
  Solver run = solver(box_beside_shear());
  run.drive("box", {100, 0, 0});
  run.advance_steps(70);
  const std::vector<double> values = run.measure({velocity_at(beside, "box"), velocity_at({0.02, 0.02, 0})});
  ASSERT_EQ(values.size(), 4u);
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]));
  EXPECT_FALSE(std::isnan(values[2]) || std::isnan(values[3]));
}

TEST_P(EveryFollowingProbe, OnALineASectionAndAMomentMoveWithAllTheirPoints) {
  Case simulation = box_beside_shear();
  Solver run = solver(simulation);
  Probe line{"line", ProbeKind::line}, section{"section", ProbeKind::flow_rate}, moment{"moment", ProbeKind::moment};
  line.from = {0.06, 0.03, 0}, line.to = {0.09, 0.08, 0}, line.of = LineQuantity::velocity, line.points = 3;
  section.corners = {{0.07, 0.02, 0}, {0.07, 0.09, 0}};
  moment.wall = "box", moment.about = {0.15, 0.1, 0};
  run.drive("box", {-0.8, 0.3, 0});
  run.advance_steps(40);
  const auto at_rest = [&](Probe probe) {
    for (Vector* point : {&probe.from, &probe.to, &probe.about})
      *point = {(*point)[0] - 0.8 * run.clock().time, (*point)[1] + 0.3 * run.clock().time, 0};
    for (Vector& corner : probe.corners)
      corner = {corner[0] - 0.8 * run.clock().time, corner[1] + 0.3 * run.clock().time, 0};
    return run.measure({probe});
  };
  for (Probe probe : {line, section, moment}) {
    const std::vector<double> expected = at_rest(probe);
    probe.follows = "box";
    expect_near(run.measure({probe}), expected, 1e-8);
  }
}

TEST(FollowingProbe, OfStoredFieldsShowsTheValueOfTheRun) {
  Case simulation = box_beside_shear();
  Solver run(Queue::cpu(2), simulation);
  run.drive("box", {-0.8, 0.3, 0}, {0, 0, 400});
  run.advance_steps(60);
  const Probe probe = velocity_at(beside, "box");
  expect_near(measure(Queue::cpu(2), simulation, run.fields(), {probe}), run.measure({probe}), 1e-6);
  Fields empty = run.fields();
  for (std::int64_t& id : empty.id) id += 1'000'000;
  for (std::size_t i = 0; i < empty.id.size(); ++i) empty.wall[i] = 0, empty.body[i] = 0;
  EXPECT_THAT(message_of([&] { measure(Queue::cpu(2), simulation, empty, {probe}); }),
              HasSubstr("the fields have 0 particles of the wall \"box\""));
}

TEST(FollowingProbe, PassesThroughPeriodicSides) {
  Case simulation = box_beside_shear();
  simulation.domain = Box{{0, -0.5, 0}, {0.3, 0.7, 0}};
  simulation.scheme.periodic = {Axis::x};
  Solver run(Queue::cpu(1), simulation);
  run.drive("box", {-20, 0, 0});
  run.advance_steps(100);
  const double shift = -20 * run.clock().time;
  const Probe probe = velocity_at({0.25, 0.05, 0}, "box");
  EXPECT_LT(0.25 + shift, 0.1);
  const std::vector<double> expected = run.measure({velocity_at({0.25 + shift, 0.05, 0})});
  expect_near(run.measure({probe}), expected, 1e-8);
  expect_near(measure(Queue::cpu(1), simulation, run.fields(), {probe}), expected, 1e-6);
  const Probe beyond = velocity_at({0.15, 0.05, 0}, "box");  // 0.05 m beyond the left side, which is the right one
  expect_near(run.measure({beyond}), run.measure({velocity_at({0.45 + shift, 0.05, 0})}), 1e-8);
}

TEST(FollowingProbe, TheDisplacementOfParticlesIsFoundFromTheirPlaces) {
  const RigidTransform turned =
      RigidTransform::about({0.1, -0.2, 0.3}, {1, 2, 3}, 2.5).then(RigidTransform::shift({4, 5, 6}));
  const std::vector<Vector> plate = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.3, 0.8, 0}};
  std::vector<Vector> moved;
  for (const Vector& point : plate) moved.push_back(turned.apply(point));
  const RigidTransform fitted = fitted_displacement(plate, moved, 3);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(fitted.rotation[k], turned.rotation[k], 1e-14) << k;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(fitted.translation[k], turned.translation[k], 1e-14) << k;
  const std::vector<Vector> row = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const RigidTransform quarter = fitted_displacement(row, {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}, 2);
  EXPECT_NEAR(quarter.rotation[1], -1, 1e-14);
  EXPECT_NEAR(quarter.rotation[3], 1, 1e-14);
  EXPECT_NEAR(quarter.rotation[8], 1, 1e-14);
}

TEST(FollowingProbe, NeedsAWallThatMovesAndPoints) {
  Case simulation = box_beside_shear();
  simulation.walls.push_back({"post", {{0.3, 0, 0}, {0.33, 0.1, 0}}, {}, 3, ""});
  const auto message = [&](Probe probe) {
    Case wrong = simulation;
    wrong.probes = {std::move(probe)};
    return message_of([&] { Solver(Queue::cpu(1), wrong); });
  };
  EXPECT_THAT(message(velocity_at(beside, "post")), HasSubstr("follows the wall \"post\", which does not move"));
  EXPECT_THAT(message(velocity_at(beside, "pots")), HasSubstr("pots"));
  Probe front{"front", ProbeKind::surge_front};
  front.follows = "box";
  EXPECT_THAT(message(front), HasSubstr("is a surge_front, which has no points to follow"));
  EXPECT_THAT(message(velocity_at({3, 0, 0}, "box")), HasSubstr("is outside the domain"));
}

}  // namespace
}  // namespace shoal::sph
