// SPDX-License-Identifier: Apache-2.0
// Table of the boundary treatments. A treatment is a struct in boundaries/ with these members, and an entry in
// BoundaryTreatments:
//
//     has_own_force    add_force<Physics>(parameters, i, wall, rates) replaces the pair sums of a fluid particle i
//     evolves_density  the density of its particles follows the equation of continuity
//     sums_over_fluid  before each stage, add_fluid() sums over the fluid neighbors of its particles, and with_pressure()
//                      makes their pressure of these sums
//     has_pressure     its particles have a pressure that probes can show, and can hold fluid without slip
#pragma once
#include "sph/physics/alternatives.hpp"
#include "sph/physics/boundaries/adami.hpp"
#include "sph/physics/boundaries/dynamic.hpp"
#include "sph/physics/boundaries/repulsive.hpp"

namespace shoal::sph {

using BoundaryTreatments = Alternatives<Walls, RepulsiveWalls, DynamicWalls, AdamiWalls>;

/// @name Properties of a treatment, as in the table above
/// @{
SHOAL_HD constexpr bool has_own_force(Walls kind) {
  return BoundaryTreatments::visit(kind, [&]<class Treatment> { return Treatment::has_own_force; });
}
SHOAL_HD constexpr bool evolves_density(Walls kind) {
  return BoundaryTreatments::visit(kind, [&]<class Treatment> { return Treatment::evolves_density; });
}
SHOAL_HD constexpr bool sums_over_fluid(Walls kind) {
  return BoundaryTreatments::visit(kind, [&]<class Treatment> { return Treatment::sums_over_fluid; });
}
constexpr bool has_pressure(Walls kind) {
  return BoundaryTreatments::visit(kind, [&]<class Treatment> { return Treatment::has_pressure; });
}
/// @}

/// Calls visit.operator()<Treatment>() if the treatment sums over the fluid before each stage.
template <class Visit>
void with_summing_walls(Walls kind, const Visit& visit) {
  BoundaryTreatments::visit(kind, [&]<class Treatment> {
    if constexpr (Treatment::sums_over_fluid) visit.template operator()<Treatment>();
  });
}

/// Returns true if laminar viscosity takes mirrored velocities of walls.
template <class Real, int dimensions>
bool mirrors_velocity(const Parameters<Real, dimensions>& parameters) {
  return parameters.model.laminar && parameters.model.no_slip && sums_over_fluid(parameters.walls);
}

/// Adds the force of neighbor j if it is a wall particle with a force of its own.
/// @return  true if it is; else the sums of pairs count
template <class Physics, class Real, int dimensions>
SHOAL_HD bool add_own_force(const Parameters<Real, dimensions>& parameters,
                            const ParticleOf<Physics, Real, dimensions>& i,
                            const ParticleOf<Physics, Real, dimensions>& j, RatesOf<Physics, Real, dimensions>& rates) {
  return BoundaryTreatments::visit(parameters.walls, [&]<class Treatment> {
    if constexpr (Treatment::has_own_force) {
      if (!is_wall(j.position)) return false;
      Treatment::template add_force<Physics>(parameters, i, j, rates);
      return true;
    } else {
      return false;
    }
  });
}

}  // namespace shoal::sph
