// SPDX-License-Identifier: Apache-2.0
// Where moving walls are at a time, how fast, and how hard they are pushed; and what of each beam falls into a step.
#pragma once
#include <cmath>

#include "core/real.hpp"
#include "sph/physics/full_parameters.hpp"
#include "sph/physics/integrator_item.hpp"

namespace shoal::sph {

/// matrix · X + shift for a place X of a wall as it was drawn, m from the origin of the lattice.
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

/// A place of a wall, and its first and second derivative in time.
template <int dimensions>
struct Pose {
  AffineMap<dimensions> place;
  AffineMap<dimensions> velocity;
  AffineMap<dimensions> acceleration;
};

/// What is known of a step before it: walls at its start and after each of its stages, and each beam's heat, as the
/// share of its energy that falls into the step.
template <int dimensions>
struct StepPlan {
  Pose<dimensions> pose[4][most_movements];
  double beam_share[most_beams];
};

/// The time after a stage, as a share of the step.
SHOAL_HD double stage_time(Integrator integrator, int stage) {
  if (integrator == Integrator::tvd_rk3) return stage == 1 ? 0.5 : 1;
  return integrator == Integrator::symplectic && stage == 0 ? 0.5 : 1;
}

/// A turn by `angle` and its derivatives, about `about` along `axis`: R = I + sin N + (1 − cos) N², N the matrix of
/// axis × (Rodrigues).
template <int dimensions>
SHOAL_HD void set_turn(const MovementParameters& movement, double angle, double rate, double rate_of_rate,
                       Pose<dimensions>& pose) {
  const double* n = movement.axis;
  const double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
  const double s = std::sin(angle), c = std::cos(angle);
  for (int row = 0; row < dimensions; ++row)
    for (int column = 0; column < dimensions; ++column) {
      const double one = row == column;
      const double squared = n[row] * n[column] - one;
      const double first = c * cross[row][column] + s * squared;    // dR/dangle
      const double second = -s * cross[row][column] + c * squared;  // and again
      pose.place.matrix[row][column] = one + s * cross[row][column] + (1 - c) * squared;
      pose.velocity.matrix[row][column] = rate * first;
      pose.acceleration.matrix[row][column] = rate_of_rate * first + rate * rate * second;
    }
}

/// Formulas at sph::Movement.
template <int dimensions>
SHOAL_HD Pose<dimensions> pose_at(const MovementParameters& movement, double time) {
  Pose<dimensions> pose{};
  const double w = movement.angular_frequency;
  const double swing = std::sin(w * time), swing_rate = w * std::cos(w * time), swing_rate_of_rate = -w * w * swing;
  if (movement.kind == MovementKind::pitch)
    set_turn(movement, movement.angular * swing, movement.angular * swing_rate, movement.angular * swing_rate_of_rate,
             pose);
  else if (movement.kind == MovementKind::rotation)
    set_turn(movement, movement.angular * time, movement.angular, 0, pose);
  else
    for (int axis = 0; axis < dimensions; ++axis) pose.place.matrix[axis][axis] = 1;
  for (int axis = 0; axis < dimensions; ++axis) {
    pose.place.shift[axis] = movement.about[axis] + movement.velocity[axis] * time + movement.amplitude[axis] * swing;
    pose.velocity.shift[axis] = movement.velocity[axis] + movement.amplitude[axis] * swing_rate;
    pose.acceleration.shift[axis] = movement.amplitude[axis] * swing_rate_of_rate;
    for (int k = 0; k < dimensions; ++k) {
      pose.place.shift[axis] -= pose.place.matrix[axis][k] * movement.about[k];
      pose.velocity.shift[axis] -= pose.velocity.matrix[axis][k] * movement.about[k];
      pose.acceleration.shift[axis] -= pose.acceleration.matrix[axis][k] * movement.about[k];
    }
  }
  return pose;
}

/// The share of a beam's energy that falls into the step from `time` on.
template <class Real, int dimensions>
SHOAL_HD double beam_share(const BeamParameters<Real, dimensions>& beam, double time, double dt) {
  if (beam.length == 0) return beam.start >= time && beam.start < time + dt;
  const double begin = max(time, beam.start);
  const double end = min(time + dt, beam.start + beam.length);
  return positive_part(end - begin) / beam.length;
}

template <class Real, int dimensions>
SHOAL_HD void plan_step(const FullParameters<Real, dimensions>& full, Integrator integrator, double time, double dt,
                        StepPlan<dimensions>& plan) {
  const int stages = stages_of(integrator);
  for (int at = 0; at <= stages; ++at) {
    const double then = at == 0 ? time : time + dt * stage_time(integrator, at - 1);
    for (int k = 0; k < full.movements; ++k) plan.pose[at][k] = pose_at<dimensions>(full.movement[k], then);
  }
  for (int k = 0; k < full.beams; ++k) plan.beam_share[k] = beam_share(full.beam[k], time, dt);
}

}  // namespace shoal::sph
