// SPDX-License-Identifier: Apache-2.0
// Fast Fourier-Galerkin method for one wave number: f = Σ_k f̂_k exp(i π k·v / L), in a box of half width L, |V| ≤ R.
//
//     gain  Q̂_k = Σ_ρ F(k, ρ) FFT[Σ_n s_n f(v + ρn/2) f(v − ρn/2)]_k,   F = w |V|σ_T ρ² sinc(π ρ |k| / 2L)
//     loss  f(v) IFFT[Σ_ρ 4π w |V|σ_T ρ² sinc(π ρ |k| / L) f̂_k]
//
// with Gauss points ρ of weights w, and directions n of weights s_n, which add up to 4π.
// Source: Gamba, Haack, Hauck and Hu (2017), "A fast spectral method for the Boltzmann collision operator with general
// collision kernels".
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "collision/fourier/wave_numbers_item.hpp"
#include "collision/setup/collision_setup.hpp"
#include "collision/spectral/gauss_legendre.hpp"

namespace shoal::collision {

/// Gain and loss factors of the radii, by |k|².
struct SpectralTables {
  std::vector<QuadraturePoint> radii;     ///< Gauss points ρ of |V|, m/s.
  std::vector<std::vector<double>> gain;  ///< [radii][|k|²] F(k, ρ)
  std::vector<double> loss;               ///< [|k|²] Σ_ρ 4π w |V|σ_T ρ² sinc(π ρ |k| / L)

  explicit SpectralTables(const CollisionSetup& setup)
      : radii(gauss_legendre(setup.options.radii, setup.cutoff())),
        loss(static_cast<std::size_t>(WaveNumbers{setup.n()}.largest_square() + 1)) {
    for (const QuadraturePoint& radius : radii) {
      const double rate = radius.weight * setup.kernel.total(radius.x) * radius.x * radius.x;
      std::vector<double>& radius_gain = gain.emplace_back(loss.size());
      for (std::size_t square = 0; square < loss.size(); ++square) {
        const double phase =
            std::numbers::pi * radius.x * std::sqrt(static_cast<double>(square)) / setup.grid.half_width;
        radius_gain[square] = rate * sinc(phase / 2);
        loss[square] += 4 * std::numbers::pi * rate * sinc(phase);
      }
    }
  }
};

}  // namespace shoal::collision
