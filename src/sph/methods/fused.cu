// SPDX-License-Identifier: Apache-2.0
// fused: a neighbor list, one kernel a stage.
//
// idea           a list of neighbors a step, one column a particle, from the bits of 32 candidates at a time, which are
//                collected over nine rows of cells; mass, momentum, energy and the update of a stage in one kernel
// source         Massidda (THINS report), with its kernels put together
// memory         4 bytes a neighbor, room for half as many again as a lattice has
// atomics        integer only: slots in a cell, and the step's largest values
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      in 3-D from 200,000 particles on, and from 50,000 on with more than 120 neighbors: one list instead of
//                nine words
// loses when     memory counts: `rows` keeps as much in 12 bytes (2-D)
// differs        no cap: neighbors beyond the column are looked for in every stage
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method fused_cuda =
    cuda_method<ListSearch, true>({"fused", DeviceKind::cuda, true, "Massidda (THINS)"});

}  // namespace shoal::sph
