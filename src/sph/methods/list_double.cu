// SPDX-License-Identifier: Apache-2.0
// list for double: a file of its own so that the two compile side by side.
#include "sph/methods/cuda_stepper.cuh"

namespace shoal::sph {

template std::unique_ptr<Stepper<double, 1>> make_cuda<ListSearch, false>(const Queue&, Setup<double, 1>&&);
template std::unique_ptr<Stepper<double, 2>> make_cuda<ListSearch, false>(const Queue&, Setup<double, 2>&&);
template std::unique_ptr<Stepper<double, 3>> make_cuda<ListSearch, false>(const Queue&, Setup<double, 3>&&);

}  // namespace shoal::sph
