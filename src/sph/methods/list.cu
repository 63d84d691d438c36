// SPDX-License-Identifier: Apache-2.0
// list: the paper's method on CUDA.
//
// idea           the paper's way: a list of neighbors a step; a kernel for mass and momentum, one for energy, one for
// the update source         Massidda (THINS report) memory         4 bytes a neighbor, and the rates of every particle
// atomics        integer only: slots in a cell, and the step's largest values
// deterministic  yes: canonical order of particles, fixed order of a particle's sum
// wins when      to repeat the paper
// loses when     always else: the list and all neighbors are read twice where the case integrates energy
// differs        the list is rebuilt in every step; no cap: neighbors beyond the column are looked for in every stage
#include "sph/methods/cuda_stepper.cuh"
#include "sph/sph_methods.hpp"

namespace shoal::sph {

extern template std::unique_ptr<Stepper<float, 1>> make_cuda<ListSearch, false>(const Queue&, Setup<float, 1>&&);
extern template std::unique_ptr<Stepper<float, 2>> make_cuda<ListSearch, false>(const Queue&, Setup<float, 2>&&);
extern template std::unique_ptr<Stepper<float, 3>> make_cuda<ListSearch, false>(const Queue&, Setup<float, 3>&&);
extern template std::unique_ptr<Stepper<double, 1>> make_cuda<ListSearch, false>(const Queue&, Setup<double, 1>&&);
extern template std::unique_ptr<Stepper<double, 2>> make_cuda<ListSearch, false>(const Queue&, Setup<double, 2>&&);
extern template std::unique_ptr<Stepper<double, 3>> make_cuda<ListSearch, false>(const Queue&, Setup<double, 3>&&);

const Method list_cuda{{"list", DeviceKind::cuda, true, "Massidda (THINS)"},
                       {make_cuda<ListSearch, false, float, 1>, make_cuda<ListSearch, false, float, 2>,
                        make_cuda<ListSearch, false, float, 3>, make_cuda<ListSearch, false, double, 1>,
                        make_cuda<ListSearch, false, double, 2>, make_cuda<ListSearch, false, double, 3>}};

}  // namespace shoal::sph
