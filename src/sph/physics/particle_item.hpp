// SPDX-License-Identifier: Apache-2.0
// What methods call: a particle, its pairs and its stages, in plain or full physics.
#pragma once
#include "sph/physics/full_stage_item.hpp"

namespace shoal::sph {

/// @name What a launch holds in registers
/// @{
template <class Physics, class Real, int dimensions>
using ParticleOf = std::conditional_t<Physics::full, FullParticle<Real, dimensions>, Particle<Real, dimensions>>;
template <class Physics, class Real, int dimensions>
using RatesOf = std::conditional_t<Physics::full, FullRates<Real, dimensions>, Rates<Real, dimensions>>;
template <class Physics, class Real, int dimensions>
using WallSumsOf = std::conditional_t<Physics::full, FullWallSums<Real, dimensions>, WallSums<Real, dimensions>>;
/// @}

template <class Physics, class Real, int dimensions>
SHOAL_HD ParticleOf<Physics, Real, dimensions> load(const StateView<Real, dimensions>& state, std::int64_t i) {
  if constexpr (Physics::full)
    return load_full(state, i);
  else
    return state.load(i);
}

/// Adds neighbor j, fluid or wall, to the sums of particle i.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_neighbor(const Parameters<Real, dimensions>& parameters,
                           const ParticleOf<Physics, Real, dimensions>& i,
                           const ParticleOf<Physics, Real, dimensions>& j, RatesOf<Physics, Real, dimensions>& rates) {
  if constexpr (Physics::full) {
    add_full_pair(parameters, i, j, rates);
  } else {
    if (parameters.walls == Walls::repulsive && is_wall(j.place))
      add_repulsion<Physics>(parameters, i, j, rates);
    else
      add_pair<Physics>(parameters, i, j, rates);
  }
}

/// Adds a fluid neighbor to the sums of a particle of an Adami wall.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_wall_neighbor(const Parameters<Real, dimensions>& parameters,
                                const ParticleOf<Physics, Real, dimensions>& wall,
                                const ParticleOf<Physics, Real, dimensions>& fluid,
                                WallSumsOf<Physics, Real, dimensions>& sums) {
  if constexpr (Physics::full)
    add_full_fluid(parameters, wall, fluid, sums);
  else
    add_fluid<Physics>(parameters, wall, fluid, sums);
}

/// Gives wall particle i its pressure. Others may read its place right now: what changes is written, and nothing else.
template <class Physics, class Real, int dimensions>
SHOAL_HD void set_wall_pressure(const Parameters<Real, dimensions>& parameters, int stage, std::int64_t id,
                                const StateView<Real, dimensions>& now, std::int64_t i,
                                const ParticleOf<Physics, Real, dimensions>& before,
                                const WallSumsOf<Physics, Real, dimensions>& sums) {
  Particle<Real, dimensions> wall;
  if constexpr (Physics::full) {
    const FullParticle<Real, dimensions> pressed = with_full_pressure(parameters, stage, id, before, sums);
    if (now.slip) now.slip[i] = pressed.seen;
    wall = pressed;
  } else {
    wall = with_pressure(parameters, before, sums);
  }
  now.place[i].density = wall.place.density;
  if constexpr (dimensions < 3)
    now.place[i].stress = wall.place.stress;
  else
    now.motion[i].stress = wall.motion.stress;
}

/// The states that a stage reads and writes.
template <class Real, int dimensions>
struct StageStates {
  StateView<Real, dimensions> base;
  StateView<Real, dimensions> now;
  StateView<Real, dimensions> next;
};

/// Whether a stage needs the rates of a particle that is within the domain.
template <class Real, int dimensions>
SHOAL_HD bool is_active(const Parameters<Real, dimensions>& parameters, const Place<Real, dimensions>& place) {
  return !is_wall(place) || parameters.walls == Walls::dynamic;
}

/// Particle i through one stage.
/// @param rates   sums over its neighbors, without the factors that finished() adds
/// @param active  false: a particle that left the domain, or of a wall that takes no part in sums
template <class Physics, class Real, int dimensions>
SHOAL_HD StageResult<Real, dimensions> pass_stage(const Parameters<Real, dimensions>& parameters, StageStep<Real> step,
                                                  const StageStates<Real, dimensions>& states, std::int64_t i,
                                                  std::int64_t id, bool inside, bool active,
                                                  const ParticleOf<Physics, Real, dimensions>& particle,
                                                  RatesOf<Physics, Real, dimensions> rates) {
  const Real energy = states.now.energy_of(i);
  const bool wall = is_wall(particle.place);
  const Earlier<Real, dimensions> earlier = states.base.earlier ? states.base.earlier[i] : Earlier<Real, dimensions>{};
  if constexpr (Physics::full) {
    const FullParticle<Real, dimensions> base = load_full(states.base, i);
    FullStageResult<Real, dimensions> result{};
    result.particle = particle;
    result.trait = particle.trait;
    result.energy = energy;
    result.earlier = earlier;
    result.in_range = true;
    if (inside && wall)
      result = full_advanced_wall(parameters, step, id, base, particle, earlier, rates);
    else if (active)
      result = full_advanced(parameters, step, base, states.base.energy_of(i), particle, energy, earlier,
                             with_gravity(parameters, rates));
    if (wall) result.energy = energy;
    states.next.store(i, result.particle);
    states.next.trait[i] = result.trait;
    if (states.next.earlier) states.next.earlier[i] = result.earlier;
    if (states.next.energy) states.next.energy[i] = result.energy;
    return result;
  } else {
    StageResult<Real, dimensions> result{};
    Earlier<Real, dimensions> kept = earlier;
    result.particle = particle;
    result.energy = energy;
    result.in_range = true;
    if (active) {
      const Rates<Real, dimensions> complete = finished(parameters, rates);
      const Particle<Real, dimensions> base = states.base.load(i);
      if (wall)
        result.particle = advanced_wall(parameters, step, base, particle, earlier, complete);
      else
        result = advanced(parameters, step, base, states.base.energy_of(i), particle, energy, earlier, complete);
      kept = earlier_of(base, states.base.energy_of(i));
    }
    states.next.store(i, result.particle);
    if (states.next.energy) states.next.energy[i] = result.energy;
    if (states.next.earlier) states.next.earlier[i] = kept;
    return result;
  }
}

}  // namespace shoal::sph
