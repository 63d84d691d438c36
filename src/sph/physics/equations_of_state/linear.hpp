// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/equations_of_state/material_state.hpp"

namespace shoal::sph {

/// p = ρ₀ c² μ + Γ ρ₀ u.
template <class Real>
struct Linear {
  static constexpr EquationOfState kind = EquationOfState::linear;
  static constexpr const char* formula = "p = rho_0 c^2 mu + Gamma rho_0 u";
  static constexpr std::string_view keys[] = {"sound_speed", "grueneisen"};
  static constexpr bool has_constant_sound_speed = true;
  static constexpr bool is_plain_with_fixed_step = true;
  static constexpr bool has_density_at_pressure = true;

  Real bulk_modulus;          ///< ρ₀ c², Pa
  Real heating;               ///< Γ ρ₀, kg/m³
  Real sound_speed_squared_;  ///< c², m²/s²

  static void check(const Material& material) {
    require_positive(material.sound_speed, "material.sound_speed", " m/s");
  }
  static Linear make(const Material& material) {
    const double c_squared = material.sound_speed * material.sound_speed;
    return {static_cast<Real>(material.density * c_squared), static_cast<Real>(material.grueneisen * material.density),
            static_cast<Real>(c_squared)};
  }

  SHOAL_HD Real pressure(const MaterialState<Real>& state) const {
    const Real mu = state.mu();
    const Real heat = heating * state.energy;
    return bulk_modulus * mu + heat;
  }
  SHOAL_HD Real sound_speed_squared(const MaterialState<Real>& state) const {
    return sound_speed_squared_of(state, pressure(state), bulk_modulus, heating);
  }
  SHOAL_HD bool in_range(const MaterialState<Real>&) const { return true; }
  SHOAL_HD Real density_deviation_at(Real, Real p) const { return p / sound_speed_squared_; }

  /// ∫ p dρ/ρ² from ρ₀ without heat, J/kg.
  /// @param x  ρ/ρ₀
  static double elastic_energy(const Material& material, double x) {
    return material.sound_speed * material.sound_speed * linear_elastic_energy(x);
  }
};

}  // namespace shoal::sph
