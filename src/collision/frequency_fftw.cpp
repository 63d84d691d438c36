// SPDX-License-Identifier: Apache-2.0
#include "collision/frequency_fftw.hpp"

#include <algorithm>

namespace shoal {

FrequencyConvolution::FrequencyConvolution(const CollisionSetup& setup)
    : n_(setup.n()),
      wide_(2 * n_),
      transform_(wide_),
      values_(Queue::cpu(1), row(0, wide_)),
      spectrum_(Queue::cpu(1), transform_.half_count()) {
  std::vector<double> rate(static_cast<std::size_t>(setup.square_distances()));
  setup.rates_by_square_distance(rate.data());
  const auto square = [this](int k) {
    const int distance = std::min(k, wide_ - k);
    return distance * distance;
  };
  std::fill_n(values_.data(), values_.count(), 0.0);
  for (int z = 0; z < wide_; ++z)
    for (int y = 0; y < wide_; ++y)
      for (int x = 0; x < wide_; ++x)
        if (x != n_ && y != n_ && z != n_)  // as far apart no two nodes are
          values_.data()[row(y, z) + x] = rate[static_cast<std::size_t>(square(x) + square(y) + square(z))];
  transform_.to_spectrum(values_.data(), spectrum_.data());
  for (std::int64_t i = 0; i < spectrum_.count(); ++i)
    rates_.push_back(spectrum_.data()[i].real() / static_cast<double>(values_.count()));
}

template <class Real>
void FrequencyConvolution::run(const Real* f, std::int64_t cells, Real* frequency) {
  const std::int64_t rows = static_cast<std::int64_t>(n_) * n_;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    std::fill_n(values_.data(), values_.count(), 0.0);
    for (std::int64_t k = 0; k < rows; ++k)
      std::copy_n(f + (cell * rows + k) * n_, n_,
                  values_.data() + row(static_cast<int>(k % n_), static_cast<int>(k / n_)));
    transform_.to_spectrum(values_.data(), spectrum_.data());
    for (std::int64_t i = 0; i < spectrum_.count(); ++i) spectrum_.data()[i] *= rates_[static_cast<std::size_t>(i)];
    transform_.from_spectrum(spectrum_.data(), values_.data());
    for (std::int64_t k = 0; k < rows; ++k)
      std::transform(values_.data() + row(static_cast<int>(k % n_), static_cast<int>(k / n_)),
                     values_.data() + row(static_cast<int>(k % n_), static_cast<int>(k / n_)) + n_,
                     frequency + (cell * rows + k) * n_, [](double value) { return static_cast<Real>(value); });
  }
}

template void FrequencyConvolution::run(const float*, std::int64_t, float*);
template void FrequencyConvolution::run(const double*, std::int64_t, double*);

}  // namespace shoal
