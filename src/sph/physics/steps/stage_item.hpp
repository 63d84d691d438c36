// SPDX-License-Identifier: Apache-2.0
// One stage of any integrator for one particle.
#pragma once
#include "sph/physics/boundaries/boundaries.hpp"
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/pairs/pair_item.hpp"
#include "sph/physics/steps/integrator_item.hpp"

namespace shoal::sph {

/// A particle after a stage.
template <class Physics, class Real, int dimensions>
struct StageResult {
  ParticleOf<Physics, Real, dimensions> particle;
  Real energy;                ///< J/kg
  Real pulse_energy;          ///< J/kg, of heat pulses in this step
  Real displacement_squared;  ///< m², since the start of the step; support² or more means that the run diverges
  Real speed_squared;         ///< |v|², m²/s²; in general physics ((c + |v|)/h)², 1/s²
  Real acceleration_squared;  ///< |a|², m²/s⁴; in general physics (|a|/h)², 1/s⁴
  bool in_range;              ///< the equation of state is valid for the particle
};

/// State at the start of the step, which verlet keeps for the next one.
template <class Real, int dimensions>
SHOAL_HD Previous<Real, dimensions> previous_of(const Particle<Real, dimensions>& base, Real energy) {
  Previous<Real, dimensions> previous{};
  for (int axis = 0; axis < dimensions; ++axis) previous.velocity[axis] = base.velocity.v[axis];
  previous.density = base.position.density;
  previous.energy = energy;
  return previous;
}

/// Sets the velocity after a stage, and the displacement along each axis since the start of the step.
template <class Physics, class Real, int dimensions>
SHOAL_HD void accelerate(const Parameters<Real, dimensions>& parameters, StageStep<Real> step,
                         const Particle<Real, dimensions>& base, const Particle<Real, dimensions>& now,
                         const Previous<Real, dimensions>& previous, const Rates<Real, dimensions>& rates,
                         StageResult<Physics, Real, dimensions>& result, Real* displacement) {
  result.speed_squared = 0;
  result.acceleration_squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    const Real so_far = static_cast<Real>(now.position.x[axis] - base.position.x[axis]) * parameters.unit;
    const Real velocity =
        step.blend(base.velocity.v[axis], previous.velocity[axis], now.velocity.v[axis], rates.acceleration[axis]);
    displacement[axis] =
        step.displacement(so_far, base.velocity.v[axis], now.velocity.v[axis], velocity, rates.acceleration[axis]);
    result.particle.velocity.v[axis] = velocity;
    result.speed_squared += velocity * velocity;
    result.acceleration_squared += rates.acceleration[axis] * rates.acceleration[axis];
  }
}

/// Sets the position after a stage.
template <class Physics, class Real, int dimensions>
SHOAL_HD void move(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>& base,
                   const Real* displacement, StageResult<Physics, Real, dimensions>& result) {
  result.displacement_squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) result.displacement_squared += displacement[axis] * displacement[axis];
  const bool is_stable = result.displacement_squared < parameters.support_squared;  // false for NaN
  for (int axis = 0; axis < dimensions; ++axis)
    result.particle.position.x[axis] =
        base.position.x[axis] +
        (is_stable ? 2 * round_to_integer(displacement[axis] * parameters.inverse_unit / 2) : 0);
}

/// Heating by all heat pulses at a position in this step, J/(kg s).
template <class Real, int dimensions>
SHOAL_HD Real pulse_heating(const Parameters<Real, dimensions>& parameters,
                            const PositionDensity<Real, dimensions>& position, Real dt) {
  const ModelTables<Real, dimensions>& tables = *parameters.tables;
  Real heating = 0;
  for (int k = 0; k < tables.heat_pulses; ++k) {
    const double fraction = tables.plan->pulse_fraction[k];
    if (fraction == 0) continue;
    Real squared = 0;
    for (int axis = 0; axis < dimensions; ++axis) {
      const Real x = static_cast<Real>(position.x[axis] - tables.heat_pulse[k].center[axis]) * parameters.unit;
      squared += x * x;
    }
    heating += static_cast<Real>(tables.heat_pulse[k].energy * fraction / dt) *
               std::exp(-squared * tables.heat_pulse[k].inverse_radius_squared);
  }
  return heating;
}

/// Adds the displacement by particle shifting, −A h |v| dt ∇C, at most a tenth of h: none at a free surface (Lind et al.
/// 2012; the measure of the surface and its ramp as in Skillen et al. 2013).
template <class Real, int dimensions>
SHOAL_HD void add_shift(const Parameters<Real, dimensions>& parameters, const GeneralParticle<Real, dimensions>& now,
                        const ShiftingRates<Real, dimensions>& rates, Real dt, Real* displacement) {
  const ModelTables<Real, dimensions>& tables = *parameters.tables;
  if (!(parameters.model.shifting > 0)) return;
  Real speed_squared = 0, gradient_squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    speed_squared += now.velocity.v[axis] * now.velocity.v[axis];
    gradient_squared += rates.concentration[axis] * rates.concentration[axis];
  }
  const Real h = now.properties.smoothing_length;
  const Real ramp = min(positive_part((rates.divergence - tables.surface) * tables.inverse_interior), Real(1));
  const Real factor = parameters.model.shifting * h * fast_sqrt(speed_squared) * dt * ramp;
  const Real length = factor * fast_sqrt(gradient_squared);
  const Real limited = length > h / 10 ? h / 10 / length : Real(1);
  for (int axis = 0; axis < dimensions; ++axis) displacement[axis] -= factor * limited * rates.concentration[axis];
}

