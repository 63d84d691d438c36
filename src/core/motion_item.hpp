// SPDX-License-Identifier: Apache-2.0
// Pose of a rigid wall or body at a time: its position, velocity and acceleration as affine maps of its initial position.
#pragma once
#include <shoal/motion.hpp>

#include <cmath>

#include "core/motion_path_item.hpp"
#include "core/real.hpp"

namespace shoal::motion {

/// Coefficients of a Motion; those that its kind does not use are 0. Kernels receive them by value.
struct MotionParameters {
  double velocity[3];        ///< m/s
  double amplitude[3];       ///< m
  double angular_velocity;   ///< degrees/s
  double mean_angle;         ///< degrees
  double angle_amplitude;    ///< degrees
  double angular_frequency;  ///< rad/s, 2π frequency
  double phase;              ///< rad
  double about[3];           ///< m from the origin of coordinates
  double axis[3];            ///< unit vector
  double start;              ///< s
  bool has_start;            ///< false: the motion has always been under way
  double ramp;               ///< s
  PathRange path;            ///< knots of a motion of kind `file`
  bool turns;                ///< false: the rotation is the identity at all times
};

/// Parameters without the range of the path.
/// @param origin  m, origin of the coordinates that the pose maps
/// @throws Error  a rotation about an axis of no length, a motion of kind `file` without a path
MotionParameters make_parameters(const Motion& motion, const std::array<double, 3>& origin = {});

/// Appends the knots of a motion of kind `file` to a table.
/// @return  their range, which is empty for other kinds
PathRange append_path(const Motion& motion, std::vector<PathKnot>& table);

/// x ↦ matrix · x + shift.
template <int dimensions>
struct AffineMap {
  double matrix[dimensions][dimensions];
  double shift[dimensions];

