// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include "sph/case_parts.hpp"
#include "sph/parameters.hpp"

namespace shoal::sph {

/// The particles of the case's bodies, then those of its walls, at time 0. Ids count up from 0 in that order.
/// @param queue  for what can be asked on a device: what is inside closed surfaces
/// @throws Error  no particles, bodies that overlap each other or a wall, particles outside the domain
Snapshot fill(const Case& simulation, const Lattice& lattice, const Queue& queue = Queue::cpu());

}  // namespace shoal::sph
