// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <complex>
#include <vector>

#include "collision/setup/collision_setup.hpp"

namespace shoal::collision {

/// Tables of the factors of f̂. All factors are even in the wave number.
template <class Real>
struct CarlemanTables {
  /// [directions + 1][n][n][across] φ + i ψ of each direction, then the factor of the loss, 2 C Σ s φ ψ, which is real
  std::vector<std::complex<Real>> factors;
  std::vector<Real> weights;  ///< [directions] 2 C s

  /// @param across   wave numbers along x: n, or n / 2 + 1 for a half spectrum
  /// @param threads  threads that share the work
  CarlemanTables(const CollisionSetup& setup, int across, int threads);
};

}  // namespace shoal::collision
