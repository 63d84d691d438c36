// SPDX-License-Identifier: Apache-2.0
// One stage of any integrator for one particle in runs of full physics.
#pragma once
#include "sph/physics/full_wall_item.hpp"
#include "sph/physics/stage_item.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
struct FullStageResult : StageResult<Real, dimensions> {
  Trait<Real> trait;
  Earlier<Real, dimensions> earlier;
};

/// Heat of all beams at a place in this step, J/(kg s).
template <class Real, int dimensions>
SHOAL_HD Real beam_heating(const Parameters<Real, dimensions>& parameters, const Place<Real, dimensions>& place,
                           Real dt) {
  const FullParameters<Real, dimensions>& full = *parameters.full;
  Real heating = 0;
  for (int k = 0; k < full.beams; ++k) {
    const double share = full.plan->beam_share[k];
    if (share == 0) continue;
    Real squared = 0;
    for (int axis = 0; axis < dimensions; ++axis) {
      const Real x = static_cast<Real>(place.x[axis] - full.beam[k].at[axis]) * parameters.unit;
      squared += x * x;
    }
    heating +=
        static_cast<Real>(full.beam[k].energy * share / dt) * std::exp(-squared * full.beam[k].inverse_radius_squared);
  }
  return heating;
}

/// −A h |v| dt ∇C, where the particle is not at a free surface, and at most a tenth of h (Lind et al. 2012; the
/// measure of the surface and its ramp as in Skillen et al. 2013).
template <class Real, int dimensions>
SHOAL_HD void add_shift(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& now,
                        const FullRates<Real, dimensions>& rates, Real dt, Real* moved) {
  const FullParameters<Real, dimensions>& full = *parameters.full;
  if (!(parameters.full_pair.shifting > 0)) return;
  Real speed_squared = 0, gradient_squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    speed_squared += now.motion.velocity[axis] * now.motion.velocity[axis];
    gradient_squared += rates.concentration[axis] * rates.concentration[axis];
  }
  const Real h = now.trait.smoothing_length;
  const Real inside = min(positive_part((rates.divergence - full.surface) * full.inverse_interior), Real(1));
  const Real wanted = parameters.full_pair.shifting * h * fast_sqrt(speed_squared) * dt * inside;
  const Real length = wanted * fast_sqrt(gradient_squared);
  const Real share = length > h / 10 ? h / 10 / length : Real(1);
  for (int axis = 0; axis < dimensions; ++axis) moved[axis] -= wanted * share * rates.concentration[axis];
}

/// Pressure, sound speed and smoothing length that belong to a particle's density and energy.
template <class Real, int dimensions>
SHOAL_HD void set_state(const Parameters<Real, dimensions>& parameters, FullStageResult<Real, dimensions>& result) {
  const FullParameters<Real, dimensions>& full = *parameters.full;
  const EosParameters<Real>& eos = material_of(parameters, result.trait).eos;
  const Real deviation = result.particle.place.density;
  result.particle.set_stress(stress_of(eos, deviation, pressure(eos, deviation, result.energy)));
  const Real c_squared = sound_speed_squared(eos, deviation, result.energy);
  result.in_range = in_range(eos, deviation, result.energy) && c_squared >= 0;
  result.trait.sound_speed = fast_sqrt(positive_part(c_squared));
  if (!parameters.full_pair.by_density) return;
  const Real volume = result.trait.mass / (eos.density + deviation);
  const Real length = dimensions == 1 ? volume : dimensions == 2 ? fast_sqrt(volume) : std::cbrt(volume);
  result.trait.smoothing_length = min(full.smoothing * length, full.most_smoothing_length);
}

/// Moves one fluid particle through a stage.
/// @param rates  complete, with gravity
template <class Real, int dimensions>
SHOAL_HD FullStageResult<Real, dimensions> full_advanced(const Parameters<Real, dimensions>& parameters,
                                                         StageStep<Real> step,
                                                         const FullParticle<Real, dimensions>& base, Real base_energy,
                                                         const FullParticle<Real, dimensions>& now, Real now_energy,
                                                         const Earlier<Real, dimensions>& earlier,
                                                         const FullRates<Real, dimensions>& rates) {
  FullStageResult<Real, dimensions> result;
  result.particle = now;
  result.trait = now.trait;
  Real moved[dimensions];
  accelerate(parameters, step, base, now, earlier, rates, result, moved);
  if (step.is_last()) add_shift(parameters, now, rates, step.dt, moved);
  move(parameters, base, moved, result);
  if (step.is_last()) wrap(parameters, result.particle.place);

  result.particle.place.density = step.blend(base.place.density, earlier.density, now.place.density, rates.density);
  const Real beam = parameters.energy ? beam_heating(parameters, now.place, step.dt) : Real(0);
  const bool leaps = step.integrator == Integrator::verlet;  // over the step before, which had none of this step's heat
  result.energy = 0;
  if (parameters.energy)
    result.energy = step.blend(base_energy, earlier.energy, now_energy, rates.heating + (leaps ? Real(0) : beam)) +
                    (leaps ? step.dt * beam : Real(0));
  result.earlier = earlier_of<Real, dimensions>(base, base_energy + step.dt * beam);

  set_state(parameters, result);
  const Real inverse = 1 / result.trait.smoothing_length;
  const Real rate = (result.trait.sound_speed + fast_sqrt(result.speed_squared)) * inverse;
  result.speed_squared = rate * rate;
  result.pushed_squared = result.pushed_squared * inverse * inverse;
  return result;
}

/// The same for a particle of a wall: it goes where its wall goes, and the density of a dynamic one follows the fluid.
template <class Real, int dimensions>
SHOAL_HD FullStageResult<Real, dimensions> full_advanced_wall(const Parameters<Real, dimensions>& parameters,
                                                              StageStep<Real> step, std::int64_t id,
                                                              const FullParticle<Real, dimensions>& base,
                                                              FullParticle<Real, dimensions> now,
                                                              const Earlier<Real, dimensions>& earlier,
                                                              const FullRates<Real, dimensions>& rates) {
  move_wall(parameters, step.stage, id, now);
  FullStageResult<Real, dimensions> result{};
  result.particle = now;
  result.trait = now.trait;
  result.in_range = true;
  result.earlier = earlier;
  result.earlier.density = base.place.density;
  if (parameters.walls != Walls::dynamic) return result;
  result.particle.place.density = step.blend(base.place.density, earlier.density, now.place.density, rates.density);
  set_state(parameters, result);
  return result;
}

}  // namespace shoal::sph
