// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "collision/frequency/frequency.hpp"
#include "core/cuda/launch.cuh"
#ifdef SHOAL_CUFFT
#include "collision/fourier/cufft_transform.hpp"
#else
#include "collision/frequency/frequency_item.hpp"
#endif

namespace shoal::collision {

namespace {

template <class Real>
__global__ void fill_each(const double* low, double rate, std::int64_t nodes, std::int64_t count, Real* frequency) {
  const std::int64_t i = thread_index();
  if (i < count) frequency[i] = static_cast<Real>(rate * low[4 * (i / nodes)]);
}

template <class Real>
void fill_uniform(const Queue& queue, const double* low, double rate, std::int64_t nodes, std::int64_t cells,
                  Real* frequency) {
  launch(queue, cells * nodes, fill_each<Real>, low, rate, nodes, cells * nodes, frequency);
}

#ifdef SHOAL_CUFFT

/// Copies f to a corner of a box of twice the nodes along each axis, and zeros elsewhere.
template <class Real>
__global__ void pad_each(const Real* f, int n, std::int64_t count, double* padded) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const int width = 2 * n;
  const int x = static_cast<int>(i % width), y = static_cast<int>(i / width % width),
            z = static_cast<int>(i / width / width);
  const bool inside = x < n && y < n && z < n;
  padded[i] = inside ? static_cast<double>(f[(static_cast<std::int64_t>(z) * n + y) * n + x]) : 0;
}

/// half *= scale · kernel, which is real.
__global__ void multiply_spectrum(const cufftDoubleComplex* kernel, double scale, std::int64_t count,
                                  cufftDoubleComplex* half) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const double factor = kernel[i].x * scale;
  half[i] = {half[i].x * factor, half[i].y * factor};
}

/// Copies the corner of the box back.
template <class Real>
__global__ void unpad_each(const double* padded, int n, std::int64_t nodes, Real* frequency) {
  const std::int64_t i = thread_index();
  if (i >= nodes) return;
  const std::int64_t x = i % n, y = i / n % n, z = i / n / n;
  frequency[i] = static_cast<Real>(padded[(z * 2 * n + y) * 2 * n + x]);
}

template <class Real>
struct ConvolvedFrequency : CollisionFrequency<Real> {
  using Transform = Cufft<double>;
  using Complex = Transform::Complex;

  const CollisionSetup& setup;
  Scratch& scratch;
  PaddedRates padded;
  std::int64_t half_count;
  CufftPlan forward, backward;
  Array<Complex> kernel;  ///< [half_count] spectrum of the rates

  ConvolvedFrequency(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_),
        scratch(scratch_),
        padded{setup_.n()},
        half_count(static_cast<std::int64_t>(padded.width()) * padded.width() * (padded.n + 1)),
        forward(scratch_.queue(), padded.width(), Transform::to_spectrum_type, 1),
        backward(scratch_.queue(), padded.width(), Transform::from_spectrum_type, 1),
        kernel(scratch_.queue(), half_count) {
    std::vector<double> rates(static_cast<std::size_t>(padded.count()));
    padded.fill(setup, rates.data());
    Array<double> device_rates = to_device(scratch.queue(), rates);
    cufft_check(Transform::to_spectrum(forward.handle(), device_rates.data(), kernel.data()), "transform of rates");
    scratch.queue().wait();  // before the host's table is destroyed
  }

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    double* values = frame.array<double>(padded.count()).data;
    Complex* half = frame.array<Complex>(half_count).data;
    const double scale = 1 / static_cast<double>(padded.count());
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      launch(queue, padded.count(), pad_each<Real>, f + cell * nodes, padded.n, padded.count(), values);
      cufft_check(Transform::to_spectrum(forward.handle(), values, half), "transform of f");
      launch(queue, half_count, multiply_spectrum, kernel.data(), scale, half_count, half);
      cufft_check(Transform::from_spectrum(backward.handle(), half, values), "transform of the frequency");
      launch(queue, nodes, unpad_each<Real>, values, padded.n, nodes, frequency + cell * nodes);
    }
  }
};

#else

template <class Real>
__global__ void frequency_each(const Real* f, const double* rate, int n, std::int64_t count, Real* frequency) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n % n);
  const Real* cell = f + i / n / n / n * n * n * n;
  frequency[i] = static_cast<Real>(node_frequency(cell, rate, n, x, y, z));
}

template <class Real>
struct ConvolvedFrequency : CollisionFrequency<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  Array<double> rate;  ///< |V| σ_T spacing³ by the squared distance in spacings

  ConvolvedFrequency(const CollisionSetup& setup_, Scratch& scratch_) : setup(setup_), scratch(scratch_) {
    std::vector<double> host(static_cast<std::size_t>(setup.square_distances()));
    setup.rates_by_square_distance(host.data());
    rate = to_device(scratch.queue(), host);
    scratch.queue().wait();  // before the host's table is destroyed
  }

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const std::int64_t count = cells * setup.grid.node_count();
    launch(scratch.queue(), count, frequency_each<Real>, f, rate.data(), setup.n(), count, frequency);
  }
};

#endif

template <class Real>
std::unique_ptr<CollisionFrequency<Real>> make_convolution(const CollisionSetup& setup, Scratch& scratch) {
  return std::make_unique<ConvolvedFrequency<Real>>(setup, scratch);
}

}  // namespace

template <class Real>
const FrequencyBackend<Real> FrequencyBackend<Real>::cuda = {
    .fill_uniform = collision::fill_uniform<Real>,
    .make_convolution = collision::make_convolution<Real>,
};
template const FrequencyBackend<float> FrequencyBackend<float>::cuda;
template const FrequencyBackend<double> FrequencyBackend<double>::cuda;

}  // namespace shoal::collision
