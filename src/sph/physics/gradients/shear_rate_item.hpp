// SPDX-License-Identifier: Apache-2.0
// Shear rate of a particle, from the velocity gradient that its neighbors sum to.
#pragma once
#include "sph/physics/gradients/velocity_gradient_item.hpp"

namespace shoal::sph {

/// Adds neighbor j, as laminar viscosity has it: walls without slip count with their viscous velocity, others do not.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_velocity_gradient(const Parameters<Real, dimensions>& parameters,
                                    const ParticleOf<Physics, Real, dimensions>& i,
                                    const ParticleOf<Physics, Real, dimensions>& j,
                                    VelocityGradientSums<Real, dimensions>& sums) {
  if (is_wall(j.position) && !parameters.model.no_slip) return;
  const Separation<Real, dimensions> pair = Physics::separation(parameters, i.position, j.position);
  const Real weight = Physics::weighted_gradient(parameters, i, j, quick_sqrt(pair.squared)) *
                      fast_reciprocal(density_of<Physics>(parameters, j));
  sums.add(weight, pair.x,
           [&](int row) { return Physics::viscous_velocity(j).v[row] - Physics::viscous_velocity(i).v[row]; });
}

/// γ̇ = √(2 D:D) with D = (∇v + ∇vᵀ)/2, 1/s.
template <class Real, int dimensions>
SHOAL_HD Real shear_rate(const VelocityGradientSums<Real, dimensions>& sums) {
  const VelocityGradient<Real, dimensions> gradient = velocity_gradient(sums);
  Real squared = 0;
  for (int row = 0; row < dimensions; ++row)
    for (int column = 0; column < dimensions; ++column) {
      const Real rate = (gradient.rate[row][column] + gradient.rate[column][row]) / 2;
      squared += rate * rate;
    }
  return quick_sqrt(2 * squared);
}

}  // namespace shoal::sph
