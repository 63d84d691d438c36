// SPDX-License-Identifier: Apache-2.0
// Vorticity of the particles of a state.
#pragma once
#include <array>
#include <vector>

#include "sph/ranks/particle_exchange.hpp"

namespace shoal::sph {

/// @throws Error  a case in 1-D
void require_dimensions_of_vorticity(const Case& simulation);

/// Vorticity of each particle, [n], 1/s: 0 for walls, and for particles outside the domain. In 2-D along z.
///
///     ω_i = ∇ × v by the corrected gradient over the fluid around (velocity_gradient())
///
/// Sums have the order of cells, then of ids: the same bits for any number of threads, and for any order of the state.
/// Cost: one sort of the particles, and one pass over the neighbors of each.
template <class Real, int dimensions>
std::vector<std::array<float, 3>> vorticity_of(const HostState<Real, dimensions>& state,
                                               const Parameters<Real, dimensions>& parameters, int threads,
                                               const Case& simulation);

/// The particles of this rank, then those of the others in the layers of cells beside its own. Collective.
/// Cost: memory for the particles of two layers of cells of each rank on all ranks.
template <class Real, int dimensions>
HostState<Real, dimensions> with_layers_of_other_ranks(const HostState<Real, dimensions>& state,
                                                       const Parameters<Real, dimensions>& parameters,
                                                       const Communicator& ranks,
                                                       const ArraysOf<Real, dimensions>& arrays);

}  // namespace shoal::sph
