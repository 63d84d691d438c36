// SPDX-License-Identifier: Apache-2.0
// Fields and balance of a state.
#pragma once
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// The particles within the domain in the order of their ids, in SI units.
template <class Real, int dimensions>
Fields fields_of(const HostState<Real, dimensions>& state, const Case& simulation, const Lattice& lattice);

/// Sums over the fluid within the domain, in double precision and in the order of the state.
template <class Real, int dimensions>
Balance balance_of(const HostState<Real, dimensions>& state, const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
