// SPDX-License-Identifier: Apache-2.0
// Fields and balance of a state.
#pragma once
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// The particles within the domain in the order of their ids, in SI units.
template <class Real, int dimensions>
Fields fields_of(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                 const Case& simulation, const Lattice& lattice);

/// Exact sums over the fluid within the domain, of all ranks. Collective.
template <class Real, int dimensions>
Balance balance_of(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                   const Communicator& ranks, int threads, const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
