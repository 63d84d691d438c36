// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

#include "sph/physics/equations_of_state/material_state.hpp"

namespace shoal::sph {

/// p = (γ − 1) ρ u.
template <class Real>
struct IdealGas {
  static constexpr EquationOfState kind = EquationOfState::ideal_gas;
  static constexpr const char* formula = "p = (gamma - 1) rho u";
  static constexpr std::string_view keys[] = {"exponent"};
  static constexpr bool has_constant_sound_speed = false;
  static constexpr bool is_plain_with_fixed_step = false;
  static constexpr bool has_density_at_pressure = false;

  Real exponent;  ///< γ

  static void check(const Material& material) {
    require(material.exponent > 1 && std::isfinite(material.exponent), "sph: material.exponent = ", material.exponent,
            ", expected more than 1: the ratio of the heats of a gas.");
  }
  static IdealGas make(const Material& material) { return {static_cast<Real>(material.exponent)}; }

  SHOAL_HD Real pressure(const MaterialState<Real>& state) const {
    return (exponent - 1) * state.density() * state.energy;
  }
  SHOAL_HD Real sound_speed_squared(const MaterialState<Real>& state) const {
    return exponent * (exponent - 1) * state.energy;
  }
  SHOAL_HD bool in_range(const MaterialState<Real>& state) const { return state.energy >= 0; }
  /// NaN: pressure alone does not determine the density of a gas.
  SHOAL_HD Real density_deviation_at(Real, Real) const { return static_cast<Real>(NAN); }

  /// 0: without heat a gas has no pressure. Its energy is internal.
  static double elastic_energy(const Material&, double) { return 0; }
};

}  // namespace shoal::sph
