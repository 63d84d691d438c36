// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <vector>

#include "collision/collision_setup.hpp"
#include "collision/fftw_transform.hpp"

namespace shoal {

/// ν(v) = Σ f(v₁) |V| σ_T spacing³ as the product of two spectra: O(N³ log N) for all nodes. The box is twice as wide,
/// so that nothing comes in again from the other side; in double for float, too. One thread.
class FrequencyConvolution {
 public:
  /// Takes the rates from the setup, once.
  explicit FrequencyConvolution(const CollisionSetup& setup);

  /// @param f,frequency  [cells × n³] contiguous; the latter is overwritten
  template <class Real>
  void run(const Real* f, std::int64_t cells, Real* frequency);

 private:
  std::int64_t row(int y, int z) const { return (static_cast<std::int64_t>(z) * wide_ + y) * wide_; }

  int n_, wide_;
  FftwTransform<double> transform_;
  std::vector<double>
      rates_;  ///< [half_count()] the spectrum of |V| σ_T spacing³, which is real, over the count of values
  Array<double> values_;
  Array<std::complex<double>> spectrum_;
};

}  // namespace shoal
