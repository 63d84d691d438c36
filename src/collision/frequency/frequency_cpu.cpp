// SPDX-License-Identifier: Apache-2.0
#include "collision/frequency/frequency.hpp"

#include <algorithm>
#include <vector>

#include "collision/distribution/distribution_backend.hpp"
#ifdef SHOAL_FFTW
#include "collision/fourier/fftw_transform.hpp"
#endif

namespace shoal {

void PaddedRates::fill(const CollisionSetup& setup, double* rates) const {
  std::vector<double> by_square(static_cast<std::size_t>(setup.square_distances()));
  setup.rates_by_square_distance(by_square.data());
  const auto apart = [this](int k) { return std::min(k, width() - k); };
  std::int64_t i = 0;
  for (int z = 0; z < width(); ++z)
    for (int y = 0; y < width(); ++y)
      for (int x = 0; x < width(); ++x, ++i) {
        const int d[3] = {apart(x), apart(y), apart(z)};
        const bool occurs = std::max({d[0], d[1], d[2]}) < n;
        rates[i] = occurs ? by_square[static_cast<std::size_t>(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])] : 0;
      }
}

namespace cpu {

namespace {

/// Maxwell molecules.
template <class Real>
struct SameFrequency : CollisionFrequency<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;

  SameFrequency(const CollisionSetup& setup_, Scratch& scratch_) : setup(setup_), scratch(scratch_) {}

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    ScratchFrame frame(scratch);
    const std::int64_t nodes = setup.grid.node_count();
    const double* low = sums_of(frame, scratch.queue(), setup.grid, LowMoments<Real>{f}, cells);
    for (std::int64_t cell = 0; cell < cells; ++cell)
      std::fill_n(frequency + cell * nodes, nodes, static_cast<Real>(setup.kernel.total(0) * low[4 * cell]));
  }
};

#ifdef SHOAL_FFTW

template <class Real>
struct ConvolvedFrequency : CollisionFrequency<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  PaddedRates padded;
  FftwTransform<double> transform;
  std::vector<double> kernel;  ///< [half_count()] the spectrum of the rates, which is real, with the transform's scale

  ConvolvedFrequency(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), padded{setup_.n()}, transform(padded.width()) {
    ScratchFrame frame(scratch);
    double* rates = frame.array<double>(padded.count()).data;
    std::complex<double>* half = frame.array<std::complex<double>>(transform.half_count()).data;
    padded.fill(setup, rates);
    transform.to_spectrum(rates, half);
    for (std::int64_t i = 0; i < transform.half_count(); ++i)
      kernel.push_back(half[i].real() / static_cast<double>(padded.count()));
  }

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const int n = padded.n;
    ScratchFrame frame(scratch);
    double* values = frame.array<double>(padded.count()).data;
    std::complex<double>* half = frame.array<std::complex<double>>(transform.half_count()).data;
    for (std::int64_t row = 0; row < cells * n * n; ++row) {
      const std::int64_t y = row % n, z = row / n % n;
      if (y == 0 && z == 0) std::fill_n(values, padded.count(), 0.0);
      std::copy_n(f + row * n, n, values + (z * padded.width() + y) * padded.width());
      if (y != n - 1 || z != n - 1) continue;  // the cell's last
      transform.to_spectrum(values, half);
      for (std::int64_t i = 0; i < transform.half_count(); ++i) half[i] *= kernel[static_cast<std::size_t>(i)];
      transform.from_spectrum(half, values);
      put(values, frequency + (row / (n * n)) * n * n * n);
    }
  }

 private:
  void put(const double* values, Real* frequency) const {
    const int n = padded.n;
    for (std::int64_t row = 0; row < n * n; ++row) {
      const double* from = values + (row / n * padded.width() + row % n) * padded.width();
      std::transform(from, from + n, frequency + row * n, [](double value) { return static_cast<Real>(value); });
    }
  }
};

#else

template <class Real>
struct ConvolvedFrequency : CollisionFrequency<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  std::vector<double> rate;  ///< by the square of the distance in spacings

  ConvolvedFrequency(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), rate(static_cast<std::size_t>(setup_.square_distances())) {
    setup.rates_by_square_distance(rate.data());
  }

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const int n = setup.n();
#pragma omp parallel for num_threads(scratch.queue().threads()) schedule(dynamic)
    for (std::int64_t row = 0; row < cells * n * n; ++row) {
      const Real* of_cell = f + row / (n * n) * setup.grid.node_count();
      for (int x = 0; x < n; ++x) {
        double sum = 0;
        for (int other = 0; other < n * n; ++other) {
          const int dy = static_cast<int>(row % n) - other % n, dz = static_cast<int>(row / n % n) - other / n;
          for (int x1 = 0; x1 < n; ++x1)
            sum += rate[static_cast<std::size_t>((x - x1) * (x - x1) + dy * dy + dz * dz)] *
                   static_cast<double>(of_cell[static_cast<std::int64_t>(other) * n + x1]);
        }
        frequency[row * n + x] = static_cast<Real>(sum);
      }
    }
  }
};

#endif

}  // namespace

template <class Real>
std::unique_ptr<CollisionFrequency<Real>> make_frequency(const CollisionSetup& setup, Scratch& scratch) {
  if (setup.kernel.power == 0) return std::make_unique<SameFrequency<Real>>(setup, scratch);
  return std::make_unique<ConvolvedFrequency<Real>>(setup, scratch);
}

template std::unique_ptr<CollisionFrequency<float>> make_frequency(const CollisionSetup&, Scratch&);
template std::unique_ptr<CollisionFrequency<double>> make_frequency(const CollisionSetup&, Scratch&);

}  // namespace cpu

}  // namespace shoal
