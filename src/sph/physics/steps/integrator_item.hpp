// SPDX-License-Identifier: Apache-2.0
// Stages of the integrators: a value from its rate, and a displacement from velocities.
#pragma once
#include <shoal/sph/case.hpp>

#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal::sph {

/// Verlet: number of steps after which one is a forward step, so that odd and even steps do not drift apart.
constexpr int steps_between_forward_steps = 40;

SHOAL_HD int stages_of(Integrator integrator) {
  return integrator == Integrator::tvd_rk3 ? 3 : integrator == Integrator::symplectic ? 2 : 1;
}

/// Courant number dt (c + |v|)/h up to which the integrator is stable, found by experiment (docs/decisions/0015).
constexpr double stable_courant_number(Integrator integrator) {
  return integrator == Integrator::tvd_rk3 ? 1.5 : integrator == Integrator::symplectic ? 0.9 : 0.25;
}

/// One stage of a step:
///
///     tvd_rk3      q₀ + α (q − q₀ + dt q̇),   α = 1, 1/4, 2/3               (Gottlieb and Shu 1998)
///     symplectic   q₀ + ½ dt q̇, then q₀ + dt q̇                            (Monaghan 2005, the midpoint)
///     verlet       q₋₁ + 2 dt q̇, and every 40th step q₀ + dt q̇             (Verlet 1967, as in DualSPHysics)
///
/// q₋₁, q₀ and q are called previous, before and now: at the start of the previous step, of this step, and of this stage.
template <class Real>
struct StageStep {
  Integrator integrator;
  int stage;
  Real dt;
  bool from_previous;
  Real weight;

  /// @param number  of the step
  SHOAL_HD StageStep(Integrator integrator_, int stage_, Real dt_, std::int64_t number)
      : integrator(integrator_),
        stage(stage_),
        dt(dt_),
        from_previous(integrator_ == Integrator::verlet && number % steps_between_forward_steps != 0) {
    if (integrator == Integrator::tvd_rk3)
      weight = stage == 0 ? Real(1) : stage == 1 ? Real(0.25) : Real(2) / Real(3);
    else if (integrator == Integrator::symplectic)
      weight = stage == 0 ? Real(0.5) : Real(1);
    else
      weight = from_previous ? Real(2) : Real(1);
  }

  SHOAL_HD bool is_last() const { return stage + 1 == stages_of(integrator); }

  /// The value after the stage.
  SHOAL_HD Real blend(Real before, Real previous, Real now, Real rate) const {
    if (integrator == Integrator::tvd_rk3) return before + weight * ((now - before) + dt * rate);
    return (from_previous ? previous : before) + weight * dt * rate;
  }

  /// Displacement along an axis since the start of the step: by the velocities of the stages, which verlet and the last
  /// stage of symplectic complete to second order.
  /// @param so_far        displacement at the start of the stage
  /// @param before        velocity at the start of the step
  /// @param now           velocity at the start of the stage
  /// @param next          velocity after the stage
  /// @param acceleration  at the start of the stage
  SHOAL_HD Real displacement(Real so_far, Real before, Real now, Real next, Real acceleration) const {
    if (integrator == Integrator::tvd_rk3) return weight * (so_far + dt * now);
    if (integrator == Integrator::verlet) return dt * (now + dt / 2 * acceleration);
    const Real half = dt / 2 * before;
    return stage == 0 ? half : half + dt / 2 * next;
  }
};

}  // namespace shoal::sph
