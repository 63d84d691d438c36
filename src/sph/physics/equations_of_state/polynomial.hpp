// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/equations_of_state/material_state.hpp"

namespace shoal::sph {

/// A liquid under shock, with other coefficients in tension:
///
///     p = a₁ μ + a₂ μ² + a₃ μ³ + (b₀ + b₁ μ) ρ₀ u   where μ ≥ 0
///     p = t₁ μ + t₂ μ² + b₀ ρ₀ u                     where μ < 0
template <class Real>
struct Polynomial {
  static constexpr EquationOfState kind = EquationOfState::polynomial;
  static constexpr const char* formula =
      "p = a1 mu + a2 mu^2 + a3 mu^3 + (b0 + b1 mu) rho_0 u where mu >= 0, p = t1 mu + t2 mu^2 + b0 rho_0 u where "
      "mu < 0";
  static constexpr std::string_view keys[] = {"sound_speed", "compression", "tension", "energy"};
  static constexpr bool has_constant_sound_speed = false;
  static constexpr bool is_plain_with_fixed_step = true;
  static constexpr bool has_density_at_pressure = true;

  Real compression[3];  ///< a, Pa
  Real tension[2];      ///< t, Pa
  Real heating[2];      ///< b ρ₀, kg/m³

  static void check(const Material& material) {
    require_positive(material.sound_speed, "material.sound_speed", " m/s");
    require_positive(material.compression[0], "material.compression[0]", " Pa");
    require_positive(material.tension[0], "material.tension[0]", " Pa");
  }
  static Polynomial make(const Material& material) {
    Polynomial polynomial{};
    for (int i = 0; i < 3; ++i) polynomial.compression[i] = static_cast<Real>(material.compression[i]);
    for (int i = 0; i < 2; ++i) polynomial.tension[i] = static_cast<Real>(material.tension[i]);
    for (int i = 0; i < 2; ++i) polynomial.heating[i] = static_cast<Real>(material.energy[i] * material.density);
    return polynomial;
  }

  SHOAL_HD Real pressure(const MaterialState<Real>& state) const {
    const Real mu = state.mu();
    const Real cold = mu < 0 ? mu * (tension[0] + mu * tension[1])
                             : mu * (compression[0] + mu * (compression[1] + mu * compression[2]));
    return cold + (heating[0] + heating[1] * positive_part(mu)) * state.energy;
  }
  SHOAL_HD Real sound_speed_squared(const MaterialState<Real>& state) const {
    const Real mu = state.mu();
    const Real stiffness =
        mu < 0 ? tension[0] + 2 * mu * tension[1]
               : compression[0] + mu * (2 * compression[1] + 3 * mu * compression[2]) + heating[1] * state.energy;
    return sound_speed_squared_of(state, pressure(state), stiffness, heating[0] + heating[1] * positive_part(mu));
  }
  SHOAL_HD bool in_range(const MaterialState<Real>&) const { return true; }
  /// By the linear term.
  SHOAL_HD Real density_deviation_at(Real reference, Real p) const { return reference * p / compression[0]; }

  /// ∫ p dρ/ρ² from ρ₀ without heat, J/kg.
  /// @param x  ρ/ρ₀
  static double elastic_energy(const Material& material, double x) {
    const double log_x = std::log(x);
    const double second = x - 1 / x - 2 * log_x;                                   // ∫ μ²/x² dx
    const double third = (x * x - 1) / 2 - 3 * (x - 1) + 3 * log_x + (1 / x - 1);  // ∫ μ³/x² dx
    const double first = linear_elastic_energy(x);
    const double energy =
        x < 1 ? material.tension[0] * first + material.tension[1] * second
              : material.compression[0] * first + material.compression[1] * second + material.compression[2] * third;
    return energy / material.density;
  }
};

}  // namespace shoal::sph
