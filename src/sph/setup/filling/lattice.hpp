// SPDX-License-Identifier: Apache-2.0
// Lattice of the positions and cells of a case.
#pragma once
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// Largest smoothing length that a particle can reach, m.
double most_smoothing_length(const Case& simulation);

/// Support of the kernel at the largest smoothing length, m.
double support(const Case& simulation);

/// Lattice of a case for coordinates of `coordinate_bits` (32 or 64) bits.
/// @throws Error  the domain is too large for them
Lattice make_lattice(const Case& simulation, int coordinate_bits);

/// Position along an axis of a coordinate in units of the lattice, m.
inline double meters(const Lattice& lattice, int axis, std::int64_t coordinate) {
  return lattice.origin[axis] + lattice.unit * static_cast<double>(coordinate);
}

/// Binary logarithm of the number of slices of a cell along x. In 3-D most candidates are beyond the support: a row of
/// three supports becomes one of 2 1/4. In 2-D more cells cost as much as that saves.
int slice_bits(const Lattice& lattice, int dimensions);

}  // namespace shoal::sph
