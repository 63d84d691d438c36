// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "collision/setup/collision_setup.hpp"
#include "core/backends.hpp"
#include "core/memory/scratch.hpp"

namespace shoal::collision {

/// Collision frequency ν(v) = Σ f(v₁) |V| σ_T spacing³ at the nodes. It is uniform for Maxwell molecules and a
/// convolution for others, done with Fourier transforms of twice the nodes along each axis, in double. Builds without
/// an FFT library sum over all pairs.
template <class Real>
struct CollisionFrequency {
  virtual ~CollisionFrequency() = default;

  /// @param f          [cells][nodes³] on the queue's device
  /// @param frequency  [cells][nodes³] overwritten
  virtual void evaluate(const Real* f, std::int64_t cells, Real* frequency) = 0;
};

/// Makes the collision frequency for the molecules of a setup. Both arguments outlive it.
template <class Real>
std::unique_ptr<CollisionFrequency<Real>> make_frequency(const CollisionSetup& setup, Scratch& scratch);

/// Device-dependent parts of the collision frequency.
template <class Real>
struct FrequencyBackend {
  /// Sets the frequency of each cell to rate times its density.
  /// @param low  [cells][4] sums of LowMoments: the density is the first of four
  void (*fill_uniform)(const Queue& queue, const double* low, double rate, std::int64_t nodes, std::int64_t cells,
                       Real* frequency);
  std::unique_ptr<CollisionFrequency<Real>> (*make_convolution)(const CollisionSetup& setup, Scratch& scratch);

  static const FrequencyBackend cpu, cuda;
};

/// Convolution kernel |V| σ_T spacing³ in a periodic box of twice the nodes along each axis.
struct PaddedRates {
  int n;

  int width() const { return 2 * n; }
  std::int64_t count() const { return static_cast<std::int64_t>(width()) * width() * width(); }
  /// Tabulates the kernel by displacement; displacements of n do not occur and get 0.
  /// @param rates  [count()] overwritten
  void fill(const CollisionSetup& setup, double* rates) const;
};

}  // namespace shoal::collision
