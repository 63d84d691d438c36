// SPDX-License-Identifier: Apache-2.0
#include "core/motion_item.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

namespace shoal::motion {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-15;  ///< rounding error of numbers near 1

TEST(Pose, TranslationByHand) {
  const auto pose = pose_at<2>(make_parameters({.kind = MotionKind::translation, .velocity = {2, 0, 0}}), 3);
  const double x[] = {1, 5};
  EXPECT_DOUBLE_EQ(pose.position.along(0, x), 7);
  EXPECT_DOUBLE_EQ(pose.position.along(1, x), 5);
  EXPECT_DOUBLE_EQ(pose.velocity.along(0, x), 2);
  EXPECT_EQ(pose.acceleration.along(0, x), 0);
}

TEST(Pose, AQuarterTurnByHand) {
  const Motion motion{.kind = MotionKind::rotation, .angular_velocity = 90, .about = {1, 0, 0}};
  const auto pose = pose_at<2>(make_parameters(motion), 1);
  const double x[] = {3, 0};  // 2 m from the center, along x
  EXPECT_NEAR(pose.position.along(0, x), 1, rounding);
  EXPECT_NEAR(pose.position.along(1, x), 2, rounding);
  EXPECT_NEAR(pose.velocity.along(0, x), -2 * pi / 2, rounding);
  EXPECT_NEAR(pose.velocity.along(1, x), 0, rounding);
  EXPECT_NEAR(pose.acceleration.along(1, x), -2 * pi / 2 * pi / 2, 10 * rounding);  // toward the center
}

TEST(Pose, CoordinatesMayHaveAnotherOrigin) {
  const Motion motion{.kind = MotionKind::rotation, .angular_velocity = 90, .about = {1, 0, 0}};
  const auto pose = pose_at<2>(make_parameters(motion, {-4, 2, 0}), 1);
  const double x[] = {3 + 4, 0 - 2};
  EXPECT_NEAR(pose.position.along(0, x), 1 + 4, 10 * rounding);
  EXPECT_NEAR(pose.position.along(1, x), 2 - 2, 10 * rounding);
}

/// One motion of every kind, with a phase and a mean angle.
std::vector<Motion> every_motion() {
  std::vector<Motion> motions;
  for (const MotionKind kind :
       {MotionKind::none, MotionKind::translation, MotionKind::oscillation, MotionKind::rotation, MotionKind::pitch})
    motions.push_back({.kind = kind,
                       .velocity = {0.3, -0.1, 0.2},
                       .amplitude = {0.1, 0.3, -0.2},
                       .frequency = 0.6,
                       .phase = 25,
                       .angular_velocity = 40,
                       .mean_angle = 15,
                       .angle_amplitude = 30,
                       .about = {0.2, -0.1, 0.4},
                       .axis = {3, 0, 4}});
  return motions;
}

TEST(Pose, RatesAreTheDerivativesOfPositions) {
  constexpr double t = 0.37, step = 1e-4, truncation = 1e-6;  // of central differences: step² and the third derivative
  for (const Motion& motion : every_motion()) {
    SCOPED_TRACE(to_name(motion.kind));
    const MotionParameters parameters = make_parameters(motion);
    const auto before = pose_at<3>(parameters, t - step), now = pose_at<3>(parameters, t),
               after = pose_at<3>(parameters, t + step);
    const double x[] = {0.4, 0.5, -0.3};
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(now.velocity.along(axis, x),
                  (after.position.along(axis, x) - before.position.along(axis, x)) / (2 * step), truncation);
      EXPECT_NEAR(now.acceleration.along(axis, x),
                  (after.velocity.along(axis, x) - before.velocity.along(axis, x)) / (2 * step), truncation);
    }
  }
}

TEST(Pose, WithoutPhaseAndMeanAngleABodyStartsWhereItWasDrawn) {
  for (Motion motion : every_motion()) {
    motion.phase = motion.mean_angle = 0;
    EXPECT_EQ(motion.at(0), RigidTransform{}) << to_name(motion.kind);
  }
}

TEST(Pose, ATransformAndItsInverse) {
  const RigidTransform transform = every_motion().back().at(1.3);
  require_valid(transform);
  const std::array<double, 3> x{0.3, -0.7, 1.1}, back = transform.apply_inverse(transform.apply(x));
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(back[axis], x[axis], rounding);
}

}  // namespace
}  // namespace shoal::motion
