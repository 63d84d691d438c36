// SPDX-License-Identifier: Apache-2.0
// Parameters of a case for the physics.
#pragma once
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// Support of the kernel at the largest smoothing length, m.
double support(const Case& simulation);

/// Lattice of a case for coordinates of `coordinate_bits` (32 or 64) bits.
/// @throws Error  the domain is too large for them
Lattice make_lattice(const Case& simulation, int coordinate_bits);

template <class Real, int dimensions>
Parameters<Real, dimensions> make_parameters(const Case& simulation, const Lattice& lattice);

/// Tables of general physics, without the plan and the initial coordinates.
template <class Real, int dimensions>
ModelTables<Real, dimensions> make_tables(const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
