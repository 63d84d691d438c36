// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/step_plan_item.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace shoal::sph {
namespace {

constexpr double pi = std::numbers::pi;

MovementParameters movement(MotionKind kind) {
  MovementParameters m{};
  m.kind = kind;
  m.axis[2] = 1;
  return m;
}

TEST(Pose, TranslationByHand) {
  auto m = movement(MotionKind::translation);
  m.velocity[0] = 2;
  const auto pose = pose_at<2>(m, 3);
  const double x[] = {1, 5};
  EXPECT_DOUBLE_EQ(pose.position.along(0, x), 7);
  EXPECT_DOUBLE_EQ(pose.position.along(1, x), 5);
  EXPECT_DOUBLE_EQ(pose.velocity.along(0, x), 2);
  EXPECT_EQ(pose.acceleration.along(0, x), 0);
}

TEST(Pose, AQuarterTurnByHand) {
  auto m = movement(MotionKind::rotation);
  m.angular = pi / 2;  // rad/s
  m.about[0] = 1;
  const auto pose = pose_at<2>(m, 1);
  const double x[] = {3, 0};  // 2 m from the center, along x
  EXPECT_NEAR(pose.position.along(0, x), 1, 1e-15);
  EXPECT_NEAR(pose.position.along(1, x), 2, 1e-15);
  EXPECT_NEAR(pose.velocity.along(0, x), -2 * pi / 2, 1e-15);
  EXPECT_NEAR(pose.velocity.along(1, x), 0, 1e-15);
  EXPECT_NEAR(pose.acceleration.along(1, x), -2 * pi / 2 * pi / 2, 1e-14);  // toward the center
}

TEST(Pose, RatesAreTheDerivativesOfPlaces) {
  for (const MotionKind kind : {MotionKind::oscillation, MotionKind::rotation, MotionKind::pitch}) {
    auto m = movement(kind);
    m.axis[0] = 0.6;
    m.axis[2] = 0.8;
    m.about[0] = 0.2;
    m.about[1] = -0.1;
    if (kind == MotionKind::oscillation) m.amplitude[1] = 0.3;
    if (kind != MotionKind::rotation) m.angular_frequency = 4;
    if (kind != MotionKind::oscillation) m.angular = 0.7;
    const double t = 0.37, step = 1e-4;
    const auto before = pose_at<3>(m, t - step), now = pose_at<3>(m, t), after = pose_at<3>(m, t + step);
    const double x[] = {0.4, 0.5, -0.3};
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(now.velocity.along(axis, x),
                  (after.position.along(axis, x) - before.position.along(axis, x)) / (2 * step), 1e-6);
      EXPECT_NEAR(now.acceleration.along(axis, x),
                  (after.velocity.along(axis, x) - before.velocity.along(axis, x)) / (2 * step), 1e-6);
    }
  }
}

TEST(Pose, WallsStartWhereTheyWereDrawn) {
  for (int kind = 0; kind < 5; ++kind) {
    auto m = movement(static_cast<MotionKind>(kind));
    m.velocity[0] = m.amplitude[1] = m.angular = m.angular_frequency = m.about[0] = 1;
    const auto pose = pose_at<2>(m, 0);
    const double x[] = {3, 4};
    EXPECT_DOUBLE_EQ(pose.position.along(0, x), 3);
    EXPECT_DOUBLE_EQ(pose.position.along(1, x), 4);
  }
}

TEST(Beam, SharesAddUpToOne) {
  for (const double length : {0.0, 0.01, 0.35, 2.0}) {
    HeatPulseParameters<double, 2> pulse{};
    pulse.start = 0.123;
    pulse.length = length;
    double sum = 0;
    for (int step = 0; step < 300; ++step) sum += pulse_fraction(pulse, 0.01 * step, 0.01);
    EXPECT_NEAR(sum, 1, 1e-9) << length;
  }
}

}  // namespace
}  // namespace shoal::sph
