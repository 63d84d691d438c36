// SPDX-License-Identifier: Apache-2.0
// fused for float: a file of its own so that the two compile side by side.
#include "sph/methods/cuda_stepper.cuh"

namespace shoal::sph {

template std::unique_ptr<Stepper<float, 1>> make_cuda<ListSearch, true>(const Queue&, Setup<float, 1>&&);
template std::unique_ptr<Stepper<float, 2>> make_cuda<ListSearch, true>(const Queue&, Setup<float, 2>&&);
template std::unique_ptr<Stepper<float, 3>> make_cuda<ListSearch, true>(const Queue&, Setup<float, 3>&&);

}  // namespace shoal::sph
