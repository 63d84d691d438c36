// SPDX-License-Identifier: Apache-2.0
// list: the paper's method on CUDA.
//
// idea           a list of neighbors a step; one kernel for mass and momentum, one for energy, one for the update
// source         Massidda (THINS report)
// memory         4 bytes a neighbor, and the rates of every particle
// atomics        integer only: slots in a cell, and the largest values of a step
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      the paper is repeated
// loses when     in all other cases: list and neighbors are read twice where the case integrates energy
// deviations     the list is rebuilt in every step; no cap: neighbors beyond the column are searched in every stage
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method list_cuda = cuda_method<ListSearch, false>({"list", DeviceKind::cuda, true, "Massidda (THINS)"});

}  // namespace shoal::sph
