// SPDX-License-Identifier: Apache-2.0
// fftw, spectral: one complex transform for each radius and direction, one real transform for each radius.
//
// idea           with h = IFFT[(cos p + sin p) f̂] and p the phase of the shift, f(v + a) f(v − a) = (Re h)² − (Im h)²:
//                one transform for both shifted distributions. F does not depend on the direction, so the products are
//                summed over directions before the transform back
// source         Gamba, Haack, Hauck and Hu (2017); the packing is our own
// memory         per node 4 values for each thread, and 21 more; 10 for each thread of whole cells
// atomics        none
// deterministic  yes: radii in 16 work groups, added in order; threads take whole cells if there are enough
// wins when      f is smooth: errors fall faster than any power of the spacing
// loses when     f has jumps or must stay positive; carleman is faster where its kernels are accurate enough
// deviations     packed; published codes need two transforms and one back for each radius and direction
#include "collision/fourier/fftw_transform.hpp"
#include "collision/methods/methods.hpp"
#include "collision/mixture/cross_fourier.hpp"
#include "collision/spectral/spectral_fourier.hpp"

namespace shoal::collision {

namespace {

template <class Real>
using SpectralFftw = SpectralFourier<Real, FftwTransform<Real>>;

template <class Real>
using CrossFftw = CrossFourier<Real, FftwTransform<Real>>;

}  // namespace

const OperatorFactory spectral_fftw = operator_factory<SpectralFftw>();
const CrossFactory cross_fftw = cross_factory<CrossFftw>();

}  // namespace shoal::collision
