// SPDX-License-Identifier: Apache-2.0
// fused: a neighbor list, one kernel a stage.
//
// idea           a list of neighbors a step, one column a particle, made of bit masks over 32 candidates; one kernel sums
//                mass, momentum and energy and updates the particle
// source         Massidda (THINS report), with its kernels merged
// memory         4 bytes a neighbor, room for half as many again as on a lattice
// atomics        integer only: slots in a cell, and the largest values of a step
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      in 3-D with many particles or many neighbors: one list instead of nine masks
// loses when     memory counts: `rows` keeps the same in 12 bytes (2-D)
// deviations     no cap: neighbors beyond the column are searched in every stage
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method fused_cuda =
    cuda_method<ListSearch<LinearCells>, true>({"fused", DeviceKind::cuda, true, "Massidda (THINS)"});

}  // namespace shoal::sph
