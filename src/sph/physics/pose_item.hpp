// SPDX-License-Identifier: Apache-2.0
// Position, velocity and acceleration of a moving wall at a time.
#pragma once
#include <cmath>

#include "core/real.hpp"
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// matrix · X + shift, X the position of a wall particle at time 0, m from the origin of the lattice.
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

/// Position of a wall, and its first and second derivative in time.
template <int dimensions>
struct Pose {
  AffineMap<dimensions> position;
  AffineMap<dimensions> velocity;
  AffineMap<dimensions> acceleration;
};

/// Rotation by `angle` and its derivatives, about `about` along `axis`: R = I + sin N + (1 − cos) N², N the matrix of
/// axis × (Rodrigues).
template <int dimensions>
SHOAL_HD void set_rotation(const MovementParameters& movement, double angle, double rate, double second_rate,
                           Pose<dimensions>& pose) {
  const double* n = movement.axis;
  const double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
  const double s = std::sin(angle), c = std::cos(angle);
  for (int row = 0; row < dimensions; ++row)
    for (int column = 0; column < dimensions; ++column) {
      const double one = row == column;
      const double squared = n[row] * n[column] - one;
      const double first = c * cross[row][column] + s * squared;    // dR/dangle
      const double second = -s * cross[row][column] + c * squared;  // d²R/dangle²
      pose.position.matrix[row][column] = one + s * cross[row][column] + (1 - c) * squared;
      pose.velocity.matrix[row][column] = rate * first;
      pose.acceleration.matrix[row][column] = second_rate * first + rate * rate * second;
    }
}

/// Pose of a wall at a time; formulas at shoal::Motion.
template <int dimensions>
SHOAL_HD Pose<dimensions> pose_at(const MovementParameters& movement, double time) {
  Pose<dimensions> pose{};
  const double w = movement.angular_frequency;
  const double swing = std::sin(w * time), swing_rate = w * std::cos(w * time), swing_acceleration = -w * w * swing;
  if (movement.kind == MotionKind::pitch)
    set_rotation(movement, movement.angular * swing, movement.angular * swing_rate,
                 movement.angular * swing_acceleration, pose);
  else if (movement.kind == MotionKind::rotation)
    set_rotation(movement, movement.angular * time, movement.angular, 0, pose);
  else
    for (int axis = 0; axis < dimensions; ++axis) pose.position.matrix[axis][axis] = 1;
  for (int axis = 0; axis < dimensions; ++axis) {
    pose.position.shift[axis] =
        movement.about[axis] + movement.velocity[axis] * time + movement.amplitude[axis] * swing;
    pose.velocity.shift[axis] = movement.velocity[axis] + movement.amplitude[axis] * swing_rate;
    pose.acceleration.shift[axis] = movement.amplitude[axis] * swing_acceleration;
    for (int k = 0; k < dimensions; ++k) {
      pose.position.shift[axis] -= pose.position.matrix[axis][k] * movement.about[k];
      pose.velocity.shift[axis] -= pose.velocity.matrix[axis][k] * movement.about[k];
      pose.acceleration.shift[axis] -= pose.acceleration.matrix[axis][k] * movement.about[k];
    }
  }
  return pose;
}

}  // namespace shoal::sph
