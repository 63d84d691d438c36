// SPDX-License-Identifier: Apache-2.0
// rows for double, 2-D: a file of its own so that the six compile side by side.
#include "sph/methods/cuda_stepper.cuh"

namespace shoal::sph {

template std::unique_ptr<Stepper<double, 2>> make_cuda<MaskSearch, true>(const Queue&, Setup<double, 2>&&);

}  // namespace shoal::sph
