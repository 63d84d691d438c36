// SPDX-License-Identifier: Apache-2.0
// list: the paper's method on CUDA.
//
// idea           the paper's way: a list of neighbors a step; a kernel for mass and momentum, one for energy, one for
//                the update
// source         Massidda (THINS report)
// memory         4 bytes a neighbor, and the rates of every particle
// atomics        integer only: slots in a cell, and the step's largest values
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      to repeat the paper
// loses when     always else: the list and all neighbors are read twice where the case integrates energy
// differs        the list is rebuilt in every step; no cap: neighbors beyond the column are looked for in every stage
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method list_cuda = cuda_method<ListSearch, false>({"list", DeviceKind::cuda, true, "Massidda (THINS)"});

}  // namespace shoal::sph
