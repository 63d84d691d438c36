// SPDX-License-Identifier: Apache-2.0
// Apparent viscosity over the shear rate: the formula of every model of rheology, and checks that models share.
#pragma once
#include <shoal/item/host_device.hpp>
#include <shoal/sph/case.hpp>

#include <cmath>

#include "core/real.hpp"
#include "sph/require_number.hpp"

namespace shoal::sph {

/// Coefficients of Herschel and Bulkley with the factor of Papanastasiou.
template <class Real>
struct FlowCurve {
  Real yield_stress;    ///< τ_y, Pa
  Real consistency;     ///< K, Pa sⁿ
  Real exponent;        ///< n
  Real regularization;  ///< m, s
  Real most_viscosity;  ///< Pa s
  Real density;         ///< ρ₀, kg/m³
};

/// η = K γ̇ⁿ⁻¹ + τ_y (1 − exp(−m γ̇))/γ̇, at most most_viscosity, Pa s. At rest the second term is τ_y m.
/// @param shear_rate  γ̇ ≥ 0, 1/s
template <class Real>
SHOAL_HD Real apparent_viscosity(const FlowCurve<Real>& curve, Real shear_rate) {
  const Real viscous =
      curve.exponent == 1 ? curve.consistency : curve.consistency * std::pow(shear_rate, curve.exponent - 1);
  const Real yielding = shear_rate > 0
                            ? -curve.yield_stress * std::expm1(-curve.regularization * shear_rate) / shear_rate
                            : curve.yield_stress * curve.regularization;
  return min(viscous + yielding, curve.most_viscosity);
}

/// Bound of the viscosity, Pa s: the given one, or the limit at rest of a curve with n = 1.
/// @param curve  members of herschel_bulkley
inline double most_viscosity(const Rheology& curve) {
  return curve.most_viscosity.value_or(curve.consistency + curve.yield_stress * curve.regularization);
}

/// @param curve    members of herschel_bulkley
/// @param density  ρ₀, kg/m³
template <class Real>
FlowCurve<Real> make_flow_curve(const Rheology& curve, double density) {
  return {.yield_stress = static_cast<Real>(curve.yield_stress),
          .consistency = static_cast<Real>(curve.consistency),
          .exponent = static_cast<Real>(curve.exponent),
          .regularization = static_cast<Real>(curve.regularization),
          .most_viscosity = static_cast<Real>(most_viscosity(curve)),
          .density = static_cast<Real>(density)};
}

inline void check_viscosity(const Rheology& rheology) {
  require_positive(rheology.consistency, "material.rheology.consistency", " Pa s^n");
  if (rheology.most_viscosity) require_positive(*rheology.most_viscosity, "material.rheology.most_viscosity", " Pa s");
}

inline void check_yielding(const Rheology& rheology) {
  require_positive(rheology.yield_stress, "material.rheology.yield_stress", " Pa");
  require_positive(rheology.regularization, "material.rheology.regularization", " s");
}

/// Requires a bound where the exponent leaves the viscosity without one: at rest below 1, at high shear rates above 1.
inline void check_exponent(const Rheology& rheology) {
  require_positive(rheology.exponent, "material.rheology.exponent", "");
  require(rheology.exponent == 1 || rheology.most_viscosity, "sph: material.rheology.exponent = ", rheology.exponent,
          ", which leaves the viscosity without a bound. Give material.rheology.most_viscosity (Pa s).");
}

}  // namespace shoal::sph
