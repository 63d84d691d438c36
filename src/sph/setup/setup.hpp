// SPDX-License-Identifier: Apache-2.0
// From a case, or a snapshot of its run, to what a stepper starts from, and back.
#pragma once
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// Setup of a run. Collective: at the start each rank makes the particles of its slab only.
/// @param snapshot  null: the run starts anew; else all particles, or a part of them on each rank, which stay where they
///                  are
/// @param slabs     slabs of a new run on several ranks; empty: by the work for their particles
template <class Real, int dimensions>
Setup<Real, dimensions> make_setup(const Case& simulation, const Lattice& lattice, const Queue& queue,
                                   const Snapshot* snapshot, const Communicator& ranks = Communicator::alone(),
                                   const Slabs& slabs = {});

template <class Real, int dimensions>
Snapshot pack(const HostState<Real, dimensions>& state);

}  // namespace shoal::sph
