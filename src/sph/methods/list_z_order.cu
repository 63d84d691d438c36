// SPDX-License-Identifier: Apache-2.0
// list_z_order: the paper's method on CUDA with the hash that the paper suggests.
//
// idea           as `list`, with cells along the Z-order curve: "it may be beneficial to use other functions"
// source         Massidda (THINS report), its outlook; Morton (1966) for the curve
// memory         as `list`, and up to twice the offsets of cells for each axis: its cells are no power of two
// atomics        integer only: slots in a cell, and the largest values of a step
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      never; the paper's suggestion is repeated
// loses when     the search dominates: nine (27) runs of candidates instead of three (nine)
// deviations     as `list`, but single cells as in the paper, not cut into slices
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method list_z_order_cuda = cuda_method<ListSearch<ZOrderCells>, false>(
    {"list_z_order", DeviceKind::cuda, true, "Massidda (THINS), Morton (1966)"});

}  // namespace shoal::sph
