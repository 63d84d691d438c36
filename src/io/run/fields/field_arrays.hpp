// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <vector>

namespace shoal::io {

/// Calls `visit(name, values, columns)` for each array that changes from state to state.
template <class Visit>
void for_each_changing_array(const sph::Fields& fields, bool with_energy, Visit visit) {
  visit("velocity", fields.velocity, 3);
  visit("pressure", fields.pressure, 1);
  visit("density", fields.density, 1);
  if (with_energy) visit("energy", fields.energy, 1);
}

/// Calls `visit(name, values, columns)` for each array that is constant while no particle leaves.
template <class Visit>
void for_each_fixed_array(const sph::Fields& fields, Visit visit) {
  visit("id", fields.id, 1);
  visit("material", fields.material, 1);
  visit("wall", fields.wall, 1);
}

}  // namespace shoal::io
