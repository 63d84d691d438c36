// SPDX-License-Identifier: Apache-2.0
#include "collision/fourier/fftw_transform.hpp"

#include <shoal/array.hpp>

#include <mutex>

namespace shoal::collision {

namespace {

/// Guards FFTW's planner, which the whole program shares.
std::mutex planner;

}  // namespace

template <class Real>
FftwTransform<Real>::FftwTransform(int n) : n_(n) {
  using F = Fftw<Real>;
  Array<Real> values(Queue::cpu(1), static_cast<std::int64_t>(n) * n * n);
  Array<Complex> spectrum(Queue::cpu(1), values.count());
  const std::lock_guard lock(planner);
  inverse_ = F::complex_to_complex(n, F::cast(spectrum.data()), FFTW_BACKWARD);
  to_half_ = F::to_spectrum(n, values.data(), F::cast(spectrum.data()));
  from_half_ = F::from_spectrum(n, F::cast(spectrum.data()), values.data());
}

template <class Real>
FftwTransform<Real>::~FftwTransform() {
  const std::lock_guard lock(planner);
  for (const auto plan : {inverse_, to_half_, from_half_}) Fftw<Real>::destroy(plan);
}

template class FftwTransform<float>;
template class FftwTransform<double>;

}  // namespace shoal::collision
