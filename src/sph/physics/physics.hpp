// SPDX-License-Identifier: Apache-2.0
// The models that loops over pairs are compiled for, PlainPhysics, MovingWallPhysics and GeneralPhysics, and the choice between
// them.
// The physics is written once, in terms of what a model answers: the properties of a particle, the terms that the model
// may have, and which constant factors stand before a sum. docs/decisions/0007 has the reasons.
#pragma once
#include "sph/physics/general_physics.hpp"
#include "sph/physics/moving_wall_physics.hpp"
#include "sph/physics/plain_physics.hpp"

namespace shoal::sph {

/// @name Types of a model
/// @{
template <class Physics, class Real, int dimensions>
using ParticleOf = typename Physics::template ParticleType<Real, dimensions>;
template <class Physics, class Real, int dimensions>
using RatesOf = typename Physics::template RatesType<Real, dimensions>;
/// @}

template <class Physics, class Real, int dimensions>
SHOAL_HD ParticleOf<Physics, Real, dimensions> load(const StateView<Real, dimensions>& state, std::int64_t i) {
  return Physics::load(state, i);
}

/// ρ of a particle, kg/m³.
template <class Physics, class Real, int dimensions>
SHOAL_HD Real density_of(const Parameters<Real, dimensions>& parameters,
                         const ParticleOf<Physics, Real, dimensions>& i) {
  return Physics::equation_of_state(parameters, i).density + i.position.density;
}

/// Reference density of particle i.
/// @param properties  [n], or null in plain physics
template <class Real, int dimensions>
SHOAL_HD Real reference_density(const Parameters<Real, dimensions>& parameters, const Properties<Real>* properties,
                                std::int64_t i) {
  return properties ? GeneralPhysics::material(parameters, properties[i]).eos.density : parameters.eos.density;
}

/// Mass of particle i, likewise.
template <class Real, int dimensions>
SHOAL_HD Real mass_of(const Parameters<Real, dimensions>& parameters, const Properties<Real>* properties,
                      std::int64_t i) {
  return properties ? properties[i].mass : parameters.mass;
}

/// Index of the movement of a wall particle; −1: its wall is fixed. In models whose walls may move.
template <class Physics, class Real, int dimensions>
SHOAL_HD int movement_of(const StateView<Real, dimensions>& state, std::int64_t i) {
  if constexpr (Physics::may_move_walls)
    return state.properties[i].movement();
  else
    return -1;
}

/// Number of the material of particle i, likewise: plain physics has one.
template <class Real>
SHOAL_HD int material_of(const Properties<Real>* properties, std::int64_t i) {
  return properties ? properties[i].material() : 0;
}

/// Calls visit.operator()<Physics>() for the model of a run.
template <class Real, int dimensions, class Visit>
auto with_physics(const Parameters<Real, dimensions>& parameters, const Visit& visit) {
  if constexpr (dimensions > 1) {
    if (!parameters.tables && parameters.kernel == Kernel::wendland_c2)
      return visit.template operator()<PlainPhysics<Kernel::wendland_c2>>();
    if (parameters.tables && parameters.model.plain_pairs)
      return visit.template operator()<MovingWallPhysics<Kernel::wendland_c2>>();
    if (!parameters.tables) return visit.template operator()<PlainPhysics<Kernel::cubic_spline>>();
  }
  return visit.template operator()<GeneralPhysics>();
}

}  // namespace shoal::sph
