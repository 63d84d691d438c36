// SPDX-License-Identifier: Apache-2.0
// Fields and balance of a state.
#pragma once
#include <array>
#include <vector>

#include "sph/setup/parts/part_ids.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// The particles within the domain in the order of their ids, in SI units.
/// @param part_ids  ids of the bodies and walls of the case
/// @param threads   number of CPU threads; the fields do not depend on it
/// @param vorticity  of each particle of the state; empty: none
template <class Real, int dimensions>
Fields fields_of(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters, int threads,
                 const Case& simulation, const Lattice& lattice, const PartIds& part_ids,
                 const std::vector<std::array<float, 3>>& vorticity);

/// Mass of the fluid with that outside the domain, kg. Collective.
template <class Real, int dimensions>
double fluid_mass(const HostState<Real, dimensions>& state, const Case& simulation, const Communicator& ranks,
                  int threads);

/// Exact sums over the fluid within the domain, of all ranks: the same bits for any number of threads. Collective.
template <class Real, int dimensions>
Balance balance_of(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                   const Communicator& ranks, int threads, const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
