// SPDX-License-Identifier: Apache-2.0
// rows: particles sorted by cell, neighbors as bit masks over rows of cells, everything in a replayed graph.
//
// idea           with particles in the order of their cells, a row of cells is one contiguous range; which of its
//                particles are neighbors fits into one word. Stage 0 finds the words, all stages walk their bits, those
//                of all rows in one go
// source         shoal; sort and reorder as in Massidda (THINS report), contiguous rows as in DualSPHysics
// memory         12 bytes a particle for the neighbors in 2-D, 72 in 3-D, whatever their number
// atomics        integer only: slots in a cell (ranked afterwards), and the step's largest values
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      in 2-D, and in 3-D below 200,000 particles
// loses when     there are many particles in 3-D: nine words a particle and stage, where a list is read in order; or a
//                row of cells holds many more than 32 (3-D: 64) particles: the rest is tested in every stage
// differs        no stored list and no cap on neighbors; mass, momentum and energy in one kernel with the update
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method rows_cuda = cuda_method<MaskSearch, true>({"rows", DeviceKind::cuda, true, "shoal"});

}  // namespace shoal::sph
