// SPDX-License-Identifier: Apache-2.0
// Active absorption of a paddle in a step: the level at its gauge, and where it goes. Formulas at shoal::sph::AbsorptionState.
#pragma once
#include <shoal/sph/waves.hpp>

#include <cmath>

#include "sph/physics/physics.hpp"
#include "sph/physics/probe_item.hpp"
#include "sph/physics/steps/step_plan_item.hpp"

namespace shoal::sph {

/// Coefficients of the active absorption of a paddle.
struct AbsorptionParameters {
  int movement;              ///< moving wall that is the paddle
  double direction[3];       ///< unit vector, along which the paddle moves
  double gauge[3];           ///< m from the origin of the lattice, before the paddle moved
  double gain;               ///< G, 1/s
  double delay;              ///< τ, s
  double return_rate;        ///< r, 1/s
  motion::PathRange wanted;  ///< path of the wanted elevation, m, and, as its second value, of its derivative along x
  double spacing;            ///< m, between particles
};

/// Unit of the whole numbers in which the particles at a gauge are summed, m. The level of as many particles as an integer of
/// 64 bits counts is below 2^22 spacings.
SHOAL_HD double level_unit(const AbsorptionParameters& paddle) { return std::ldexp(paddle.spacing, -40); }

/// Probe of the water level beside a paddle, in the state between two steps.
/// @param pose  of the paddle without absorption
template <class Real, int dimensions>
SHOAL_HD ProbePoint<Real, dimensions> gauge_of(const AbsorptionParameters& paddle, const AbsorptionState& state,
                                               const motion::Pose<dimensions>& pose, double unit) {
  ProbePoint<Real, dimensions> gauge{ProbeKind::water_height, {}, static_cast<Real>(1 / (2 * paddle.spacing))};
  for (int axis = 0; axis < dimensions; ++axis) {
    const double x = pose.position.along(axis, paddle.gauge) + state.displacement * paddle.direction[axis];
    gauge.position.x[axis] = static_cast<Coordinate<Real>>(std::llround(x / unit));
  }
  return gauge;
}

/// Part of a particle of fluid in the level at a gauge, in level_unit(). Its volume is that at rest, so that the level does not
/// follow the sound in the water.
template <class Real, int dimensions>
SHOAL_HD std::int64_t level_part(const Parameters<Real, dimensions>& parameters, const AbsorptionParameters& paddle,
                                 const ProbePoint<Real, dimensions>& gauge, const StateView<Real, dimensions>& state,
                                 std::int64_t i) {
  const PositionDensity<Real, dimensions> position = state.position[i];
  if (is_wall(position) || is_outside(parameters, position)) return 0;
  double part = 0;
  height_terms(parameters, gauge, {position, {}}, Real(1), &part);
  if (part == 0) return 0;
  const double volume = static_cast<double>(mass_of(parameters, state.properties, i)) /
                        static_cast<double>(reference_density(parameters, state.properties, i));
  return std::llround(part * volume / level_unit(paddle));
}

/// State after a step from `time` on.
/// @param level  sum of level_part() at the start of the step
SHOAL_HD AbsorptionState state_after(const AbsorptionParameters& paddle, const PathKnot* knots,
                                     const AbsorptionState& now, std::int64_t level, double time, double dt) {
  const motion::PathState wanted = motion::path_at(knots, paddle.wanted, time);
  const double depth = level_unit(paddle) * static_cast<double>(level);
  const double elevation = wanted.value[0] + wanted.value[1] * now.displacement;
  const bool is_first = now.still_level == 0;
  const double excess = is_first ? 0 : depth - now.still_level - elevation;
  AbsorptionState next = now;
  if (is_first) next.still_level = depth - elevation;
  const double velocity = -(paddle.gain * excess + paddle.return_rate * now.displacement);
  next.acceleration = (velocity - now.velocity) * -std::expm1(-dt / paddle.delay) / dt;
  next.velocity = now.velocity + next.acceleration * dt;
  next.displacement = now.displacement + dt * (now.velocity + dt / 2 * next.acceleration);
  return next;
}

/// Adds absorption to the pose of a paddle.
/// @param state         at the start of the step
/// @param acceleration  during the step, m/s²
/// @param passed        s since the start of the step
template <int dimensions>
SHOAL_HD void add_absorption(const AbsorptionParameters& paddle, const AbsorptionState& state, double acceleration,
                             double passed, motion::Pose<dimensions>& pose) {
  const double way = state.displacement + passed * (state.velocity + passed / 2 * acceleration);
  const double velocity = state.velocity + passed * acceleration;
  for (int axis = 0; axis < dimensions; ++axis) {
    pose.position.shift[axis] += paddle.direction[axis] * way;
    pose.velocity.shift[axis] += paddle.direction[axis] * velocity;
    pose.acceleration.shift[axis] += paddle.direction[axis] * acceleration;
  }
}

/// Moves a paddle through a step: adds absorption to its poses at the start and after each stage.
/// @param level  sum of level_part()
/// @return  state after the step
template <int dimensions>
SHOAL_HD AbsorptionState move_paddle(const AbsorptionParameters& paddle, const PathKnot* knots, Integrator integrator,
                                     const AbsorptionState& now, std::int64_t level, double time, double dt,
                                     StepPlan<dimensions>& plan) {
  const AbsorptionState next = state_after(paddle, knots, now, level, time, dt);
  for (int state = 0; state <= stages_of(integrator); ++state) {
    const double passed = state == 0 ? 0 : dt * stage_time(integrator, state - 1);
    add_absorption(paddle, now, next.acceleration, passed, plan.pose[state][paddle.movement]);
  }
  return next;
}

}  // namespace shoal::sph
