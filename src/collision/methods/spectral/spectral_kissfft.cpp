// SPDX-License-Identifier: Apache-2.0
// kissfft, spectral: one complex transform for each radius and direction, one real transform for each radius.
//
// idea           that of fftw, with transforms line by line along each axis
// source         Gamba, Haack, Hauck and Hu (2017); the packing is our own
// memory         that of fftw
// atomics        none
// deterministic  yes, as fftw
// wins when      there is no FFTW, or its license, the GPL, does not suit: kissfft has the BSD license
// loses when     there is FFTW, whose transforms use vector instructions
// deviations     real transforms pack two rows into one complex row
#include "collision/fourier/kissfft_transform.hpp"
#include "collision/methods/methods.hpp"
#include "collision/mixture/cross_fourier.hpp"
#include "collision/spectral/spectral_fourier.hpp"

namespace shoal::collision {

namespace {

template <class Real>
using SpectralKissfft = SpectralFourier<Real, KissfftTransform<Real>>;

template <class Real>
using CrossKissfft = CrossFourier<Real, KissfftTransform<Real>>;

}  // namespace

const OperatorFactory spectral_kissfft = operator_factory<SpectralKissfft>();
const CrossFactory cross_kissfft = cross_factory<CrossKissfft>();

}  // namespace shoal::collision
