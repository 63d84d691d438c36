// SPDX-License-Identifier: Apache-2.0
// fused: a neighbor list, one kernel a stage.
//
// idea           a list of neighbors a step, one column a particle; mass, momentum, energy and the update of a stage in
// one kernel source         Massidda (THINS report), with its kernels put together memory         4 bytes a neighbor,
// room for half as many again as a lattice has atomics        integer only: slots in a cell, and the step's largest
// values deterministic  yes: canonical order of particles, fixed order of a particle's sum wins when      neighbors are
// many and cells hold more of them than a mask has bits loses when     memory counts: `rows` keeps as much in 12 bytes
// (2-D) differs        no cap: neighbors beyond the column are looked for in every stage
#include "sph/methods/cuda_stepper.cuh"
#include "sph/sph_methods.hpp"

namespace shoal::sph {

extern template std::unique_ptr<Stepper<float, 1>> make_cuda<ListSearch, true>(const Queue&, Setup<float, 1>&&);
extern template std::unique_ptr<Stepper<float, 2>> make_cuda<ListSearch, true>(const Queue&, Setup<float, 2>&&);
extern template std::unique_ptr<Stepper<float, 3>> make_cuda<ListSearch, true>(const Queue&, Setup<float, 3>&&);
extern template std::unique_ptr<Stepper<double, 1>> make_cuda<ListSearch, true>(const Queue&, Setup<double, 1>&&);
extern template std::unique_ptr<Stepper<double, 2>> make_cuda<ListSearch, true>(const Queue&, Setup<double, 2>&&);
extern template std::unique_ptr<Stepper<double, 3>> make_cuda<ListSearch, true>(const Queue&, Setup<double, 3>&&);

const Method fused_cuda{{"fused", DeviceKind::cuda, true, "Massidda (THINS)"},
                        {make_cuda<ListSearch, true, float, 1>, make_cuda<ListSearch, true, float, 2>,
                         make_cuda<ListSearch, true, float, 3>, make_cuda<ListSearch, true, double, 1>,
                         make_cuda<ListSearch, true, double, 2>, make_cuda<ListSearch, true, double, 3>}};

}  // namespace shoal::sph
