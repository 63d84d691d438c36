// SPDX-License-Identifier: Apache-2.0
#include "collision/carleman/carleman_tables.hpp"

#include <cstdint>

#include "collision/carleman/carleman_item.hpp"

namespace shoal {

namespace {

/// φ by Lagrange's polynomials through 12 of its values: it has no frequency above the reach R, so that 1/10 of 1/R
/// between them leaves less than rounding.
class AlongTable {
 public:
  /// @param most  |ξ|
  AlongTable(const CarlemanKernel& kernel, double most) : step_(1 / (10 * kernel.reach())) {
    const auto last = static_cast<int>(most / step_) + points;
    for (int i = -points; i <= last; ++i) values_.push_back(kernel.along(i * step_));
  }

  double at(double t) const {
    const double place = std::abs(t) / step_;
    const int base = static_cast<int>(place);
    const double* value = values_.data() + base + points / 2 + 1;  // of base − points / 2 + 1
    const double after = place - base + (points / 2 - 1);
    double sum = 0, weights = 0;
    for (int j = 0; j < points; ++j) {
      if (after == j) return value[j];
      const double weight = binomials[j] / (after - j);
      sum += weight * value[j];
      weights += weight;
    }
    return sum / weights;
  }

 private:
  static constexpr int points = 12;
  static constexpr double binomials[points] = {1, -11, 55, -165, 330, -462, 462, -330, 165, -55, 11, -1};

  double step_;
  std::vector<double> values_;  ///< from −points on
};

}  // namespace

template <class Real>
CarlemanTables<Real>::CarlemanTables(const CollisionSetup& setup, int across, int threads) {
  const CarlemanKernel kernel(setup);
  const WaveNumbers waves{setup.n()};
  const AlongTable along(kernel, std::numbers::pi / setup.grid.half_width * std::sqrt(waves.most_square()));
  const auto& directions = setup.directions;
  for (const double weight : directions.weight) weights.push_back(static_cast<Real>(kernel.scale() * weight));
  const std::int64_t places = static_cast<std::int64_t>(waves.n) * waves.n * across;
  factors.resize((directions.at.size() + 1) * static_cast<std::size_t>(places));
#pragma omp parallel for num_threads(threads)
  for (std::int64_t i = 0; i < places; ++i) {
    const auto row = static_cast<int>(i / across);
    const int k[3] = {waves.signed_number(static_cast<int>(i % across)), waves.signed_number(row % waves.n),
                      waves.signed_number(row / waves.n)};
    double loss = 0;
    std::complex<Real>* factor = factors.data() + i;
    for (std::size_t e = 0; e < directions.at.size(); ++e, factor += places) {
      const CarlemanKernel::Wave wave = kernel.wave(k, directions.at[e].data());
      const double phi = along.at(wave.along), psi = kernel.across(wave.across);
      *factor = {static_cast<Real>(phi), static_cast<Real>(psi)};
      loss += directions.weight[e] * phi * psi;
    }
    *factor = static_cast<Real>(kernel.scale() * loss);
  }
}

template struct CarlemanTables<float>;
template struct CarlemanTables<double>;

}  // namespace shoal
