// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include "sph/parameters.hpp"

namespace shoal::sph {

/// The box that particles must stay in: the case's own, or the box around all bodies and walls with half its longest
/// side added all around.
Box domain_of(const Case& simulation);

/// The particles of the case's bodies, then those of its walls, at time 0. Ids count up from 0 in that order.
/// @throws Error  no particles, bodies that overlap each other or a wall, particles outside the domain
Snapshot fill(const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
