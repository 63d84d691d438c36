// SPDX-License-Identifier: Apache-2.0
// rows for float, 3-D: a file of its own so that the six compile side by side.
#include "sph/methods/cuda_stepper.cuh"

namespace shoal::sph {

template std::unique_ptr<Stepper<float, 3>> make_cuda<MaskSearch, true>(const Queue&, Setup<float, 3>&&);

}  // namespace shoal::sph
