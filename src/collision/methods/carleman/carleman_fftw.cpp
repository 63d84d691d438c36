// SPDX-License-Identifier: Apache-2.0
// fftw, carleman: one complex transform for each direction.
//
// idea           both factors of a direction are real: the real part of IFFT[f̂ (φ + i ψ)] is IFFT[f̂ φ], the imaginary
//                part IFFT[f̂ ψ]
// source         Mouhot and Pareschi (2006); Wu, White, Scanlon, Reese and Zhang (2013)
// memory         per node 2 (M + 1) values for φ and ψ, 2 for each thread, and 20 more; 7 for each thread of whole cells
// atomics        none
// deterministic  yes: directions in 16 work groups, added in order; threads take whole cells if there are enough
// wins when      molecules are hard spheres, or only their viscosity matters: no sum over radii
// loses when     molecules are others and their angular distribution matters: only the viscosity is right
// deviations     any direction set; two real factors packed into one transform
#include "collision/carleman/carleman_fourier.hpp"
#include "collision/fourier/fftw_transform.hpp"
#include "collision/methods/methods.hpp"

namespace shoal::collision {

namespace {

template <class Real>
using CarlemanFftw = CarlemanFourier<Real, FftwTransform<Real>>;

}  // namespace

const OperatorFactory carleman_fftw = operator_factory<CarlemanFftw>();

}  // namespace shoal::collision
