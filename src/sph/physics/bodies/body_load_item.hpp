// SPDX-License-Identifier: Apache-2.0
// Force of the fluid on a particle of a rigid body, and its moment.
#pragma once
#include "sph/physics/bodies/rigid_body_item.hpp"
#include "sph/physics/particle_item.hpp"
#include "sph/physics/steps/moving_wall_item.hpp"

namespace shoal::sph {

/// Adds the opposite of what wall particle `wall` gives neighbor `fluid` to the force on the wall particle, N. Neighbors in
/// walls add nothing.
/// @param parameters  without gravity, which is no force between particles
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_body_force(const Parameters<Real, dimensions>& parameters,
                             const ParticleOf<Physics, Real, dimensions>& wall,
                             const ParticleOf<Physics, Real, dimensions>& fluid, Vector3& force) {
  if (is_wall(fluid.position)) return;
  RatesOf<Physics, Real, dimensions> rates;
  add_neighbor<Physics>(parameters, fluid, wall, rates);
  const Rates<Real, dimensions> completed = complete<Physics>(parameters, rates);
  const auto mass = static_cast<double>(Physics::mass(parameters, fluid));
  for (int axis = 0; axis < dimensions; ++axis) force[axis] -= mass * static_cast<double>(completed.acceleration[axis]);
}

/// Load of a body by a force on one of its particles.
/// @param state  of the body, where it is now
/// @param id     of the particle
template <class Real, int dimensions>
SHOAL_HD BodyLoad body_load(const BodyParameters& body, const BodyState& state,
                            const ModelTables<Real, dimensions>& tables, std::int64_t id, const Vector3& force) {
  Vector3 initial{};
  initial_position(tables, id, initial.component);
  return {force, cross(arm(body, state, initial), force)};
}

}  // namespace shoal::sph
