// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "collision/setup/collision_setup.hpp"
#include "core/backends.hpp"
#include "core/memory/scratch.hpp"

namespace shoal {

/// ν(v) = Σ f(v₁) |V| σ_T spacing³ at the nodes: for Maxwell molecules the same everywhere, for others a convolution,
/// by Fourier transforms of twice the nodes along each axis, in double; pair by pair in a build without them.
template <class Real>
struct CollisionFrequency {
  virtual ~CollisionFrequency() = default;

  /// @param f  [cells][nodes³] on the queue's device; `frequency` as many, overwritten
  virtual void evaluate(const Real* f, std::int64_t cells, Real* frequency) = 0;
};

/// Both arguments outlive it.
namespace cpu {
template <class Real>
std::unique_ptr<CollisionFrequency<Real>> make_frequency(const CollisionSetup& setup, Scratch& scratch);
}  // namespace cpu
namespace cuda {
template <class Real>
std::unique_ptr<CollisionFrequency<Real>> make_frequency(const CollisionSetup& setup, Scratch& scratch);
}  // namespace cuda

/// The convolution's kernel in a box of twice the nodes.
struct PaddedRates {
  int n;

  int width() const { return 2 * n; }
  std::int64_t count() const { return static_cast<std::int64_t>(width()) * width() * width(); }
  /// |V| σ_T spacing³ by the displacement, which is periodic; displacements of n do not occur.
  /// @param rates  [count()] overwritten
  void fill(const CollisionSetup& setup, double* rates) const;
};

}  // namespace shoal
