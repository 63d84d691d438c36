// SPDX-License-Identifier: Apache-2.0
// Rates of change of a particle, and the terms of a pair that they are summed from.
#pragma once
#include "sph/physics/pairs/separation_item.hpp"

namespace shoal::sph {

/// Rates of change of a particle, or sums over its neighbors that Physics::common_factor() completes.
template <class Real, int dimensions>
struct Rates {
  Real density = 0;                    ///< dρ/dt
  Real acceleration[dimensions] = {};  ///< dv/dt
  Real heating = 0;                    ///< du/dt
  Real repulsion[dimensions] = {};     ///< dv/dt by repulsive walls, complete

  /// Replaces every member by sum(member): the way in which threads that share a particle add their parts.
  template <class Sum>
  SHOAL_HD void reduce(const Sum& sum) {
    density = sum(density);
    heating = sum(heating);
    for (int axis = 0; axis < dimensions; ++axis) {
      acceleration[axis] = sum(acceleration[axis]);
      repulsion[axis] = sum(repulsion[axis]);
    }
  }
};

/// The same with the sums that particle shifting needs.
template <class Real, int dimensions>
struct ShiftingRates : Rates<Real, dimensions> {
  /// ∇C = Σ V (1 + 0.2 (W/W(Δx))⁴) ∇W, 1/m, Δx = h/smoothing (Monaghan 2000)
  Real concentration[dimensions] = {};
  Real divergence = 0;  ///< ∇·r = Σ V (x_j − x_i)·∇W: the number of dimensions within the fluid

  template <class Sum>
  SHOAL_HD void reduce(const Sum& sum) {
    Rates<Real, dimensions>::reduce(sum);
    divergence = sum(divergence);
    for (int axis = 0; axis < dimensions; ++axis) concentration[axis] = sum(concentration[axis]);
  }
};

/// Terms of a pair of particles.
template <class Real, int dimensions>
struct PairTerms {
  Separation<Real, dimensions> separation;
  Real velocity_dot_separation;  ///< v_ij·x_ij, m²/s
  Real distance;                 ///< r, m
  Real smoothing_length;         ///< h, mean of both, m
  Real sound_speed;              ///< c, mean of both, m/s
  Real density[2];               ///< ρ_i and ρ_j, kg/m³
  Real softened;                 ///< r² + 0.01 h², m²
  Real inverse;                  ///< Physics::mean_density_factor / (softened (ρ_i + ρ_j))
  Real inverse_softened;         ///< 1 / softened
  Real kernel_gradient;          ///< F with the factors that Physics::weighted_gradient() states; ∇W = F x_ij
  Real pressure;                 ///< p_i/ρ_i² + p_j/ρ_j² + Π_ij
  Real viscosity;                ///< Π_ij
  Real diffusion;                ///< ψ_ij, from j to i, m²/s
};

}  // namespace shoal::sph
