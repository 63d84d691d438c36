// SPDX-License-Identifier: Apache-2.0
// Pressure of one particle from its density deviation and internal energy, and back.
#pragma once
#include <cmath>

#include "core/real.hpp"
#include "sph/physics/parameters.hpp"
#include "sph/physics/state.hpp"

namespace shoal::sph {

/// p(ρ₀ + deviation, u) without its cut-off. Written in μ = deviation/ρ₀, so that a float keeps its digits where the
/// density hardly changes.
template <class Real>
SHOAL_HD Real uncut_pressure(const EosParameters<Real>& eos, Real deviation, Real energy) {
  const Real mu = deviation * eos.inverse_density;
  if (eos.kind == EquationOfState::tait) {
    if (eos.exponent_is_seven)  // (1 + μ)⁷ − 1
      return eos.stiffness * mu * (7 + mu * (21 + mu * (35 + mu * (35 + mu * (21 + mu * (7 + mu))))));
    return eos.stiffness * std::expm1(eos.exponent * std::log1p(mu));
  }
  if (eos.kind == EquationOfState::polynomial) {
    const Real cold = mu < 0 ? mu * (eos.tension[0] + mu * eos.tension[1])
                             : mu * (eos.compression[0] + mu * (eos.compression[1] + mu * eos.compression[2]));
    return cold + (eos.heating[0] + eos.heating[1] * positive_part(mu)) * energy;
  }
  if (eos.kind == EquationOfState::ideal_gas) return (eos.exponent - 1) * (eos.density + deviation) * energy;
  const Real heat = eos.heating[0] * energy;
  if (eos.kind == EquationOfState::linear || mu < 0) return eos.bulk_modulus * mu + heat;
  const Real near = 1 / (1 - eos.pole * mu);
  return eos.bulk_modulus * mu * near * near * (1 + mu - eos.grueneisen * mu / 2) + heat;
}

/// p(ρ₀ + deviation, u), formulas at sph::Material.
template <class Real>
SHOAL_HD Real pressure(const EosParameters<Real>& eos, Real deviation, Real energy) {
  return max(uncut_pressure(eos, deviation, energy), eos.least_pressure);
}

/// c² = ∂p/∂ρ at constant u + p/ρ² ∂p/∂u at constant ρ, without the cut-off.
template <class Real>
SHOAL_HD Real sound_speed_squared(const EosParameters<Real>& eos, Real deviation, Real energy) {
  const Real mu = deviation * eos.inverse_density;
  const Real density = eos.density + deviation;
  if (eos.kind == EquationOfState::tait) {
    const Real cubed = (1 + mu) * (1 + mu) * (1 + mu);
    return eos.sound_speed_squared * (eos.exponent_is_seven ? cubed * cubed : std::pow(1 + mu, eos.exponent - 1));
  }
  if (eos.kind == EquationOfState::ideal_gas) return eos.exponent * (eos.exponent - 1) * energy;
  Real stiffness = eos.bulk_modulus;  // ∂p/∂μ
  Real heating = eos.heating[0];      // ∂p/∂u
  if (eos.kind == EquationOfState::polynomial) {
    stiffness = mu < 0 ? eos.tension[0] + 2 * mu * eos.tension[1]
                       : eos.compression[0] + mu * (2 * eos.compression[1] + 3 * mu * eos.compression[2]) +
                             eos.heating[1] * energy;
    heating += eos.heating[1] * positive_part(mu);
  } else if (eos.kind == EquationOfState::mie_grueneisen && mu > 0) {
    const Real near = 1 / (1 - eos.pole * mu);
    stiffness *=
        near * near * (1 + 2 * mu - eos.grueneisen * mu + eos.pole * mu * near * (2 + 2 * mu - eos.grueneisen * mu));
  }
  return stiffness * eos.inverse_density + uncut_pressure(eos, deviation, energy) / (density * density) * heating;
}

/// False where the equation of state has no answer: no density left, beyond the pole of mie_grueneisen, a gas without
/// heat.
template <class Real>
SHOAL_HD bool in_range(const EosParameters<Real>& eos, Real deviation, Real energy) {
  if (!(eos.density + deviation > 0)) return false;
  if (eos.kind == EquationOfState::mie_grueneisen) return eos.pole * (deviation * eos.inverse_density) < 1;
  return eos.kind != EquationOfState::ideal_gas || energy >= 0;
}

/// The density deviation at which tait, or the linear part of another equation of state, has pressure p. An ideal_gas
/// has none without its energy.
template <class Real>
SHOAL_HD Real density_deviation_at(const EosParameters<Real>& eos, Real p) {
  if (eos.kind == EquationOfState::tait) return eos.density * std::expm1(std::log1p(p / eos.stiffness) / eos.exponent);
  if (eos.kind == EquationOfState::polynomial) return eos.density * p / eos.compression[0];
  return p / eos.sound_speed_squared;
}

/// Returns true if pressure alone determines the density: not for an ideal_gas.
template <class Real>
SHOAL_HD bool has_density_at_pressure(const EosParameters<Real>& eos) {
  return eos.kind != EquationOfState::ideal_gas;
}

/// p/ρ².
template <class Real>
SHOAL_HD Real pressure_over_density2(const EosParameters<Real>& eos, Real deviation, Real p) {
  const Real inverse = fast_reciprocal(eos.density + deviation);
  return p * inverse * inverse;
}

}  // namespace shoal::sph
