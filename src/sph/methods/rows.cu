// SPDX-License-Identifier: Apache-2.0
// rows: neighbors as bit masks over rows of cells.
//
// idea           particles sorted by cell: a row of cells is a contiguous range, and its neighbors are the bits of a mask.
//                The first stage builds the masks; later stages iterate over the set bits of all masks in one loop
// source         shoal; sort and reorder as in Massidda (THINS report), contiguous rows as in DualSPHysics
// memory         12 bytes a particle for the neighbors in 2-D, 72 in 3-D, whatever their number
// atomics        integer only: slots in a cell (ranked afterwards), and the largest values of a step
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      in 2-D, and in 3-D with few particles
// loses when     3-D with many particles (nine masks a stage), or rows of more than 32 (3-D: 64) candidates: the rest is
//                tested in every stage
// deviations     no stored list, no cap on neighbors; mass, momentum and energy in one kernel with the update
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method rows_cuda = cuda_method<MaskSearch, true>({"rows", DeviceKind::cuda, true, "shoal"});

}  // namespace shoal::sph
