// SPDX-License-Identifier: Apache-2.0
// One stage of any integrator for one particle in runs of plain physics.
#pragma once
#include "sph/physics/eos_item.hpp"
#include "sph/physics/integrator_item.hpp"
#include "sph/physics/pair_item.hpp"

namespace shoal::sph {

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

/// What verlet keeps of the start of a step for the next one.
template <class Real, int dimensions>
SHOAL_HD Earlier<Real, dimensions> earlier_of(const Particle<Real, dimensions>& base, Real energy) {
  Earlier<Real, dimensions> earlier{};
  for (int axis = 0; axis < dimensions; ++axis) earlier.velocity[axis] = base.motion.velocity[axis];
  earlier.density = base.place.density;
  earlier.energy = energy;
  return earlier;
}

/// The velocity after a stage, and the way along each axis from where the step began.
template <class Real, int dimensions>
SHOAL_HD void accelerate(const Parameters<Real, dimensions>& parameters, StageStep<Real> step,
                         const Particle<Real, dimensions>& base, const Particle<Real, dimensions>& now,
                         const Earlier<Real, dimensions>& earlier, const Rates<Real, dimensions>& rates,
                         StageResult<Real, dimensions>& result, Real* moved) {
  result.speed_squared = 0;
  result.pushed_squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    const Real so_far = static_cast<Real>(now.place.x[axis] - base.place.x[axis]) * parameters.unit;
    const Real velocity = step.blend(base.motion.velocity[axis], earlier.velocity[axis], now.motion.velocity[axis],
                                     rates.acceleration[axis]);
    moved[axis] =
        step.way(so_far, base.motion.velocity[axis], now.motion.velocity[axis], velocity, rates.acceleration[axis]);
    result.particle.motion.velocity[axis] = velocity;
    result.speed_squared += velocity * velocity;
    result.pushed_squared += rates.acceleration[axis] * rates.acceleration[axis];
  }
}

/// The place after a stage.
template <class Real, int dimensions>
SHOAL_HD void move(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>& base,
                   const Real* moved, StageResult<Real, dimensions>& result) {
  result.moved_squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) result.moved_squared += moved[axis] * moved[axis];
  const bool calm = result.moved_squared < parameters.support_squared;  // false for NaN
  for (int axis = 0; axis < dimensions; ++axis)
    result.particle.place.x[axis] =
        base.place.x[axis] + (calm ? 2 * round_to_integer(moved[axis] * parameters.inverse_unit / 2) : 0);
}

/// Moves one fluid particle through a stage: velocity, position, density and energy, then pressure.
template <class Real, int dimensions>
SHOAL_HD StageResult<Real, dimensions> advanced(const Parameters<Real, dimensions>& parameters, StageStep<Real> step,
                                                const Particle<Real, dimensions>& base, Real base_energy,
                                                const Particle<Real, dimensions>& now, Real now_energy,
                                                const Earlier<Real, dimensions>& earlier,
                                                const Rates<Real, dimensions>& rates) {
  StageResult<Real, dimensions> result;
  result.particle = now;
  Real moved[dimensions];
  accelerate(parameters, step, base, now, earlier, rates, result, moved);
  move(parameters, base, moved, result);
  result.particle.place.density = step.blend(base.place.density, earlier.density, now.place.density, rates.density);
  result.energy = parameters.energy ? step.blend(base_energy, earlier.energy, now_energy, rates.heating) : Real(0);
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
                                                  const Earlier<Real, dimensions>& earlier,
                                                  const Rates<Real, dimensions>& rates) {
  Particle<Real, dimensions> wall = now;
  wall.place.density = step.blend(base.place.density, earlier.density, now.place.density, rates.density);
  wall.set_stress(stress_of(parameters.eos, wall.place.density, pressure(parameters.eos, wall.place.density, Real(0))));
  return wall;
}

}  // namespace shoal::sph
