// SPDX-License-Identifier: Apache-2.0
// Pressure of one particle from its density deviation and internal energy, and back.
#pragma once
#include <cmath>

#include "core/real.hpp"
#include "sph/parameters.hpp"
#include "sph/state.hpp"

namespace shoal::sph {

/// p(ρ₀ + deviation, u), formulas at sph::Material. Written in μ = deviation/ρ₀, so that a float keeps its digits where
/// the density hardly changes.
template <class Real>
SHOAL_HD Real pressure(const EosParameters<Real>& eos, Real deviation, Real energy) {
  const Real mu = deviation * eos.inverse_density;
  if (eos.kind == EquationOfState::tait) {
    if (eos.exponent_is_seven)  // (1 + μ)⁷ − 1
      return eos.stiffness * mu * (7 + mu * (21 + mu * (35 + mu * (35 + mu * (21 + mu * (7 + mu))))));
    return eos.stiffness * std::expm1(eos.exponent * std::log1p(mu));
  }
  const Real cold = mu < 0 ? mu * (eos.tension[0] + mu * eos.tension[1])
                           : mu * (eos.compression[0] + mu * (eos.compression[1] + mu * eos.compression[2]));
  return cold + (eos.heating[0] + eos.heating[1] * positive_part(mu)) * energy;
}

/// The density deviation at which tait, or the linear part of a polynomial, has pressure p.
template <class Real>
SHOAL_HD Real deviation_at(const EosParameters<Real>& eos, Real p) {
  if (eos.kind == EquationOfState::tait) return eos.density * std::expm1(std::log1p(p / eos.stiffness) / eos.exponent);
  return eos.density * p / eos.compression[0];
}

/// p/ρ².
template <class Real>
SHOAL_HD Real stress_of(const EosParameters<Real>& eos, Real deviation, Real p) {
  const Real inverse = fast_reciprocal(eos.density + deviation);
  return p * inverse * inverse;
}

}  // namespace shoal::sph
