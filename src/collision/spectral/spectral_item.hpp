// SPDX-License-Identifier: Apache-2.0
// Fast Fourier-Galerkin method for one wave number: f = Σ_k f̂_k exp(i π k·v / L), in a box of half width L, |V| ≤ R.
//
//     gain  Q̂_k = Σ_ρ Σ_n s_n F(k, ρ, n) FFT[f(v + ρn/2) f(v − ρn/2)]_k
//           F = w |V|σ_T ρ² Σ_l (−1)^(l/2) (2l + 1) <P_l> j_l(π ρ |k| / 2L) P_l(n·k/|k|),  l even
//     loss  f(v) IFFT[Σ_ρ 4π w |V|σ_T ρ² sinc(π ρ |k| / L) f̂_k]
//
// with Gauss points ρ of weights w, directions n of weights s_n, which add up to 4π, and means <P_l> of the Legendre
// polynomials of the scattering. Isotropic scattering has l = 0 alone: F does not depend on n, and the products are summed
// over directions before the transform.
//
// Between two species with shares a₁ + a₂ = 1 of the mass of a pair, a collision has its center at c = a₁ v + a₂ v₁:
//
//     gain of 1  Σ_ρ F₁ FFT[P],   gain of 2  Σ_ρ F₂ FFT[P],   P = Σ_n s_n f₁(c + a₂ρn) f₂(c − a₁ρn)
//     F₁ = w |V|σ_T ρ² sinc(π a₂ ρ |k| / L),   F₂ = w |V|σ_T ρ² sinc(π a₁ ρ |k| / L)
//
// with isotropic scattering, directions of the whole sphere, and the loss of each species with the f̂ of the other.
// Source: Gamba, Haack, Hauck and Hu (2017), "A fast spectral method for the Boltzmann collision operator with general
// collision kernels"; the series instead of their tables over k and n is our own, by the formula of Funk and Hecke.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "collision/fourier/wave_numbers_item.hpp"
#include "collision/setup/collision_setup.hpp"
#include "collision/spectral/gain_series_item.hpp"
#include "collision/spectral/gauss_legendre.hpp"
#include "collision/spectral/spherical_bessel.hpp"

namespace shoal::collision {

/// Gain and loss factors of the radii, by |k|², of the molecules whose partner has a share of the mass of a pair.
struct SpectralTables {
  std::vector<QuadraturePoint> radii;     ///< Gauss points ρ of |V|, m/s.
  int terms;                              ///< Number of terms of F: l = 0, 2, ..., 2 (terms − 1).
  std::vector<std::vector<double>> gain;  ///< [radii][terms × |k|²] coefficients of P_l in F
  std::vector<double> loss;               ///< [|k|²] Σ_ρ 4π w |V|σ_T ρ² sinc(π ρ |k| / L)

  explicit SpectralTables(const CollisionSetup& setup, double partner_share = 0.5)
      : radii(gauss_legendre(setup.options.radii, setup.cutoff())),
        terms(setup.kernel.isotropic() ? 1 : series_terms(setup.directions.degree)),
        loss(static_cast<std::size_t>(WaveNumbers{setup.n()}.largest_square() + 1)) {
    for (const QuadraturePoint& radius : radii) {
      const double rate = radius.weight * setup.kernel.total(radius.x) * radius.x * radius.x;
      const auto phase = [&](std::size_t square) {
        return std::numbers::pi * radius.x * std::sqrt(static_cast<double>(square)) / setup.grid.half_width;
      };
      std::vector<double>& radius_gain = gain.emplace_back();
      for (int l = 0; l < 2 * terms; l += 2) {
        const double sign = l % 4 == 0 ? 1 : -1;
        const double factor = sign * (2 * l + 1) * setup.kernel.legendre_mean(l) * rate;
        for (std::size_t square = 0; square < loss.size(); ++square)
          radius_gain.push_back(factor * spherical_bessel(l, partner_share * phase(square)));
      }
      for (std::size_t square = 0; square < loss.size(); ++square)
        loss[square] += 4 * std::numbers::pi * rate * sinc(phase(square));
    }
  }

  /// Coefficients of all radii, [radii × terms × |k|²].
  std::vector<double> gain_of_all_radii() const {
    std::vector<double> factors;
    for (const std::vector<double>& radius_gain : gain)
      factors.insert(factors.end(), radius_gain.begin(), radius_gain.end());
    return factors;
  }

  int squares() const { return static_cast<int>(loss.size()); }
  /// F of a radius as a function of wave number and direction.
  GainSeries series(std::size_t radius) const { return {gain[radius].data(), terms, squares()}; }
  /// Number of sums of products that each radius transforms: one over all directions if F does not depend on them.
  int sums(const Directions& directions) const { return terms == 1 ? 1 : directions.count(); }
};

}  // namespace shoal::collision
