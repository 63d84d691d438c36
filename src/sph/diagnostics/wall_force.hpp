// SPDX-License-Identifier: Apache-2.0
// Force and moment of the fluid on a wall, and power of moving walls.
#pragma once
#include "sph/ranks/particle_exchange.hpp"
#include "sph/setup/parts/part_ids.hpp"

namespace shoal::sph {

/// A state that has the particles of a wall and the fluid around them, of all ranks, for wall_force() and wall_power().
/// Collective. Cost: memory for these particles on every rank.
template <class Real, int dimensions>
HostState<Real, dimensions> gather_near_wall(const HostState<Real, dimensions>& state,
                                             const Parameters<Real, dimensions>& parameters, const Communicator& ranks,
                                             const ArraysOf<Real, dimensions>& arrays, const IdRange& wall);

/// Momentum that pairs with the particles of a wall take from the fluid, N (2-D: N/m):
///
///     F = −Σ_i m Σ_j∈wall dv_i/dt,   by the pair items; the particles of Adami's walls have the pressure of this state
///
/// Cost: one pass over the particles; particles near the wall are tested against its particles cell by cell.
template <class Real, int dimensions>
Vector wall_force(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters, int threads,
                  const IdRange& wall);

/// Moment of that force about a point, N m (2-D: N m/m, along z):
///
///     M = Σ_j∈wall (x_j − about) × F_j,   F_j = −Σ_i m dv_i/dt of the pairs (i, j)
///
/// The force of a pair acts at its wall particle: the sum is then the moment on the rigid body that these particles are.
/// Forces along the line between two particles have the same moment about a point wherever they act on that line, so the
/// choice affects viscous forces only. Positions are those in the domain, also beside a periodic boundary.
/// @param about  m; axes beyond the dimensions do not count
template <class Real, int dimensions>
Vector wall_moment(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                   const Lattice& lattice, int threads, const IdRange& wall, const Vector& about);

/// Power of a moving wall on the fluid, W (2-D: W/m):
///
///     P = Σ_j∈wall v_j · Σ_i m dv_i/dt,   pairs as above
template <class Real, int dimensions>
double wall_power(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters, int threads,
                  const IdRange& wall);

}  // namespace shoal::sph
