// SPDX-License-Identifier: Apache-2.0
// Damping zones of a case in the coordinates of its lattice.
#pragma once
#include "sph/physics/steps/damping_item.hpp"
#include "sph/setup/filling/lattice.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
DampingParameters<Real, dimensions> make_damping(const Case& simulation, const Lattice& lattice);

/// @throws Error  a zone is invalid: names the key of the case file
void check_damping(const Case& simulation);

}  // namespace shoal::sph
