// SPDX-License-Identifier: Apache-2.0
// One stage of the third-order TVD Runge-Kutta scheme (Gottlieb and Shu 1998) for one particle.
#pragma once
#include "sph/eos_item.hpp"
#include "sph/pair_item.hpp"

namespace shoal::sph {

constexpr int most_stages = 3;

/// α of q ← q₀ + α (q + dt q̇ − q₀) for stage 0, 1, 2.
template <class Real>
SHOAL_HD Real stage_weight(int stage) {
  return stage == 0 ? Real(1) : stage == 1 ? Real(0.25) : Real(2) / Real(3);
}

/// What one stage makes of one particle.
template <class Real, int dimensions>
struct StageResult {
  Particle<Real, dimensions> particle;
  Real energy;
  Real moved_squared;  ///< m², since the start of the step; not below support² means a blow-up
  Real speed_squared;  ///< m²/s²
  Real pushed_squared;  ///< acceleration², m²/s⁴; in full physics (|a|/h)², 1/s⁴, and above it ((c + |v|)/h)², 1/s²
  bool in_range;        ///< the equation of state has an answer
};

/// The numbers of a stage that all particles share.
template <class Real>
struct StageStep {
  int stage;
  Real weight;
  Real dt;
};

/// Moves one fluid particle through a stage: positions by the velocity of the stage's state, then velocity, density and
/// energy by their rates, then pressure.
template <class Real, int dimensions>
SHOAL_HD StageResult<Real, dimensions> advanced(const Parameters<Real, dimensions>& parameters, StageStep<Real> step,
                                                const Particle<Real, dimensions>& base, Real base_energy,
                                                const Particle<Real, dimensions>& now, Real now_energy,
                                                const Rates<Real, dimensions>& rates) {
  StageResult<Real, dimensions> result;
  result.particle = now;
  result.moved_squared = 0;
  result.speed_squared = 0;
  result.pushed_squared = 0;
  const auto blend = [&](Real before, Real value, Real rate) {
    return before + step.weight * ((value - before) + step.dt * rate);
  };
  Real moved[dimensions];
  for (int axis = 0; axis < dimensions; ++axis) {
    const Real so_far = static_cast<Real>(now.place.x[axis] - base.place.x[axis]) * parameters.unit;
    moved[axis] = step.weight * (so_far + step.dt * now.motion.velocity[axis]);
    result.moved_squared += moved[axis] * moved[axis];
    const Real velocity = blend(base.motion.velocity[axis], now.motion.velocity[axis], rates.acceleration[axis]);
    result.particle.motion.velocity[axis] = velocity;
    result.speed_squared += velocity * velocity;
    result.pushed_squared += rates.acceleration[axis] * rates.acceleration[axis];
  }
  const bool calm = result.moved_squared < parameters.support_squared;  // false for NaN
  for (int axis = 0; axis < dimensions; ++axis)
    result.particle.place.x[axis] =
        base.place.x[axis] + (calm ? 2 * round_to_integer(moved[axis] * parameters.inverse_unit / 2) : 0);
  result.particle.place.density = blend(base.place.density, now.place.density, rates.density);
  result.energy = parameters.energy ? blend(base_energy, now_energy, rates.heating) : Real(0);
  result.particle.set_stress(stress_of(parameters.eos, result.particle.place.density,
                                       pressure(parameters.eos, result.particle.place.density, result.energy)));
  result.in_range = in_range(parameters.eos, result.particle.place.density, result.energy);
  return result;
}

/// The same for a particle of a dynamic wall (Crespo et al. 2007): its density follows the fluid, and it stays.
template <class Real, int dimensions>
SHOAL_HD Particle<Real, dimensions> advanced_wall(const Parameters<Real, dimensions>& parameters, StageStep<Real> step,
                                                  const Particle<Real, dimensions>& base,
                                                  const Particle<Real, dimensions>& now,
                                                  const Rates<Real, dimensions>& rates) {
  Particle<Real, dimensions> wall = now;
  const Real before = base.place.density;
  wall.place.density = before + step.weight * ((now.place.density - before) + step.dt * rates.density);
  wall.set_stress(stress_of(parameters.eos, wall.place.density, pressure(parameters.eos, wall.place.density, Real(0))));
  return wall;
}

}  // namespace shoal::sph
