// SPDX-License-Identifier: Apache-2.0
// What people ask of a state.
#pragma once
#include <shoal/sph.hpp>

#include "sph/parameters.hpp"

namespace shoal::sph {

/// The particles within the domain in the order of their ids, in SI units.
Fields fields_of(const Snapshot& snapshot, const Case& simulation, const Lattice& lattice);

/// Sums over the fluid within the domain, in double precision and in the order of the snapshot.
Ledger ledger_of(const Snapshot& snapshot, const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
