// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include "sph/physics/parameters.hpp"
#include "sph/setup/case_parts.hpp"

namespace shoal::sph {

/// Particles with ids from `first` on, up to the next group's: those of one body or wall.
struct ParticleGroup {
  std::int64_t first;
  double mass;  ///< kg, of each
  int material;
  int movement;  ///< index among the moving walls; −1: fixed
};

/// Particles of the case's bodies, then those of its walls, as drawn: a moving wall may start displaced. Ids count up
/// from 0 in that order.
/// @param queue  for what can be asked on a device: what is inside closed surfaces
/// @throws Error  no particles, bodies that overlap each other or a wall, particles outside the domain
Snapshot fill(const Case& simulation, const Lattice& lattice, const Queue& queue = Queue::cpu());

struct Filling {
  Snapshot snapshot;
  std::vector<ParticleGroup> groups;
};

/// The same, with what particles of a body or wall have in common.
Filling fill_groups(const Case& simulation, const Lattice& lattice, const Queue& queue);

}  // namespace shoal::sph
