// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "collision/distribution/distribution_backend.hpp"
#include "collision/frequency/frequency.hpp"
#include "core/cuda/launch.cuh"
#ifdef SHOAL_CUFFT
#include "collision/fourier/cufft_transform.hpp"
#endif

namespace shoal::cuda {

namespace {

template <class Real>
__global__ void same_frequency(const double* low, double rate, std::int64_t nodes, std::int64_t count,
                               Real* frequency) {
  const std::int64_t i = thread_index();
  if (i < count) frequency[i] = static_cast<Real>(rate * low[4 * (i / nodes)]);
}

/// Maxwell molecules.
template <class Real>
struct SameFrequency : CollisionFrequency<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;

  SameFrequency(const CollisionSetup& setup_, Scratch& scratch_) : setup(setup_), scratch(scratch_) {}

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count(), count = cells * nodes;
    ScratchFrame frame(scratch);
    const double* low = sums_of(frame, queue, setup.grid, LowMoments<Real>{f}, cells);
    launch(queue, count, same_frequency<Real>, low, setup.kernel.total(0), nodes, count, frequency);
  }
};

#ifdef SHOAL_CUFFT

/// f in a corner of a box of twice the nodes, zeros around it.
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

/// half *= kernel, which is real.
__global__ void multiply_spectrum(const cufftDoubleComplex* kernel, double scale, std::int64_t count,
                                  cufftDoubleComplex* half) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const double factor = kernel[i].x * scale;
  half[i] = {half[i].x * factor, half[i].y * factor};
}

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
  CufftPlan forward, back;
  Array<Complex> kernel;

  ConvolvedFrequency(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_),
        scratch(scratch_),
        padded{setup_.n()},
        half_count(static_cast<std::int64_t>(padded.width()) * padded.width() * (padded.n + 1)),
        forward(scratch_.queue(), padded.width(), Transform::to_spectrum_type, 1),
        back(scratch_.queue(), padded.width(), Transform::from_spectrum_type, 1),
        kernel(scratch_.queue(), half_count) {
    std::vector<double> rates(static_cast<std::size_t>(padded.count()));
    padded.fill(setup, rates.data());
    Array<double> on_device = to_device(scratch.queue(), rates);
    cufft_check(Transform::to_spectrum(forward.handle(), on_device.data(), kernel.data()), "transform of rates");
    scratch.queue().wait();  // the host's table goes
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
      cufft_check(Transform::from_spectrum(back.handle(), half, values), "transform of the frequency");
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
  const Real* partner = f + i / n / n / n * n * n * n;
  double sum = 0;
  for (int z1 = 0; z1 < n; ++z1)
    for (int y1 = 0; y1 < n; ++y1) {
      const int across = (z - z1) * (z - z1) + (y - y1) * (y - y1);
      for (int x1 = 0; x1 < n; ++x1) sum += rate[across + (x - x1) * (x - x1)] * static_cast<double>(*partner++);
    }
  frequency[i] = static_cast<Real>(sum);
}

template <class Real>
struct ConvolvedFrequency : CollisionFrequency<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  Array<double> rate;  ///< by the square of the distance in spacings

  ConvolvedFrequency(const CollisionSetup& setup_, Scratch& scratch_) : setup(setup_), scratch(scratch_) {
    std::vector<double> host(static_cast<std::size_t>(setup.square_distances()));
    setup.rates_by_square_distance(host.data());
    rate = to_device(scratch.queue(), host);
    scratch.queue().wait();  // the host's table goes
  }

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const std::int64_t count = cells * setup.grid.node_count();
    launch(scratch.queue(), count, frequency_each<Real>, f, rate.data(), setup.n(), count, frequency);
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

}  // namespace shoal::cuda