  SHOAL_HD double along(int axis, const double* x) const {
    double sum = shift[axis];
    for (int k = 0; k < dimensions; ++k) sum += matrix[axis][k] * x[k];
    return sum;
  }
};

/// Position of a body, and its first and second derivative in time.
template <int dimensions>
struct Pose {
  AffineMap<dimensions> position;
  AffineMap<dimensions> velocity;
  AffineMap<dimensions> acceleration;
};

/// Matrix of the rotation about the unit vector n by the angle of cosine c and sine s, and its derivatives with respect
/// to the angle (Rodrigues): R = c I + s [n]× + (1 − c) n nᵀ.
template <int dimensions>
struct Rotation {
  double matrix[dimensions][dimensions];
  double first[dimensions][dimensions];   ///< dR/dangle
  double second[dimensions][dimensions];  ///< d²R/dangle²
};

template <int dimensions>
SHOAL_HD Rotation<dimensions> rotation_about(const double* n, double c, double s) {
  const double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
  Rotation<dimensions> rotation;
  for (int row = 0; row < dimensions; ++row)
    for (int column = 0; column < dimensions; ++column) {
      const double one = row == column, product = n[row] * n[column];
      rotation.matrix[row][column] = c * one + (product * (1 - c) + cross[row][column] * s);
      rotation.first[row][column] = c * cross[row][column] + s * (product - one);
      rotation.second[row][column] = c * (product - one) - s * cross[row][column];
    }
  return rotation;
}

/// Pose that moves a body by `first`, then by `second`.
template <int dimensions>
SHOAL_HD Pose<dimensions> composed(const Pose<dimensions>& second, const Pose<dimensions>& first) {
  Pose<dimensions> pose = second;  // its shifts are part of the result
  for (int row = 0; row < dimensions; ++row) {
    for (int column = 0; column < dimensions; ++column) {
      double position = 0, velocity = 0, acceleration = 0;
      for (int k = 0; k < dimensions; ++k) {
        const double a = second.position.matrix[row][k], b = first.position.matrix[k][column];
        const double a_rate = second.velocity.matrix[row][k], b_rate = first.velocity.matrix[k][column];
        position += a * b;
        velocity += a_rate * b + a * b_rate;
        acceleration +=
            second.acceleration.matrix[row][k] * b + 2 * a_rate * b_rate + a * first.acceleration.matrix[k][column];
      }
      pose.position.matrix[row][column] = position;
      pose.velocity.matrix[row][column] = velocity;
      pose.acceleration.matrix[row][column] = acceleration;
    }
    for (int k = 0; k < dimensions; ++k) {
      const double a = second.position.matrix[row][k], a_rate = second.velocity.matrix[row][k];
      pose.position.shift[row] += a * first.position.shift[k];
      pose.velocity.shift[row] += a_rate * first.position.shift[k] + a * first.velocity.shift[k];
      pose.acceleration.shift[row] += second.acceleration.matrix[row][k] * first.position.shift[k] +
                                      2 * a_rate * first.velocity.shift[k] + a * first.acceleration.shift[k];
    }
  }
  return pose;
}

/// Shift along each axis and angle of a motion, and their derivatives.
struct Displacement {
  double value[4], rate[4], acceleration[4];  ///< m along x, y, z; degrees
};

/// Formulas at shoal::Motion.
SHOAL_HD Displacement displacement_at(const MotionParameters& motion, double time, const PathKnot* knots) {
  const bool is_at_rest = motion.has_start && time < motion.start;
  const double after_start = is_at_rest ? 0 : time - motion.start;
  const Ramp ramp = ramp_at(after_start, motion.ramp);
  const double w = motion.angular_frequency;
  const double sine = std::sin(w * after_start + motion.phase);
  const double rate = w * std::cos(w * after_start + motion.phase);
  const double swing = ramp.value * sine, swing_rate = ramp.rate * sine + ramp.value * rate;
  const double swing_acceleration = ramp.acceleration * sine + 2 * ramp.rate * rate - ramp.value * w * w * sine;
  const PathState path = path_at(knots, motion.path, after_start);
  Displacement sum{};
  for (int k = 0; k < 4; ++k) {
    const double velocity = k < 3 ? motion.velocity[k] : motion.angular_velocity;
    const double amplitude = k < 3 ? motion.amplitude[k] : motion.angle_amplitude;
    sum.value[k] =
        velocity * ramp.integral + ((k < 3 ? 0 : motion.mean_angle) + amplitude * swing) + ramp.value * path.value[k];
    if (is_at_rest) continue;
    sum.rate[k] =
        velocity * ramp.value + amplitude * swing_rate + (ramp.rate * path.value[k] + ramp.value * path.rate[k]);
    sum.acceleration[k] =
        velocity * ramp.rate + amplitude * swing_acceleration +
        (ramp.acceleration * path.value[k] + 2 * ramp.rate * path.rate[k] + ramp.value * path.acceleration[k]);
  }
  return sum;
}

/// Pose at a time.
/// @param time   s
/// @param knots  table with the knots of the motion's path; null without a path
template <int dimensions>
SHOAL_HD Pose<dimensions> pose_at(const MotionParameters& motion, double time, const PathKnot* knots = nullptr) {
  constexpr double radians = 3.14159265358979323846 / 180;
  Pose<dimensions> pose{};
  const Displacement displacement = displacement_at(motion, time, knots);
  for (int axis = 0; axis < dimensions; ++axis) pose.position.matrix[axis][axis] = 1;
  if (motion.turns) {
    const double angle = displacement.value[3] * radians;
    const double angle_rate = displacement.rate[3] * radians;
    const double angle_acceleration = displacement.acceleration[3] * radians;
    const auto rotation = rotation_about<dimensions>(motion.axis, std::cos(angle), std::sin(angle));
    for (int row = 0; row < dimensions; ++row)
      for (int column = 0; column < dimensions; ++column) {
        const double first = rotation.first[row][column], second = rotation.second[row][column];
        pose.position.matrix[row][column] = rotation.matrix[row][column];
        pose.velocity.matrix[row][column] = angle_rate * first;
        pose.acceleration.matrix[row][column] = angle_acceleration * first + angle_rate * angle_rate * second;
      }
  }
  for (int axis = 0; axis < dimensions; ++axis) {
    pose.position.shift[axis] = motion.about[axis] + displacement.value[axis];
    pose.velocity.shift[axis] = displacement.rate[axis];
    pose.acceleration.shift[axis] = displacement.acceleration[axis];
    for (int k = 0; k < dimensions; ++k) {
      pose.position.shift[axis] -= pose.position.matrix[axis][k] * motion.about[k];
      pose.velocity.shift[axis] -= pose.velocity.matrix[axis][k] * motion.about[k];
      pose.acceleration.shift[axis] -= pose.acceleration.matrix[axis][k] * motion.about[k];
    }
  }
  return pose;
}

}  // namespace shoal::motion