/// Sets the pressure that belongs to a particle's density and energy, and its sound speed and smoothing length if it has
/// its own.
/// @return  true if the equation of state is valid there
template <class Physics, class Real, int dimensions>
SHOAL_HD bool set_state(const Parameters<Real, dimensions>& parameters, Real energy,
                        ParticleOf<Physics, Real, dimensions>& particle) {
  const EosParameters<Real>& eos = Physics::equation_of_state(parameters, particle);
  const Real deviation = particle.position.density;
  particle.set_pressure_over_density2(pressure_over_density2(eos, deviation, pressure(eos, deviation, energy)));
  if constexpr (!Physics::has_properties) {
    return in_range(eos, deviation, energy);
  } else {
    const ModelTables<Real, dimensions>& tables = *parameters.tables;
    const Real c_squared = sound_speed_squared(eos, deviation, energy);
    const bool is_valid = in_range(eos, deviation, energy) && c_squared >= 0;
    particle.properties.sound_speed = fast_sqrt(positive_part(c_squared));
    if (!parameters.model.variable_smoothing_length) return is_valid;
    const Real volume = particle.properties.mass / (eos.density + deviation);
    const Real length = dimensions == 1 ? volume : dimensions == 2 ? fast_sqrt(volume) : std::cbrt(volume);
    particle.properties.smoothing_length = min(tables.smoothing * length, tables.max_smoothing_length);
    return is_valid;
  }
}

/// Moves one fluid particle through a stage: velocity, position, density and energy, then pressure.
/// @param rates  complete, with gravity
template <class Physics, class Real, int dimensions>
SHOAL_HD StageResult<Physics, Real, dimensions> advanced(const Parameters<Real, dimensions>& parameters,
                                                         StageStep<Real> step,
                                                         const ParticleOf<Physics, Real, dimensions>& base,
                                                         Real base_energy,
                                                         const ParticleOf<Physics, Real, dimensions>& now,
                                                         Real now_energy, const Previous<Real, dimensions>& previous,
                                                         const RatesOf<Physics, Real, dimensions>& rates) {
  StageResult<Physics, Real, dimensions> result;
  result.particle = now;
  Real displacement[dimensions];
  accelerate(parameters, step, base, now, previous, rates, result, displacement);
  if constexpr (Physics::may_shift)
    if (step.is_last()) add_shift(parameters, now, rates, step.dt, displacement);
  move(parameters, base, displacement, result);
  if constexpr (Physics::may_be_periodic)
    if (step.is_last()) wrap(parameters, result.particle.position);

  result.particle.position.density =
      step.blend(base.position.density, previous.density, now.position.density, rates.density);
  if constexpr (Physics::may_have_heat_pulses) {
    const Real pulse = parameters.energy ? pulse_heating(parameters, now.position, step.dt) : Real(0);
    const bool leaps = step.integrator == Integrator::verlet;  // from the previous step, which had none of this heat
    result.energy = 0;
    if (parameters.energy)
      result.energy = step.blend(base_energy, previous.energy, now_energy, rates.heating + (leaps ? Real(0) : pulse)) +
                      (leaps ? step.dt * pulse : Real(0));
    result.pulse_energy = step.dt * pulse;
  } else {
    result.energy = parameters.energy ? step.blend(base_energy, previous.energy, now_energy, rates.heating) : Real(0);
    result.pulse_energy = 0;
  }

  result.in_range = set_state<Physics>(parameters, result.energy, result.particle);
  if constexpr (Physics::has_properties) {
    const Real inverse = 1 / result.particle.properties.smoothing_length;
    const Real rate = (result.particle.properties.sound_speed + fast_sqrt(result.speed_squared)) * inverse;
    result.speed_squared = rate * rate;
    result.acceleration_squared = result.acceleration_squared * inverse * inverse;
  }
  return result;
}

/// Moves a particle of a wall through a stage: it goes where its wall goes, and its density follows the fluid where the
/// treatment has it so.
/// @param movement              of the wall; −1: it is fixed
/// @param displacement_squared  set to that since the start of the step, m²; 0 for a wall at rest
/// @return  true if the equation of state is valid for it; plain physics does not check walls
template <class Physics, class Real, int dimensions>
SHOAL_HD bool advance_wall(const Parameters<Real, dimensions>& parameters, StageStep<Real> step, std::int64_t id,
                           int movement, const ParticleOf<Physics, Real, dimensions>& base,
                           const Previous<Real, dimensions>& previous, const RatesOf<Physics, Real, dimensions>& rates,
                           ParticleOf<Physics, Real, dimensions>& wall, Real& displacement_squared) {
  displacement_squared = 0;
  if constexpr (Physics::may_move_walls) {
    move_wall(parameters, step.stage, id, movement, wall);
    displacement_squared = Physics::separation(parameters, wall.position, base.position).squared;
  }
  if (Physics::may_move_walls && !evolves_density(parameters.walls)) return true;
  wall.position.density = step.blend(base.position.density, previous.density, wall.position.density, rates.density);
  const bool is_valid = set_state<Physics>(parameters, Real(0), wall);
  return !Physics::has_properties || is_valid;
}

}  // namespace shoal::sph
