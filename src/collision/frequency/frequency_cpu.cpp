// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "collision/frequency/frequency.hpp"
#ifdef SHOAL_FFTW
#include "collision/fourier/fftw_transform.hpp"
#else
#include "collision/frequency/frequency_item.hpp"
#endif

namespace shoal::collision {

namespace {

template <class Real>
void fill_uniform(const Queue&, const double* low, double rate, std::int64_t nodes, std::int64_t cells,
                  Real* frequency) {
  for (std::int64_t cell = 0; cell < cells; ++cell)
    std::fill_n(frequency + cell * nodes, nodes, static_cast<Real>(rate * low[4 * cell]));
}

#ifdef SHOAL_FFTW

template <class Real>
struct ConvolvedFrequency : CollisionFrequency<Real> {
  Scratch& scratch;
  PaddedRates padded;
  FftwTransform<double> transform;
  std::vector<double> kernel;  ///< [half_count()] spectrum of the rates, which is real, times the transform's scale

  ConvolvedFrequency(const CollisionSetup& setup, Scratch& scratch_)
      : scratch(scratch_), padded{setup.n()}, transform(padded.width()) {
    ScratchFrame frame(scratch);
    double* rates = frame.array<double>(padded.count()).data;
    std::complex<double>* half = frame.array<std::complex<double>>(transform.half_count()).data;
    padded.fill(setup, rates);
    transform.to_spectrum(rates, half);
    for (std::int64_t i = 0; i < transform.half_count(); ++i)
      kernel.push_back(half[i].real() / static_cast<double>(padded.count()));
  }

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const std::int64_t nodes = static_cast<std::int64_t>(padded.n) * padded.n * padded.n;
    ScratchFrame frame(scratch);
    double* values = frame.array<double>(padded.count()).data;
    std::complex<double>* half = frame.array<std::complex<double>>(transform.half_count()).data;
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      std::fill_n(values, padded.count(), 0.0);
      for_each_row([&](std::int64_t first, std::int64_t padded_first) {
        std::copy_n(f + cell * nodes + first, padded.n, values + padded_first);
      });
      transform.to_spectrum(values, half);
      for (std::int64_t i = 0; i < transform.half_count(); ++i) half[i] *= kernel[static_cast<std::size_t>(i)];
      transform.from_spectrum(half, values);
      for_each_row([&](std::int64_t first, std::int64_t padded_first) {
        std::transform(values + padded_first, values + padded_first + padded.n, frequency + cell * nodes + first,
                       [](double value) { return static_cast<Real>(value); });
      });
    }
  }

 private:
  /// Calls visit(first, padded_first) for each row of nodes: the number of its first node in the cell and in the box of
  /// twice the nodes.
  template <class Visit>
  void for_each_row(Visit visit) const {
    const std::int64_t n = padded.n, width = padded.width();
    for (std::int64_t row = 0; row < n * n; ++row) visit(row * n, (row / n * width + row % n) * width);
  }
};

#else

template <class Real>
struct ConvolvedFrequency : CollisionFrequency<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  std::vector<double> rate;  ///< |V| σ_T spacing³ by the squared distance in spacings

  ConvolvedFrequency(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), rate(static_cast<std::size_t>(setup_.square_distances())) {
    setup.rates_by_square_distance(rate.data());
  }

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const int n = setup.n();
    const std::int64_t nodes = setup.grid.node_count();
#pragma omp parallel for num_threads(scratch.queue().threads()) schedule(dynamic)
    for (std::int64_t row = 0; row < cells * n * n; ++row)
      for (int x = 0; x < n; ++x)
        frequency[row * n + x] = static_cast<Real>(node_frequency(
            f + row / (n * n) * nodes, rate.data(), n, x, static_cast<int>(row % n), static_cast<int>(row / n % n)));
  }
};

#endif

template <class Real>
std::unique_ptr<CollisionFrequency<Real>> make_convolution(const CollisionSetup& setup, Scratch& scratch) {
  return std::make_unique<ConvolvedFrequency<Real>>(setup, scratch);
}

}  // namespace

template <class Real>
const FrequencyBackend<Real> FrequencyBackend<Real>::cpu = {
    .fill_uniform = collision::fill_uniform<Real>,
    .make_convolution = collision::make_convolution<Real>,
};
template const FrequencyBackend<float> FrequencyBackend<float>::cpu;
template const FrequencyBackend<double> FrequencyBackend<double>::cpu;

}  // namespace shoal::collision
