// SPDX-License-Identifier: Apache-2.0
// Poses of moving walls and energy of heat pulses in the stages of one step.
#pragma once
#include "core/motion_item.hpp"
#include "sph/physics/parameters.hpp"
#include "sph/physics/steps/integrator_item.hpp"

namespace shoal::sph {

/// Quantities that are known before a step: walls at its start and after each of its stages, and the part of each heat
/// pulse's energy that falls into the step.
template <int dimensions>
struct StepPlan {
  motion::Pose<dimensions> pose[4][max_movements];
  double pulse_fraction[max_heat_pulses];
};

/// Time after a stage, as a fraction of the step.
SHOAL_HD double stage_time(Integrator integrator, int stage) {
  if (integrator == Integrator::tvd_rk3) return stage == 1 ? 0.5 : 1;
  return integrator == Integrator::symplectic && stage == 0 ? 0.5 : 1;
}

/// Fraction of a heat pulse's energy that falls into the step from `time` on.
template <class Real, int dimensions>
SHOAL_HD double pulse_fraction(const HeatPulseParameters<Real, dimensions>& pulse, double time, double dt) {
  if (pulse.length == 0) return pulse.start >= time && pulse.start < time + dt;
  const double begin = max(time, pulse.start);
  const double end = min(time + dt, pulse.start + pulse.length);
  return positive_part(end - begin) / pulse.length;
}

/// Pose of moving wall k at a time. Rigid bodies have no motion: methods set their poses from stage to stage.
template <class Real, int dimensions>
SHOAL_HD motion::Pose<dimensions> pose_of_wall(const ModelTables<Real, dimensions>& tables, int k, double time) {
  const MovementParameters movement = tables.movement[k];
  if (movement.count == 0) return {};
  auto pose = motion::pose_at<dimensions>(tables.motion[movement.first], time, tables.knots);
  for (int next = 1; next < movement.count; ++next)
    pose =
        motion::composed(motion::pose_at<dimensions>(tables.motion[movement.first + next], time, tables.knots), pose);
  return pose;
}

template <class Real, int dimensions>
SHOAL_HD void plan_step(const ModelTables<Real, dimensions>& tables, Integrator integrator, double time, double dt,
                        StepPlan<dimensions>& plan) {
  const int stages = stages_of(integrator);
  for (int state = 0; state <= stages; ++state) {
    const double then = state == 0 ? time : time + dt * stage_time(integrator, state - 1);
    for (int k = 0; k < tables.movements; ++k) plan.pose[state][k] = pose_of_wall(tables, k, then);
  }
  for (int k = 0; k < tables.heat_pulses; ++k) plan.pulse_fraction[k] = pulse_fraction(tables.heat_pulse[k], time, dt);
}

}  // namespace shoal::sph
