// SPDX-License-Identifier: Apache-2.0
#include "collision/fourier/fftw_transform.hpp"

#include <shoal/array.hpp>

#include <mutex>

#include "collision/fourier/planes.hpp"

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
  inverse_plane_ = F::inverse_plane(n, F::cast(spectrum.data()));
  inverse_columns_ = F::inverse_columns(n, columns_at_once, F::cast(spectrum.data()));
  to_half_ = F::to_spectrum(n, values.data(), F::cast(spectrum.data()));
  from_half_ = F::from_spectrum(n, F::cast(spectrum.data()), values.data());
}

template <class Real>
FftwTransform<Real>::~FftwTransform() {
  const std::lock_guard lock(planner);
  for (const auto plan : {inverse_plane_, inverse_columns_, to_half_, from_half_}) Fftw<Real>::destroy(plan);
}

template class FftwTransform<float>;
template class FftwTransform<double>;

}  // namespace shoal::collision
