// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <complex>
#include <numbers>
#include <vector>

#include "collision/fourier/wave_numbers_item.hpp"

namespace shoal::collision {

/// Fourier transforms of n³ values by their definition, axis by axis, for the serial methods.
class PlainTransform {
 public:
  using Values = std::vector<std::complex<double>>;

  explicit PlainTransform(int n) : n_(n), root_(static_cast<std::size_t>(n)) {
    for (int k = 0; k < n; ++k) root_[static_cast<std::size_t>(k)] = std::polar(1.0, 2 * std::numbers::pi * k / n);
  }

  /// Scaled spectrum f̂, without wave numbers that have no sign.
  Values forward(const Values& f) const {
    Values spectrum = transformed(f, -1);
    const WaveNumbers waves{n_};
    for (std::size_t i = 0; i < spectrum.size(); ++i) {
      const int k = static_cast<int>(i);
      spectrum[i] *= waves.left_out(k % n_, k / n_ % n_, k / n_ / n_) ? 0 : 1.0 / (n_ * n_ * n_);
    }
    return spectrum;
  }
  Values inverse(const Values& spectrum) const { return transformed(spectrum, 1); }

 private:
  Values transformed(Values values, int sign) const {
    const int strides[] = {1, n_, n_ * n_};
    for (const int stride : strides) {
      Values next(values.size());
      for (int i = 0; i < n_ * n_ * n_; ++i) {
        const int k = i / stride % n_, start = i - k * stride;
        for (int x = 0; x < n_; ++x) {
          const int turn = ((sign * k * x) % n_ + n_) % n_;
          next[static_cast<std::size_t>(i)] +=
              values[static_cast<std::size_t>(start + x * stride)] * root_[static_cast<std::size_t>(turn)];
        }
      }
      values = std::move(next);
    }
    return values;
  }

  int n_;
  Values root_;
};

}  // namespace shoal::collision
