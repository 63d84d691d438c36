// SPDX-License-Identifier: Apache-2.0
// Walls with several motions: paths, ramps, sums and wavemakers in a run.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <functional>

#include "sph/setup/wall_movement.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryWallMovement : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryWallMovement, testing::ValuesIn(methods("sph")), method_test_name);

Motion along_a_path() {
  return {.kind = MotionKind::file,
          .about = {0.1, 0, 0},
          .ramp = 0.01,
          .path = std::make_shared<const MotionPath>(
              std::vector{0.0, 0.004, 0.02},
              std::vector<std::array<double, 3>>{{0.01, 0, 0}, {0.013, 0.002, 0}, {0.01, 0.001, 0}},
              std::vector{0.0, 1.0, -2.0})};
}

/// A paddle to the right of a block of water with a motion of its own, two that add to it and a wavemaker.
Case paddle() {
  Case simulation = block_of_water(10, 10);
  simulation.precision = Precision::double_;
  simulation.duration = 0.03;
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.walls = {{"floor", {{0, -0.03, 0}, {0.1, 0, 0}}, {}, 3, ""},
                      {"paddle", {{0.2, 0, 0}, {0.23, 0.1, 0}}, {}, 3, ""}};
  for (Wall& wall : simulation.walls) wall.solid = true;
  simulation.walls[1].motion = {
      .kind = MotionKind::oscillation, .amplitude = {0.003, 0, 0}, .frequency = 9, .phase = 50};
  simulation.motions = {{"paddle", along_a_path()},
                        {"paddle", {.kind = MotionKind::rotation, .angular_velocity = 100, .about = {0.2, 0, 0}}}};
  simulation.wavemakers = {
      {.wall = "paddle", .depth = 0.1, .period = 0.05, .height = 0.002, .ramp = 0, .direction = {-1, 0, 0}}};
  simulation.domain = Box{{-0.2, -0.5, 0}, {1, 1, 0}};
  return simulation;
}

/// Position of a point of the paddle.
Vector moved(const Case& simulation, double time, Vector x) {
  for (const Motion& motion : motions_of(simulation, simulation.walls[1], simulation.duration))
    x = motion.at(time).apply(x);
  return x;
}

void expect_paddle_follows(const Case& simulation, const Fields& drawn, const Fields& fields) {
  const double time = fields.clock.time, step = 1e-6;
  int walls = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    const auto k = static_cast<std::size_t>(fields.id[i]);
    const Vector x{drawn.position[3 * k], drawn.position[3 * k + 1], 0};
    if (!fields.wall[i] || x[0] < 0.15) continue;
    ++walls;
    const Vector now = moved(simulation, time, x), after = moved(simulation, time + step, x);
    const Vector before = moved(simulation, std::max(0.0, time - step), x);
    const double between = time > step ? 2 * step : step;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      EXPECT_NEAR(fields.position[3 * i + axis], now[axis], 2e-9);
      EXPECT_NEAR(fields.velocity[3 * i + axis], (after[axis] - before[axis]) / between, 1e-4);
    }
  }
  EXPECT_EQ(walls, 30);
}

TEST_P(EveryWallMovement, APaddleFollowsTheSumOfItsMotions) {
  Case still = paddle();
  still.walls[1].motion = {};
  still.motions.clear();
  still.wavemakers.clear();
  const Fields drawn = solver(still).fields();
  Solver run = solver(paddle());
  expect_paddle_follows(paddle(), drawn, run.fields());
  for (const double time : {0.003, 0.011, 0.027}) {
    run.advance_to(time);
    expect_paddle_follows(paddle(), drawn, run.fields());
  }
}

TEST_P(EveryWallMovement, ARestartContinuesWithTheSameBits) {
  Solver whole = solver(paddle());
  whole.advance_steps(20);
  Solver first = solver(paddle());
  first.advance_steps(9);
  Case longer = paddle();
  longer.duration = 3;
  Solver second = solver(longer, first.snapshot());
  second.advance_steps(11);
  const Snapshot a = whole.snapshot(), b = second.snapshot();
  EXPECT_EQ(a.coordinate, b.coordinate);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.density_deviation, b.density_deviation);
}

TEST(WallMovement, ASumOfTranslationsHasTheBitsOfOne) {
  const auto bits = [](const Case& simulation) {
    Solver run(Queue::cpu(2), simulation);
    run.advance_steps(15);
    return run.snapshot();
  };
  Case one = paddle();
  one.motions.clear();
  one.wavemakers.clear();
  one.walls[1].motion = {.kind = MotionKind::translation, .velocity = {-0.75, 0.5, 0}};
  Case two = one;
  two.walls[1].motion.velocity = {-0.5, 0.25, 0};
  two.motions = {{"paddle", {.kind = MotionKind::translation, .velocity = {-0.25, 0.25, 0}}}};
  const Snapshot a = bits(one), b = bits(two);
  EXPECT_EQ(a.coordinate, b.coordinate);
  EXPECT_EQ(a.density_deviation, b.density_deviation);
}

std::string message_of_paddle(const std::function<void(Case&)>& spoil) {
  Case simulation = paddle();
  spoil(simulation);
  return message_of([&] { require_valid(simulation); });
}

TEST(WallMovement, EveryBadValueIsNamed) {
  EXPECT_EQ(message_of_paddle([](Case&) {}), "no error");
  EXPECT_EQ(message_of_paddle([](Case& c) { c.motions[0].wall = "gate"; }),
            "sph: motion.wall = \"gate\", expected the name of a wall: floor, paddle.");
  EXPECT_EQ(message_of_paddle([](Case& c) { c.motions[0].wall = ""; }),
            "sph: motion.wall = \"\", expected the name of a wall: floor, paddle.");
  EXPECT_EQ(message_of_paddle([](Case& c) { c.motions[0].motion.kind = MotionKind::none; }),
            "sph: motion.kind = \"none\", expected a motion.");
  EXPECT_EQ(message_of_paddle([](Case& c) { c.motions[0].motion.path = nullptr; }),
            "sph: motion has a motion of kind file, but no path. Set Motion::path, or read the case from a file.");
  EXPECT_EQ(message_of_paddle([](Case& c) { c.motions[1].motion.ramp = -1; }),
            "sph: motion.ramp = -1 s, expected 0 or a positive number.");
  EXPECT_EQ(message_of_paddle([](Case& c) { c.walls[1].motion.start = std::nan(""); }),
            "sph: wall.start = nan s, expected 0 or a positive number.");
  EXPECT_EQ(message_of_paddle([](Case& c) { c.motions[1].motion.velocity[1] = HUGE_VAL; }),
            "sph: motion.velocity has the component inf m/s, expected finite numbers.");
  EXPECT_EQ(message_of_paddle([](Case& c) { c.motions.resize(40, c.motions[1]); }),
            "sph: the walls of the case have 42 motions in all, expected at most 32.");
}

}  // namespace
}  // namespace shoal::sph
