// SPDX-License-Identifier: Apache-2.0
// Pose of a rigid wall or body at a time: its position, velocity and acceleration as affine maps of its initial position.
#pragma once
#include <shoal/motion.hpp>

#include <cmath>

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
  bool turns;                ///< false: the rotation is the identity at all times
};

/// @param origin  m, origin of the coordinates that the pose maps
/// @throws Error  a rotation about an axis of no length
MotionParameters make_parameters(const Motion& motion, const std::array<double, 3>& origin = {});

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

/// Pose at a time; formulas at shoal::Motion.
/// @param time  s
template <int dimensions>
SHOAL_HD Pose<dimensions> pose_at(const MotionParameters& motion, double time) {
  constexpr double radians = 3.14159265358979323846 / 180;
  Pose<dimensions> pose{};
  const double w = motion.angular_frequency;
  const double sine = std::sin(w * time + motion.phase), rate = w * std::cos(w * time + motion.phase);
  const double second_rate = -w * w * sine;
  for (int axis = 0; axis < dimensions; ++axis) pose.position.matrix[axis][axis] = 1;
  if (motion.turns) {
    const double angle =
        (motion.angular_velocity * time + (motion.mean_angle + motion.angle_amplitude * sine)) * radians;
    const double angle_rate = (motion.angular_velocity + motion.angle_amplitude * rate) * radians;
    const double angle_acceleration = motion.angle_amplitude * second_rate * radians;
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
    pose.position.shift[axis] = motion.about[axis] + motion.velocity[axis] * time + motion.amplitude[axis] * sine;
    pose.velocity.shift[axis] = motion.velocity[axis] + motion.amplitude[axis] * rate;
    pose.acceleration.shift[axis] = motion.amplitude[axis] * second_rate;
    for (int k = 0; k < dimensions; ++k) {
      pose.position.shift[axis] -= pose.position.matrix[axis][k] * motion.about[k];
      pose.velocity.shift[axis] -= pose.velocity.matrix[axis][k] * motion.about[k];
      pose.acceleration.shift[axis] -= pose.acceleration.matrix[axis][k] * motion.about[k];
    }
  }
  return pose;
}

}  // namespace shoal::motion
