// SPDX-License-Identifier: Apache-2.0
// Table of the equations of state, and their evaluation for one particle. An equation is a struct in
// equations_of_state/ with these members, and an entry in EquationsOfState:
//
//     formula                  text for the documentation
//     keys                     case-file keys of [material.NAME] that it has besides density and least_pressure
//     check(material)          throws an Error for a value that makes no sense
//     make(material)           coefficients
//     has_constant_sound_speed   plain physics takes the sound speed of the material
//     is_plain_with_fixed_step   plain physics takes it where the time step does not depend on it
//     has_density_at_pressure    pressure alone determines the density
//     pressure, sound_speed_squared, in_range, density_deviation_at
//     elastic_energy(material, ρ/ρ₀)   ∫ p dρ/ρ² from ρ₀ at u = 0, J/kg
#pragma once
#include "sph/physics/alternatives.hpp"
#include "sph/physics/equations_of_state/ideal_gas.hpp"
#include "sph/physics/equations_of_state/linear.hpp"
#include "sph/physics/equations_of_state/mie_grueneisen.hpp"
#include "sph/physics/equations_of_state/polynomial.hpp"
#include "sph/physics/equations_of_state/tait.hpp"

namespace shoal::sph {

template <class Real>
using EquationsOfState =
    Alternatives<EquationOfState, Tait<Real>, Polynomial<Real>, Linear<Real>, MieGrueneisen<Real>, IdealGas<Real>>;

/// One of several coefficient structs; the reader knows which.
template <class First, class... Rest>
union OneOf {
  First first;
  OneOf<Rest...> rest;

  template <class T>
  SHOAL_HD constexpr const T& get() const {
    if constexpr (std::is_same_v<T, First>)
      return first;
    else
      return rest.template get<T>();
  }
  template <class T>
  constexpr void set(const T& value) {
    if constexpr (std::is_same_v<T, First>)
      first = value;
    else
      rest.set(value);
  }
};
template <class First>
union OneOf<First> {
  First first;

  template <class T>
  SHOAL_HD constexpr const T& get() const {
    return first;
  }
  template <class T>
  constexpr void set(const T& value) {
    first = value;
  }
};

/// Equation of state of a material, ready to evaluate.
template <class Real>
struct EosParameters {
  EquationOfState kind;
  Real density;          ///< ρ₀, kg/m³
  Real inverse_density;  ///< 1/ρ₀
  Real least_pressure;   ///< Pa; −∞: no cut-off
  OneOf<Tait<Real>, Polynomial<Real>, Linear<Real>, MieGrueneisen<Real>, IdealGas<Real>> coefficients;

  SHOAL_HD MaterialState<Real> state(Real deviation, Real energy) const {
    return {density, inverse_density, deviation, energy};
  }
};

/// Calls visit(equation) with the coefficients of the equation of state.
SHOAL_CALLS_ARGUMENT
template <class Real, class Visit>
SHOAL_HD decltype(auto) with_equation_of_state(const EosParameters<Real>& eos, const Visit& visit) {
  return EquationsOfState<Real>::visit(
      eos.kind, [&]<class Equation> { return visit(eos.coefficients.template get<Equation>()); });
}

/// p(ρ₀ + deviation, u), formulas at sph::Material.
template <class Real>
SHOAL_HD Real pressure(const EosParameters<Real>& eos, Real deviation, Real energy) {
  const Real uncut = with_equation_of_state(
      eos, [&](const auto& equation) { return equation.pressure(eos.state(deviation, energy)); });
  return max(uncut, eos.least_pressure);
}

/// c² = ∂p/∂ρ at constant u + p/ρ² ∂p/∂u at constant ρ, without the cut-off.
template <class Real>
SHOAL_HD Real sound_speed_squared(const EosParameters<Real>& eos, Real deviation, Real energy) {
  return with_equation_of_state(
      eos, [&](const auto& equation) { return equation.sound_speed_squared(eos.state(deviation, energy)); });
}

/// Returns false where the equation of state is not valid: no density left, beyond a pole, a gas without heat.
template <class Real>
SHOAL_HD bool in_range(const EosParameters<Real>& eos, Real deviation, Real energy) {
  if (!(eos.density + deviation > 0)) return false;
  return with_equation_of_state(eos,
                                [&](const auto& equation) { return equation.in_range(eos.state(deviation, energy)); });
}

/// Density deviation at which tait, or the linear part of another equation of state, has pressure p.
template <class Real>
SHOAL_HD Real density_deviation_at(const EosParameters<Real>& eos, Real p) {
  return with_equation_of_state(eos,
                                [&](const auto& equation) { return equation.density_deviation_at(eos.density, p); });
}

/// Returns true if pressure alone determines the density.
template <class Real>
SHOAL_HD bool has_density_at_pressure(const EosParameters<Real>& eos) {
  return EquationsOfState<Real>::visit(eos.kind, [&]<class Equation> { return Equation::has_density_at_pressure; });
}

/// p/ρ².
template <class Real>
SHOAL_HD Real pressure_over_density2(const EosParameters<Real>& eos, Real deviation, Real p) {
  const Real inverse = fast_reciprocal(eos.density + deviation);
  return p * inverse * inverse;
}

template <class Real>
EosParameters<Real> make_eos(const Material& material);

/// Elastic energy of a material at a density, J/kg: ∫ p dρ/ρ² from ρ₀ at u = 0, with p no less than least_pressure.
double elastic_energy(const Material& material, double density);

}  // namespace shoal::sph
