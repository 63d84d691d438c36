// SPDX-License-Identifier: Apache-2.0
// Rigid bodies of a case: mass, center of mass and inertia of the particles of their walls.
#pragma once
#include <shoal/sph/case.hpp>

#include <vector>

#include "sph/physics/bodies/rigid_body_item.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/filling/lattice.hpp"

namespace shoal::sph {

/// Parameters of the rigid bodies in the order of the case. The inertia is that of squares or cubes of the spacing around
/// the particles, which is exact for a box.
/// @throws Error  a wall without particles
std::vector<BodyParameters> make_rigid_bodies(const Case& simulation, const Filling& filling, const Lattice& lattice);

/// @throws Error  a rigid body is invalid: names the first by its case-file key
void check_rigid_bodies(const Case& simulation);

}  // namespace shoal::sph
