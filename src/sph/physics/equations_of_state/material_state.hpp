// SPDX-License-Identifier: Apache-2.0
// State of a particle as an equation of state takes it.
#pragma once
#include <shoal/sph/case.hpp>

#include <cmath>
#include <string_view>

#include "core/real.hpp"
#include "sph/require_number.hpp"

namespace shoal::sph {

/// Density and internal energy of a particle. Pressure is written in μ = ρ/ρ₀ − 1, so that a float keeps its digits where
/// the density hardly changes.
template <class Real>
struct MaterialState {
  Real reference;          ///< ρ₀, kg/m³
  Real inverse_reference;  ///< 1/ρ₀
  Real deviation;          ///< ρ − ρ₀, kg/m³
  Real energy;             ///< u, J/kg

  SHOAL_HD Real mu() const { return deviation * inverse_reference; }
  SHOAL_HD Real density() const { return reference + deviation; }
};

/// c² = ∂p/∂ρ at constant u + p/ρ² ∂p/∂u at constant ρ.
/// @param stiffness  ∂p/∂μ, Pa
/// @param heating    ∂p/∂u, kg/m³
template <class Real>
SHOAL_HD Real sound_speed_squared_of(const MaterialState<Real>& state, Real pressure, Real stiffness, Real heating) {
  const Real density = state.density();
  return stiffness * state.inverse_reference + pressure / (density * density) * heating;
}

/// ∫ μ/x² dx from 1 to x = ρ/ρ₀: the elastic energy of p = ρ₀ c² μ in units of c².
inline double linear_elastic_energy(double x) { return std::log(x) + 1 / x - 1; }

}  // namespace shoal::sph
