// SPDX-License-Identifier: Apache-2.0
// From a case, or a snapshot of its run, to what a stepper starts from, and back.
#pragma once
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// @param snapshot  null: the run starts anew
template <class Real, int dimensions>
Setup<Real, dimensions> make_setup(const Case& simulation, const Lattice& lattice, const Queue& queue,
                                   const Snapshot* snapshot);

template <class Real, int dimensions>
Snapshot pack(const HostState<Real, dimensions>& state);

}  // namespace shoal::sph
