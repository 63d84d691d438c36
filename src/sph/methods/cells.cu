// SPDX-License-Identifier: Apache-2.0
// cells: no list; cells are searched in every stage.
//
// idea           particles sorted by cell; the rows of cells around a particle are contiguous ranges of candidates
// source         contiguous rows as in DualSPHysics
// memory         none for neighbors
// atomics        integer only: slots in a cell, and the largest values of a step
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      memory is short, or a run has only a step or two
// loses when     in all other cases: each stage tests three candidates for a neighbor in 2-D, five in 3-D
// deviations     candidates are tested against the positions at the start of the step, as in the other methods
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method cells_cuda = cuda_method<CellSearch, true>({"cells", DeviceKind::cuda, true, "DualSPHysics"});

}  // namespace shoal::sph
