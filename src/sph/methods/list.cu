// SPDX-License-Identifier: Apache-2.0
// list: the paper's method on CUDA.
//
// idea           a list of neighbors a step; one kernel for mass and momentum, one for energy, one for the update
// source         Massidda (THINS report)
// memory         4 bytes a neighbor, and the rates of every particle
// atomics        integer only: slots in a cell, and the largest values of a step
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      the paper is repeated; loses when: always else, list and neighbors are read twice with energy
// deviations     counting sort with atomics, counted by the update, instead of CUDPP's radix sort; offsets by a scan, not
//                by comparing with the previous particle; rows of cells, in 3-D cut into slices; no cap: neighbors beyond
//                a column are tested in every stage; the energy kernel sums the whole pair, not from the divergence of
//                the first; a kernel for Adami walls; blocks of 128, not 256; a CUDA graph a step; fixed-point positions
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method list_cuda =
    cuda_method<ListSearch<LinearCells>, false>({"list", DeviceKind::cuda, true, "Massidda (THINS)"});

}  // namespace shoal::sph
