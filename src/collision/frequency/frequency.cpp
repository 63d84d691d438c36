// SPDX-License-Identifier: Apache-2.0
#include "collision/frequency/frequency.hpp"

#include <algorithm>
#include <vector>

#include "collision/distribution/distribution_backend.hpp"

namespace shoal::collision {

namespace {

/// Collision frequency of Maxwell molecules.
template <class Real>
struct UniformFrequency : CollisionFrequency<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;

  UniformFrequency(const CollisionSetup& setup_, Scratch& scratch_) : setup(setup_), scratch(scratch_) {}

  void evaluate(const Real* f, std::int64_t cells, Real* frequency) override {
    const Queue& queue = scratch.queue();
    ScratchFrame frame(scratch);
    const double* low = backend<DistributionBackend<Real>>(queue).low_moments(frame, queue, setup.grid, {f}, cells);
    backend<FrequencyBackend<Real>>(queue).fill_uniform(queue, low, setup.kernel.total(0), setup.grid.node_count(),
                                                        cells, frequency);
  }
};

}  // namespace

template <class Real>
std::unique_ptr<CollisionFrequency<Real>> make_frequency(const CollisionSetup& setup, Scratch& scratch) {
  if (setup.kernel.power == 0) return std::make_unique<UniformFrequency<Real>>(setup, scratch);
  return backend<FrequencyBackend<Real>>(scratch.queue()).make_convolution(setup, scratch);
}

template std::unique_ptr<CollisionFrequency<float>> make_frequency(const CollisionSetup&, Scratch&);
template std::unique_ptr<CollisionFrequency<double>> make_frequency(const CollisionSetup&, Scratch&);

void PaddedRates::fill(const CollisionSetup& setup, double* rates) const {
  std::vector<double> by_square(static_cast<std::size_t>(setup.square_distances()));
  setup.rates_by_square_distance(by_square.data());
  const auto distance = [this](int k) { return std::min(k, width() - k); };
  std::int64_t i = 0;
  for (int z = 0; z < width(); ++z)
    for (int y = 0; y < width(); ++y)
      for (int x = 0; x < width(); ++x, ++i) {
        const int d[3] = {distance(x), distance(y), distance(z)};
        const bool occurs = std::max({d[0], d[1], d[2]}) < n;
        rates[i] = occurs ? by_square[static_cast<std::size_t>(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])] : 0;
      }
}

}  // namespace shoal::collision
