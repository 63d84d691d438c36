// SPDX-License-Identifier: Apache-2.0
// Apparent viscosity of a particle, from the velocity gradient around it and the curve of its material.
#pragma once
#include "sph/physics/gradients/shear_rate_item.hpp"
#include "sph/physics/rheologies/flow_curve.hpp"

namespace shoal::sph {

/// Sets the viscosity of a fluid particle, Pa s.
/// @param curves  [materials]
/// @return  friction rate η/(ρ₀ h²), 1/s
template <class Real, int dimensions>
SHOAL_HD double set_apparent_viscosity(const FlowCurve<Real>* curves, const GeneralParticle<Real, dimensions>& particle,
                                       const VelocityGradientSums<Real, dimensions>& sums, Real& viscosity) {
  const FlowCurve<Real>& curve = curves[particle.properties.material()];
  viscosity = apparent_viscosity(curve, shear_rate(sums));
  const double h = particle.properties.smoothing_length;
  return static_cast<double>(viscosity) / (static_cast<double>(curve.density) * h * h);
}

}  // namespace shoal::sph
