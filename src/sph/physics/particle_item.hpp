// SPDX-License-Identifier: Apache-2.0
// The functions that methods call: a neighbor's part in the sums of a particle, and a particle's stage.
#pragma once
#include "sph/physics/steps/stage_item.hpp"

namespace shoal::sph {

/// Adds neighbor j, fluid or wall, to the sums of particle i.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_neighbor(const Parameters<Real, dimensions>& parameters,
                           const ParticleOf<Physics, Real, dimensions>& i,
                           const ParticleOf<Physics, Real, dimensions>& j, RatesOf<Physics, Real, dimensions>& rates) {
  if (!add_own_force<Physics>(parameters, i, j, rates)) add_pair<Physics>(parameters, i, j, rates);
}

/// Writes the pressure of wall particle i. Other threads may read its position at the same time: only what changes is
/// written.
template <class Treatment, class Physics, class Real, int dimensions>
SHOAL_HD void set_wall_pressure(const Parameters<Real, dimensions>& parameters, int stage, std::int64_t id,
                                const StateView<Real, dimensions>& now, std::int64_t i,
                                const ParticleOf<Physics, Real, dimensions>& before,
                                const typename Treatment::template Sums<Physics, Real, dimensions>& sums) {
  const ParticleOf<Physics, Real, dimensions> wall =
      Treatment::template with_pressure<Physics>(parameters, stage, id, movement_of<Physics>(now, i), before, sums);
  if constexpr (Physics::has_properties)
    if (now.mirrored_velocity) now.mirrored_velocity[i] = wall.viscous_velocity;
  now.position[i].density = wall.position.density;
  if constexpr (dimensions < 3)
    now.position[i].pressure_over_density2 = wall.position.pressure_over_density2;
  else
    now.velocity[i].pressure_over_density2 = wall.velocity.pressure_over_density2;
}

/// States that a stage reads and writes.
template <class Real, int dimensions>
struct StageStates {
  StateView<Real, dimensions> base;  ///< state at the start of the step
  StateView<Real, dimensions> now;   ///< state at the start of the stage
  StateView<Real, dimensions> next;  ///< state after the stage
};

/// Returns true if a stage needs the rates of a particle that is within the domain.
template <class Real, int dimensions>
SHOAL_HD bool is_active(const Parameters<Real, dimensions>& parameters,
                        const PositionDensity<Real, dimensions>& position) {
  return !is_wall(position) || evolves_density(parameters.walls);
}

/// Moves particle i through one stage and writes it to states.next.
/// @param rates   sums over its neighbors, without the factors of complete()
/// @param active  false: a particle that left the domain, or of a wall that takes no part in sums
template <class Physics, class Real, int dimensions>
SHOAL_HD StageResult<Physics, Real, dimensions> pass_stage(const Parameters<Real, dimensions>& parameters,
                                                           StageStep<Real> step,
                                                           const StageStates<Real, dimensions>& states, std::int64_t i,
                                                           std::int64_t id, bool inside, bool active,
                                                           const ParticleOf<Physics, Real, dimensions>& particle,
                                                           const RatesOf<Physics, Real, dimensions>& rates) {
  const Real energy = states.now.energy_of(i);
  const bool wall = is_wall(particle.position);
  const Previous<Real, dimensions> previous =
      states.base.previous ? states.base.previous[i] : Previous<Real, dimensions>{};
  StageResult<Physics, Real, dimensions> result{};
  Previous<Real, dimensions> kept = previous;
  result.particle = particle;
  result.energy = energy;
  result.in_range = true;
  if (active || (Physics::may_move_walls && inside && wall)) {
    RatesOf<Physics, Real, dimensions> completed = complete<Physics>(parameters, rates);
    if constexpr (Physics::has_properties)
      if (const VectorOf<Real, dimensions>* const capillary = parameters.tables->capillary_acceleration)
        for (int axis = 0; axis < dimensions; ++axis) completed.acceleration[axis] += capillary[i].along[axis];
    const ParticleOf<Physics, Real, dimensions> base = load<Physics>(states.base, i);
    if (wall)
      result.in_range = advance_wall<Physics>(parameters, step, id, movement_of<Physics>(states.base, i), base,
                                              previous, completed, result.particle, result.displacement_squared);
    else
      result =
          advanced<Physics>(parameters, step, base, states.base.energy_of(i), particle, energy, previous, completed);
    if (Physics::may_move_walls && wall)
      kept.density = base.position.density;
    else if constexpr (Physics::may_have_heat_pulses)
      kept = previous_of<Real, dimensions>(base, states.base.energy_of(i) + result.pulse_energy);
    else
      kept = previous_of(base, states.base.energy_of(i));
  }
  states.next.store(i, result.particle);
  if constexpr (Physics::has_properties)
    states.next.properties[i] = result.particle.properties;
  else if constexpr (Physics::may_move_walls)
    if (wall || step.is_last()) states.next.properties[i] = states.base.properties[i];
  if (states.next.energy) states.next.energy[i] = result.energy;
  if (states.next.previous) states.next.previous[i] = kept;
  return result;
}

}  // namespace shoal::sph
