// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <complex>
#include <cstdint>

#include "collision/fourier/planes.hpp"
#include "collision/fourier/wave_numbers_item.hpp"
#include "core/memory/scratch.hpp"

namespace shoal::collision {

/// Scaled spectrum of a distribution, without wave numbers that have no sign.
/// @tparam Transform  FftwTransform<Real> or KissfftTransform<Real>
template <class Real, class Transform>
class FourierSpectrum {
 public:
  using Complex = std::complex<Real>;

  explicit FourierSpectrum(int n) : n_(n), transform_(n) {}

  const Transform& transform() const { return transform_; }

  /// Half spectrum f̂ of f.
  /// @param work  [n³] overwritten
  void half_spectrum(const Real* f, Real* work, Complex* half) const {
    std::copy_n(f, static_cast<std::int64_t>(n_) * n_ * n_, work);
    transform_.to_spectrum(work, half);
    const Real scale = Real(1) / static_cast<Real>(n_ * n_ * n_);
    for_each_of_half(
        [&](std::int64_t i, int x, int y, int z) { half[i] *= WaveNumbers{n_}.left_out(x, y, z) ? 0 : scale; });
  }

  /// Expands a half spectrum to the full one. It is Hermitian because f is real.
  void complete(const Complex* half, Complex* full) const {
    const auto opposite = [this](int k) { return k == 0 ? 0 : n_ - k; };
    for (int z = 0; z < n_; ++z)
      for (int y = 0; y < n_; ++y)
        for (int x = 0; x < n_; ++x)
          *full++ = x <= n_ / 2 ? half[half_index(x, y, z)]
                                : std::conj(half[half_index(opposite(x), opposite(y), opposite(z))]);
  }

  /// Calls visit(index, x, y, z) for each value of a half spectrum.
  template <class Visit>
  void for_each_of_half(Visit visit) const {
    std::int64_t i = 0;
    for (int z = 0; z < n_; ++z)
      for (int y = 0; y < n_; ++y)
        for (int x = 0; x <= n_ / 2; ++x) visit(i++, x, y, z);
  }

 private:
  std::int64_t half_index(int x, int y, int z) const {
    return (static_cast<std::int64_t>(z) * n_ + y) * (n_ / 2 + 1) + x;
  }

  int n_;
  Transform transform_;
};

}  // namespace shoal::collision
