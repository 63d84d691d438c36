// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/collision_method.hpp"

/// Operators of this folder: the entries of the method table.
namespace shoal::collision {

extern const OperatorFactory interpolated_serial;
extern const OperatorFactory interpolated_pairs;
extern const OperatorFactory interpolated_spheres;
extern const OperatorFactory conservative_serial;
extern const OperatorFactory conservative_pairs;
extern const OperatorFactory conservative_spheres;
extern const OperatorFactory spectral_serial;
extern const OperatorFactory carleman_serial;
extern const CrossFactory cross_serial;
#ifdef SHOAL_FFTW
extern const OperatorFactory spectral_fftw;
extern const OperatorFactory carleman_fftw;
extern const CrossFactory cross_fftw;
#endif
#ifdef SHOAL_KISSFFT
extern const OperatorFactory spectral_kissfft;
extern const OperatorFactory carleman_kissfft;
extern const CrossFactory cross_kissfft;
#endif
#ifdef SHOAL_CUDA
extern const OperatorFactory interpolated_spheres_cuda;
extern const OperatorFactory interpolated_lerp_cuda;
extern const OperatorFactory interpolated_texture_cuda;
extern const OperatorFactory conservative_spheres_cuda;
extern const OperatorFactory conservative_atomic_cuda;
#endif
#ifdef SHOAL_CUFFT
extern const OperatorFactory spectral_cufft_cuda;
extern const OperatorFactory carleman_cufft_cuda;
extern const CrossFactory cross_cufft_cuda;
#endif

}  // namespace shoal::collision
