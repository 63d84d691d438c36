// SPDX-License-Identifier: Apache-2.0
#include "collision/carleman/carleman_tables.hpp"

#include <cstdint>

#include "collision/carleman/carleman_item.hpp"

namespace shoal::collision {

namespace {

/// Table of φ with Lagrange interpolation through 12 values. The spectrum of φ is band-limited by the reach R, so that
/// values 1/10 of 1/R apart interpolate it to rounding.
class AlongTable {
 public:
  /// @param largest  largest |ξ|
  AlongTable(const CarlemanKernel& kernel, double largest) : step_(1 / (10 * kernel.reach())) {
    const auto last = static_cast<int>(largest / step_) + points;
    for (int i = -points; i <= last; ++i) values_.push_back(kernel.along(i * step_));
  }

  double value(double t) const {
    const double position = std::abs(t) / step_;
    const int below = static_cast<int>(position);
    const double* first = values_.data() + below + points / 2 + 1;  // the value at below − points / 2 + 1
    const double offset = position - below + (points / 2 - 1);
    double sum = 0, weights = 0;
    for (int j = 0; j < points; ++j) {
      if (offset == j) return first[j];
      const double weight = binomials[j] / (offset - j);
      sum += weight * first[j];
      weights += weight;
    }
    return sum / weights;
  }

 private:
  static constexpr int points = 12;
  static constexpr double binomials[points] = {1, -11, 55, -165, 330, -462, 462, -330, 165, -55, 11, -1};

  double step_;
  std::vector<double> values_;  ///< φ at step_ times −points, −points + 1, ...
};

}  // namespace

template <class Real>
CarlemanTables<Real>::CarlemanTables(const CollisionSetup& setup, int across, int threads) {
  const CarlemanKernel kernel(setup);
  const WaveNumbers waves{setup.n()};
  const AlongTable along(kernel, std::numbers::pi / setup.grid.half_width * std::sqrt(waves.largest_square()));
  const auto& directions = setup.directions;
  for (const double weight : directions.weight) weights.push_back(static_cast<Real>(kernel.scale() * weight));
  const std::int64_t count = static_cast<std::int64_t>(waves.n) * waves.n * across;
  factors.resize((directions.point.size() + 1) * static_cast<std::size_t>(count));
#pragma omp parallel for num_threads(threads)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = static_cast<int>(i / across);
    const int k[3] = {waves.signed_number(static_cast<int>(i % across)), waves.signed_number(row % waves.n),
                      waves.signed_number(row / waves.n)};
    double loss = 0;
    std::complex<Real>* factor = factors.data() + i;
    for (std::size_t e = 0; e < directions.point.size(); ++e, factor += count) {
      const CarlemanKernel::Wave wave = kernel.wave(k, directions.point[e].data());
      const double phi = along.value(wave.along), psi = kernel.across(wave.across);
      *factor = {static_cast<Real>(phi), static_cast<Real>(psi)};
      loss += directions.weight[e] * phi * psi;
    }
    *factor = static_cast<Real>(kernel.scale() * loss);
  }
}

template struct CarlemanTables<float>;
template struct CarlemanTables<double>;

}  // namespace shoal::collision
