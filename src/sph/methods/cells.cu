// SPDX-License-Identifier: Apache-2.0
// cells: no list: cells are searched in every stage.
//
// idea           particles sorted by cell, neighbors found anew in every stage: rows of three cells are contiguous
// ranges source         contiguous rows as in DualSPHysics memory         none atomics        integer only: slots in a
// cell, and the step's largest values deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      memory is short, or a run is of a step or two
// loses when     always else: each stage tests three candidates for one neighbor
// differs        candidates are tested against the positions at the start of the step, as those of the other methods
#include "sph/methods/cuda_stepper.cuh"
#include "sph/sph_methods.hpp"

namespace shoal::sph {

extern template std::unique_ptr<Stepper<float, 1>> make_cuda<CellSearch, true>(const Queue&, Setup<float, 1>&&);
extern template std::unique_ptr<Stepper<float, 2>> make_cuda<CellSearch, true>(const Queue&, Setup<float, 2>&&);
extern template std::unique_ptr<Stepper<float, 3>> make_cuda<CellSearch, true>(const Queue&, Setup<float, 3>&&);
extern template std::unique_ptr<Stepper<double, 1>> make_cuda<CellSearch, true>(const Queue&, Setup<double, 1>&&);
extern template std::unique_ptr<Stepper<double, 2>> make_cuda<CellSearch, true>(const Queue&, Setup<double, 2>&&);
extern template std::unique_ptr<Stepper<double, 3>> make_cuda<CellSearch, true>(const Queue&, Setup<double, 3>&&);

const Method cells_cuda{{"cells", DeviceKind::cuda, true, "DualSPHysics"},
                        {make_cuda<CellSearch, true, float, 1>, make_cuda<CellSearch, true, float, 2>,
                         make_cuda<CellSearch, true, float, 3>, make_cuda<CellSearch, true, double, 1>,
                         make_cuda<CellSearch, true, double, 2>, make_cuda<CellSearch, true, double, 3>}};

}  // namespace shoal::sph
