// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/equations_of_state/material_state.hpp"

namespace shoal::sph {

/// p = ρ₀ c² / γ ((ρ/ρ₀)^γ − 1).
template <class Real>
struct Tait {
  static constexpr EquationOfState kind = EquationOfState::tait;
  static constexpr const char* formula = "p = rho_0 c^2 / gamma ((rho/rho_0)^gamma - 1)";
  static constexpr std::string_view keys[] = {"sound_speed", "exponent"};
  static constexpr bool has_constant_sound_speed = true;
  static constexpr bool is_plain_with_fixed_step = true;
  static constexpr bool has_density_at_pressure = true;

  Real stiffness;             ///< ρ₀ c² / γ, Pa
  Real exponent;              ///< γ
  bool exponent_is_seven;     ///< the pressure is then a polynomial in μ
  Real sound_speed_squared_;  ///< c², m²/s²

  static void check(const Material& material) {
    require_positive(material.sound_speed, "material.sound_speed", " m/s");
    require_positive(material.exponent, "material.exponent", "");
  }
  static Tait make(const Material& material) {
    const double c_squared = material.sound_speed * material.sound_speed;
    return {static_cast<Real>(material.density * c_squared / material.exponent), static_cast<Real>(material.exponent),
            material.exponent == 7, static_cast<Real>(c_squared)};
  }

  SHOAL_HD Real pressure(const MaterialState<Real>& state) const {
    const Real mu = state.mu();
    if (exponent_is_seven)  // (1 + μ)⁷ − 1
      return stiffness * mu * (7 + mu * (21 + mu * (35 + mu * (35 + mu * (21 + mu * (7 + mu))))));
    return stiffness * std::expm1(exponent * std::log1p(mu));
  }
  SHOAL_HD Real sound_speed_squared(const MaterialState<Real>& state) const {
    const Real mu = state.mu();
    const Real cubed = (1 + mu) * (1 + mu) * (1 + mu);
    return sound_speed_squared_ * (exponent_is_seven ? cubed * cubed : std::pow(1 + mu, exponent - 1));
  }
  SHOAL_HD bool in_range(const MaterialState<Real>&) const { return true; }
  SHOAL_HD Real density_deviation_at(Real reference, Real p) const {
    return reference * std::expm1(std::log1p(p / stiffness) / exponent);
  }

  /// ∫ p dρ/ρ² from ρ₀, J/kg.
  /// @param x  ρ/ρ₀
  static double elastic_energy(const Material& material, double x) {
    const double c = material.sound_speed;
    const double gamma = material.exponent;
    if (gamma == 1) return c * c * linear_elastic_energy(x);
    return c * c / gamma * ((std::pow(x, gamma - 1) - 1) / (gamma - 1) + 1 / x - 1);
  }
};

}  // namespace shoal::sph
