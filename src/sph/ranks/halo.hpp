// SPDX-License-Identifier: Apache-2.0
// Arrays of a state that particles read of their neighbors: those of ghosts come from other ranks.
#pragma once
#include "sph/physics/state.hpp"

namespace shoal::sph {

/// Values of neighbors: all that a stage has set; the pressures of walls, which follow from the fluid of all ranks; the
/// viscosities of fluids, which follow from both.
enum class HaloValues { particles, wall_pressures, viscosities };

/// Calls visit(array) for the arrays that have these values. Arrays that a run does not have are null.
template <class Real, int dimensions, class Visit>
void for_each_halo_array(const StateView<Real, dimensions>& state, HaloValues values, const Visit& visit) {
  if (values == HaloValues::viscosities) return visit(state.viscosity);
  const bool only_pressures = values == HaloValues::wall_pressures;
  visit(state.position);
  if (!only_pressures || dimensions == 3) visit(state.velocity);  // in 3-D it has the pressure
  if (!only_pressures) visit(state.properties);
  if (only_pressures) visit(state.mirrored_velocity);
}

}  // namespace shoal::sph
