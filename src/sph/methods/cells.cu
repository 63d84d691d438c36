// SPDX-License-Identifier: Apache-2.0
// cells: no list: cells are searched in every stage.
//
// idea           particles sorted by cell, neighbors found anew in every stage: rows of cells are contiguous
//                ranges
// source         contiguous rows as in DualSPHysics
// memory         none
// atomics        integer only: slots in a cell, and the step's largest values
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      memory is short, or a run is of a step or two
// loses when     always else: each stage tests three candidates for one neighbor in 2-D, five in 3-D
// differs        candidates are tested against the positions at the start of the step, as those of the other methods
#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

constinit const Method cells_cuda = cuda_method<CellSearch, true>({"cells", DeviceKind::cuda, true, "DualSPHysics"});

}  // namespace shoal::sph
