// SPDX-License-Identifier: Apache-2.0
// Moving walls whose motion has a phase or a mean angle: they start displaced from where they were drawn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/methods.hpp>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryWallStart : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryWallStart, testing::ValuesIn(methods("sph")), method_test_name);

constexpr double lattice_unit = 1e-9;  ///< m; coordinates of walls are rounded to less than this in double precision
constexpr double velocity_rounding = 1e-12;  ///< m/s

/// A paddle at x = 0.2 m to the right of a block of water, and no gravity.
Case paddle(const Motion& motion) {
  Case simulation = block_of_water(10, 10);
  simulation.precision = Precision::double_;
  simulation.walls = {{"paddle", {{0.2, 0, 0}, {0.23, 0.1, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.walls[0].motion = motion;
  simulation.domain = Box{{-0.2, -0.5, 0}, {1, 1, 0}};
  return simulation;
}

const Motion oscillation{.kind = MotionKind::oscillation, .amplitude = {0.05, 0.02, 0}, .frequency = 2, .phase = 40};
const Motion pitch{.kind = MotionKind::pitch,
                   .frequency = 2,
                   .phase = 40,
                   .mean_angle = 20,
                   .angle_amplitude = 15,
                   .about = {0.2, 0, 0}};

void expect_walls_follow(const Motion& motion, const Fields& drawn, const Fields& fields, double time) {
  const double step = 1e-6;
  const RigidTransform pose = motion.at(time), before = motion.at(time - step), after = motion.at(time + step);
  int walls = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (!fields.wall[i]) continue;
    ++walls;
    const auto k = static_cast<std::size_t>(fields.id[i]);
    const Vector x{drawn.position[3 * k], drawn.position[3 * k + 1], 0};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      EXPECT_NEAR(fields.position[3 * i + axis], pose.apply(x)[axis], lattice_unit);
      EXPECT_NEAR(fields.velocity[3 * i + axis], (after.apply(x)[axis] - before.apply(x)[axis]) / (2 * step), 1e-6);
    }
  }
  EXPECT_EQ(walls, 30);
}

TEST_P(EveryWallStart, WallsStandAtTheirPoseAtTheStartAndLater) {
  for (const Motion& motion : {oscillation, pitch}) {
    SCOPED_TRACE(to_name(motion.kind));
    const Fields drawn = solver(paddle({})).fields();
    Solver run = solver(paddle(motion));
    expect_walls_follow(motion, drawn, run.fields(), 0);
    run.advance_to(0.013);
    expect_walls_follow(motion, drawn, run.fields(), run.clock().time);
  }
}

TEST_P(EveryWallStart, ARestartContinuesWithTheSameBits) {
  Solver whole = solver(paddle(pitch));
  whole.advance_steps(20);
  Solver first = solver(paddle(pitch));
  first.advance_steps(9);
  Solver second = solver(paddle(pitch), first.snapshot());
  second.advance_steps(11);
  const Snapshot a = whole.snapshot(), b = second.snapshot();
  EXPECT_EQ(a.coordinate, b.coordinate);
  EXPECT_EQ(a.velocity, b.velocity);
}

std::string start_message(const Case& simulation) {
  return message_of([&] { Solver(Queue::cpu(), simulation); });
}

TEST(WallStart, AWallDisplacedIntoABodyIsAnError) {
  Motion motion = oscillation;
  motion.amplitude = {-0.12, 0, 0};
  EXPECT_EQ(start_message(paddle(motion)), "no error");
  motion.phase = 90;
  EXPECT_THAT(start_message(paddle(motion)),
              testing::StartsWith("sph: body 0 reaches into wall \"paddle\" at (0.085, "));
}

TEST(WallStart, AWallDrawnInABodyMayStartBesideIt) {
  Case simulation = paddle(oscillation);
  simulation.walls[0].box = {{0.05, 0, 0}, {0.08, 0.1, 0}};
  simulation.walls[0].motion.amplitude = {0.3, 0, 0};
  simulation.walls[0].motion.phase = 90;
  EXPECT_EQ(start_message(simulation), "no error");
}

TEST(WallStart, AWallDisplacedOutOfTheDomainIsAnError) {
  Motion motion = oscillation;
  motion.amplitude = {3, 0, 0};
  EXPECT_THAT(start_message(paddle(motion)), testing::HasSubstr("starts outside the domain: x = 2.1"));
}

}  // namespace
}  // namespace shoal::sph
