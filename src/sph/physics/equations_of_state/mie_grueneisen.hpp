// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/equations_of_state/material_state.hpp"

namespace shoal::sph {

/// A liquid under strong shock, whose shocks run at c + s times the particle speed:
///
///     p = p_H + Γ (ρ₀ u − μ p_H / (2 (1 + μ)))      where μ ≥ 0,    p_H = ρ₀ c² μ (1 + μ) / (1 − (s − 1) μ)²
///     p = ρ₀ c² μ + Γ ρ₀ u                           where μ < 0
template <class Real>
struct MieGrueneisen {
  static constexpr EquationOfState kind = EquationOfState::mie_grueneisen;
  static constexpr const char* formula =
      "p = p_H + Gamma (rho_0 u - mu p_H / (2 (1 + mu))) where mu >= 0, p_H = rho_0 c^2 mu (1 + mu) / (1 - (s - 1) "
      "mu)^2; p = rho_0 c^2 mu + Gamma rho_0 u where mu < 0";
  static constexpr std::string_view keys[] = {"sound_speed", "grueneisen", "hugoniot_slope"};
  static constexpr bool has_constant_sound_speed = false;
  static constexpr bool is_plain_with_fixed_step = false;
  static constexpr bool has_density_at_pressure = true;

  Real bulk_modulus;          ///< ρ₀ c², Pa
  Real heating;               ///< Γ ρ₀, kg/m³
  Real sound_speed_squared_;  ///< c², m²/s²
  Real grueneisen;            ///< Γ
  Real pole;                  ///< s − 1; p has a pole at μ = 1/(s − 1)

  static void check(const Material& material) {
    require_positive(material.sound_speed, "material.sound_speed", " m/s");
    require(std::isfinite(material.hugoniot_slope) && material.hugoniot_slope >= 1,
            "sph: material.hugoniot_slope = ", material.hugoniot_slope, ", expected 1 or more.");
  }
  static MieGrueneisen make(const Material& material) {
    const double c_squared = material.sound_speed * material.sound_speed;
    return {static_cast<Real>(material.density * c_squared), static_cast<Real>(material.grueneisen * material.density),
            static_cast<Real>(c_squared), static_cast<Real>(material.grueneisen),
            static_cast<Real>(material.hugoniot_slope - 1)};
  }

  SHOAL_HD Real pressure(const MaterialState<Real>& state) const {
    const Real mu = state.mu();
    const Real heat = heating * state.energy;
    if (mu < 0) return bulk_modulus * mu + heat;
    const Real near = 1 / (1 - pole * mu);
    return bulk_modulus * mu * near * near * (1 + mu - grueneisen * mu / 2) + heat;
  }
  SHOAL_HD Real sound_speed_squared(const MaterialState<Real>& state) const {
    const Real mu = state.mu();
    Real stiffness = bulk_modulus;
    if (mu > 0) {
      const Real near = 1 / (1 - pole * mu);
      stiffness *= near * near * (1 + 2 * mu - grueneisen * mu + pole * mu * near * (2 + 2 * mu - grueneisen * mu));
    }
    return sound_speed_squared_of(state, pressure(state), stiffness, heating);
  }
  SHOAL_HD bool in_range(const MaterialState<Real>& state) const { return pole * state.mu() < 1; }
  /// By the linear term.
  SHOAL_HD Real density_deviation_at(Real, Real p) const { return p / sound_speed_squared_; }

  /// ∫ p dρ/ρ² from ρ₀ without heat, J/kg: by Gauss quadrature where μ > 0.
  /// @param x  ρ/ρ₀
  static double elastic_energy(const Material& material, double x) {
    if (x <= 1) return material.sound_speed * material.sound_speed * linear_elastic_energy(x);
    const MieGrueneisen<double> cold = MieGrueneisen<double>::make(material);
    constexpr int panels = 32;
    constexpr double node = 0.774596669241483377;  // √(3/5), of three points
    const double half = (x - 1) / panels / 2;
    double sum = 0;
    for (int panel = 0; panel < panels; ++panel)
      for (int point = -1; point <= 1; ++point) {
        const double at_x = 1 + half * (2 * panel + 1 + point * node);
        const MaterialState<double> state{material.density, 1 / material.density, (at_x - 1) * material.density, 0};
        sum += (point == 0 ? 8.0 / 9 : 5.0 / 9) * half * cold.pressure(state) / (at_x * at_x);
      }
    return sum / material.density;
  }
};

}  // namespace shoal::sph
