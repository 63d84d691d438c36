// SPDX-License-Identifier: Apache-2.0
// Motions of walls and bodies against positions computed by hand.
#include <gtest/gtest.h>
#include <shoal/error.hpp>
#include <shoal/motion.hpp>

#include <cmath>
#include <memory>
#include <numbers>

namespace shoal {
namespace {

constexpr double rounding = 1e-15;  ///< rounding error of numbers near 1

std::array<double, 2> moved(const Motion& motion, double time, double x, double y) {
  const RigidTransform transform = motion.at(time);
  return {transform.rotation[0] * x + transform.rotation[1] * y + transform.translation[0],
          transform.rotation[3] * x + transform.rotation[4] * y + transform.translation[1]};
}

TEST(Motion, PitchTurnsAboutItsAxis) {
  Motion motion{.kind = MotionKind::pitch, .frequency = 1, .angle_amplitude = 90, .about = {1, 0, 0}};
  // A quarter of a period: the sine is 1, the angle 90 degrees, and (2, 0) has gone to (1, 1).
  EXPECT_NEAR(moved(motion, 0.25, 2, 0)[0], 1, rounding);
  EXPECT_NEAR(moved(motion, 0.25, 2, 0)[1], 1, rounding);
  EXPECT_NEAR(moved(motion, 0.25, 1, 0)[0], 1, rounding) << "the axis stays";
  EXPECT_EQ(moved(motion, 0, 2, 0), (std::array{2.0, 0.0}));
  motion.phase = 90;
  motion.angle_amplitude = 0;
  motion.mean_angle = 180;
  EXPECT_NEAR(moved(motion, 0.1, 2, 0)[0], 0, rounding);
}

TEST(Motion, TranslationHasAConstantVelocity) {
  const Motion motion{.kind = MotionKind::translation, .velocity = {2, -4, 0}};
  EXPECT_EQ(moved(motion, 0.5, 1, 1), (std::array{2.0, -1.0}));
  EXPECT_EQ(moved(motion, -0.5, 1, 1), (std::array{0.0, 3.0})) << "it has always been under way";
  EXPECT_EQ(motion.max_speed(7), std::sqrt(20.0));
}

TEST(Motion, OscillationReachesItsAmplitude) {
  const Motion motion{.kind = MotionKind::oscillation, .amplitude = {0.5, 0, 0}, .frequency = 2, .phase = 90};
  EXPECT_EQ(moved(motion, 0, 1, 1), (std::array{1.5, 1.0})) << "sin(90 degrees) = 1";
  EXPECT_NEAR(moved(motion, 0.25, 1, 1)[0], 0.5, rounding) << "half a period later";
  EXPECT_NEAR(motion.max_speed(7), 2 * std::numbers::pi, rounding * 10);
}

TEST(Motion, RotationHasAConstantAngularVelocity) {
  const Motion motion{.kind = MotionKind::rotation, .angular_velocity = 45};
  EXPECT_NEAR(moved(motion, 2, 1, 0)[1], 1, rounding);
  EXPECT_NEAR(motion.max_speed(4), std::numbers::pi, rounding * 10);
}

TEST(Motion, ARampOfAVelocityCoversHalfTheWay) {
  const Motion motion{.kind = MotionKind::translation, .velocity = {2, 0, 0}, .start = 1, .ramp = 4};
  EXPECT_EQ(moved(motion, 0.5, 0, 0)[0], 0) << "before the start";
  // Half a ramp: the integral is 4 · 1/16 · (5/2 − 3/2 + 1/4) s = 0.3125 s.
  EXPECT_NEAR(moved(motion, 3, 0, 0)[0], 2 * 0.3125, rounding);
  EXPECT_NEAR(moved(motion, 5, 0, 0)[0], 2 * 2, 4 * rounding) << "the end of the ramp: half its length";
  EXPECT_NEAR(moved(motion, 7, 0, 0)[0], 2 * 4, 8 * rounding);
  EXPECT_EQ(motion.max_speed(0), 2);
}

TEST(Motion, ARampOfAnAmplitudeIsAFactor) {
  Motion motion{.kind = MotionKind::oscillation, .amplitude = {0.5, 0, 0}, .frequency = 0.25, .ramp = 4};
  // sin(90 degrees) = 1 after 1 s, where the ramp is 1/64 (10 − 15/4 + 6/16) = 0.103515625.
  EXPECT_NEAR(moved(motion, 1, 0, 0)[0], 0.5 * 0.103515625, rounding);
  EXPECT_NEAR(moved(motion, 5, 0, 0)[0], 0.5, rounding);
  motion.start = 2;
  EXPECT_NEAR(moved(motion, 3, 0, 0)[0], 0.5 * 0.103515625, rounding) << "two seconds later";
}

TEST(Motion, AFileMovesByItsPath) {
  Motion motion{.kind = MotionKind::file, .about = {1, 0, 0}};
  EXPECT_THROW(motion.at(0), Error);
  EXPECT_THROW(motion.max_speed(0), Error);
  motion.path = std::make_shared<const MotionPath>(
      std::vector{0.0, 1.0}, std::vector<std::array<double, 3>>{{0, 0, 0}, {2, 0, 0}}, std::vector{0.0, 90.0});
  EXPECT_NEAR(moved(motion, 1, 3, 0)[0], 3, 4 * rounding) << "a quarter turn about (1, 0), then 2 m along x";
  EXPECT_NEAR(moved(motion, 1, 3, 0)[1], 2, 4 * rounding);
  EXPECT_NEAR(moved(motion, 9, 3, 0)[1], 2, 4 * rounding) << "it rests after the last row";
  EXPECT_NEAR(motion.max_speed(4), 2 + 4 * std::numbers::pi / 2, 8 * rounding);
}

TEST(Motion, NoneStays) {
  EXPECT_EQ(moved({}, 3, 1, 2), (std::array{1.0, 2.0}));
  EXPECT_EQ(Motion{}.max_speed(1), 0);
}

}  // namespace
}  // namespace shoal
