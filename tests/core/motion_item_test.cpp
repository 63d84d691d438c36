// SPDX-License-Identifier: Apache-2.0
#include "core/motion_item.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numbers>
#include <vector>

namespace shoal::motion {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double pose_rounding = 1e-15;  ///< rounding error of numbers near 1

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
  EXPECT_NEAR(pose.position.along(0, x), 1, pose_rounding);
  EXPECT_NEAR(pose.position.along(1, x), 2, pose_rounding);
  EXPECT_NEAR(pose.velocity.along(0, x), -2 * pi / 2, pose_rounding);
  EXPECT_NEAR(pose.velocity.along(1, x), 0, pose_rounding);
  EXPECT_NEAR(pose.acceleration.along(1, x), -2 * pi / 2 * pi / 2, 10 * pose_rounding);  // toward the center
}

TEST(Pose, CoordinatesMayHaveAnotherOrigin) {
  const Motion motion{.kind = MotionKind::rotation, .angular_velocity = 90, .about = {1, 0, 0}};
  const auto pose = pose_at<2>(make_parameters(motion, {-4, 2, 0}), 1);
  const double x[] = {3 + 4, 0 - 2};
  EXPECT_NEAR(pose.position.along(0, x), 1 + 4, 10 * pose_rounding);
  EXPECT_NEAR(pose.position.along(1, x), 2 - 2, 10 * pose_rounding);
}

/// A path with displacements along all axes and an angle, between 0.1 s and 1 s.
std::shared_ptr<const MotionPath> some_path() {
  return std::make_shared<const MotionPath>(
      std::vector{0.1, 0.4, 0.5, 1.0},
      std::vector<std::array<double, 3>>{{0, 0, 0}, {0.2, -0.1, 0.3}, {0.1, 0.2, 0.1}, {0.3, 0, 0}},
      std::vector{0.0, 20.0, 35.0, -10.0});
}

/// One motion of every kind, with a phase and a mean angle.
std::vector<Motion> every_motion() {
  std::vector<Motion> motions;
  for (const MotionKind kind : {MotionKind::none, MotionKind::translation, MotionKind::oscillation,
                                MotionKind::rotation, MotionKind::pitch, MotionKind::file})
    motions.push_back({.kind = kind,
                       .velocity = {0.3, -0.1, 0.2},
                       .amplitude = {0.1, 0.3, -0.2},
                       .frequency = 0.6,
                       .phase = 25,
                       .angular_velocity = 40,
                       .mean_angle = 15,
                       .angle_amplitude = 30,
                       .about = {0.2, -0.1, 0.4},
                       .axis = {3, 0, 4},
                       .path = some_path()});
  return motions;
}

Pose<3> pose_of(const Motion& motion, double time) {
  std::vector<PathKnot> knots(2);  // the path is not at the front of the table
  MotionParameters parameters = make_parameters(motion);
  parameters.path = append_path(motion, knots);
  return pose_at<3>(parameters, time, knots.data());
}

/// Requires that velocities and accelerations are the central differences of positions and velocities.
template <class PoseAt>
void expect_consistent_rates(const PoseAt& pose) {
  constexpr double t = 0.37, step = 1e-5;
  constexpr double truncation = 1e-6;  // of central differences: step² and the third derivative
  const Pose<3> before = pose(t - step), now = pose(t), after = pose(t + step);
  const double x[] = {0.4, 0.5, -0.3};
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(now.velocity.along(axis, x),
                (after.position.along(axis, x) - before.position.along(axis, x)) / (2 * step), truncation);
    EXPECT_NEAR(now.acceleration.along(axis, x),
                (after.velocity.along(axis, x) - before.velocity.along(axis, x)) / (2 * step), truncation);
  }
}

TEST(Pose, RatesAreTheDerivativesOfPositions) {
  for (const Motion& motion : every_motion()) {
    SCOPED_TRACE(to_name(motion.kind));
    expect_consistent_rates([&](double time) { return pose_of(motion, time); });
  }
}

TEST(Pose, RatesAreDerivativesOnARampAndAfterIt) {
  for (Motion motion : every_motion())
    for (const double ramp : {0.2, 1.0}) {
      SCOPED_TRACE(testing::Message() << to_name(motion.kind) << ", ramp " << ramp);
      motion.start = 0.02;
      motion.ramp = ramp;
      expect_consistent_rates([&](double time) { return pose_of(motion, time); });
    }
}

TEST(Pose, RatesOfASumAreDerivatives) {
  const std::vector<Motion> motions = every_motion();
  for (const Motion& first : motions)
    for (const Motion& second : motions) {
      SCOPED_TRACE(testing::Message() << to_name(first.kind) << ", then " << to_name(second.kind));
      expect_consistent_rates([&](double time) { return composed(pose_of(second, time), pose_of(first, time)); });
    }
}

TEST(Pose, ASumMovesByTheFirstMotionThenByTheSecond) {
  const Motion turn{.kind = MotionKind::rotation, .angular_velocity = 90, .about = {1, 0, 0}};
  const Motion shift{.kind = MotionKind::translation, .velocity = {0, 3, 0}};
  const double x[] = {3, 0, 0};
  const auto turned_first = composed(pose_of(shift, 1), pose_of(turn, 1));  // (3, 0) to (1, 2) to (1, 5)
  EXPECT_NEAR(turned_first.position.along(0, x), 1, pose_rounding);
  EXPECT_NEAR(turned_first.position.along(1, x), 5, 4 * pose_rounding);
  EXPECT_NEAR(turned_first.velocity.along(0, x), -pi, 4 * pose_rounding);
  EXPECT_NEAR(turned_first.velocity.along(1, x), 3, 4 * pose_rounding);
  const auto shifted_first = composed(pose_of(turn, 1), pose_of(shift, 1));  // (3, 0) to (3, 3) to (−2, 2)
  EXPECT_NEAR(shifted_first.position.along(0, x), -2, 4 * pose_rounding);
  EXPECT_NEAR(shifted_first.position.along(1, x), 2, 4 * pose_rounding);
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
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(back[axis], x[axis], pose_rounding);
}

TEST(Pose, ATransformThenAnother) {
  const RigidTransform first = every_motion().back().at(0.8), second = every_motion()[3].at(1.3);
  const std::array<double, 3> x{0.3, -0.7, 1.1}, expected = second.apply(first.apply(x));
  const RigidTransform both = first.then(second);
  require_valid(both);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(both.apply(x)[axis], expected[axis], 4 * pose_rounding);
}

}  // namespace
}  // namespace shoal::motion
