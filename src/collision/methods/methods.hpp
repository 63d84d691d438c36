// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/collision_method.hpp"

/// What the files of this folder define.
namespace shoal {

extern const OperatorMakers interpolated_serial;
extern const OperatorMakers interpolated_pairs;
extern const OperatorMakers interpolated_spheres;
extern const OperatorMakers conservative_serial;
extern const OperatorMakers conservative_pairs;
extern const OperatorMakers conservative_spheres;
extern const OperatorMakers spectral_serial;
extern const OperatorMakers carleman_serial;
#ifdef SHOAL_FFTW
extern const OperatorMakers spectral_fftw;
extern const OperatorMakers carleman_fftw;
#endif
#ifdef SHOAL_CUDA
extern const OperatorMakers interpolated_spheres_cuda;
extern const OperatorMakers interpolated_lerp_cuda;
extern const OperatorMakers interpolated_texture_cuda;
extern const OperatorMakers conservative_spheres_cuda;
extern const OperatorMakers conservative_atomic_cuda;
#endif
#ifdef SHOAL_CUFFT
extern const OperatorMakers spectral_cufft_cuda;
extern const OperatorMakers carleman_cufft_cuda;
#endif

}  // namespace shoal
