// SPDX-License-Identifier: Apache-2.0
// kissfft, carleman: one complex transform for each direction.
//
// idea           that of fftw, with transforms line by line along each axis
// source         Mouhot and Pareschi (2006); Wu, White, Scanlon, Reese and Zhang (2013)
// memory         that of fftw
// atomics        none
// deterministic  yes, as fftw
// wins when      there is no FFTW, or its license, the GPL, does not suit: kissfft has the BSD license
// loses when     there is FFTW, whose transforms use vector instructions
// deviations     real transforms pack two rows into one complex row
#include "collision/carleman/carleman_fourier.hpp"
#include "collision/fourier/kissfft_transform.hpp"
#include "collision/methods/methods.hpp"

namespace shoal::collision {

namespace {

template <class Real>
using CarlemanKissfft = CarlemanFourier<Real, KissfftTransform<Real>>;

}  // namespace

const OperatorFactory carleman_kissfft = operator_factory<CarlemanKissfft>();

}  // namespace shoal::collision
