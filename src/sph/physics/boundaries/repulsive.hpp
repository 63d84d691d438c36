// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/physics.hpp"

namespace shoal::sph {

/// Walls that push fluid away and take no part in any other sum:
///
///     dv_i/dt += m_j / (m_i + m_j) h^D c² W x_ij / r²
///
/// Source: the paper's code, with the unit vector over r; see docs/theory/sph.md.
struct RepulsiveWalls {
  static constexpr Walls kind = Walls::repulsive;
  static constexpr bool has_own_force = true;
  static constexpr bool evolves_density = false;
  static constexpr bool sums_over_fluid = false;
  static constexpr bool has_pressure = false;

  template <class Physics, class Real, int dimensions>
  SHOAL_HD static void add_force(const Parameters<Real, dimensions>& parameters,
                                 const ParticleOf<Physics, Real, dimensions>& i,
                                 const ParticleOf<Physics, Real, dimensions>& wall,
                                 RatesOf<Physics, Real, dimensions>& rates) {
    const Separation<Real, dimensions> pair = Physics::separation(parameters, i.position, wall.position);
    const Real q = quick_sqrt(pair.squared) * Physics::inverse_smoothing_length(parameters, wall);
    const Real factor = Physics::repulsion(parameters, i, wall) * Physics::kernel_shape(parameters, q) *
                        fast_reciprocal(pair.squared + Physics::repulsion_softening(parameters, wall));
    for (int axis = 0; axis < dimensions; ++axis) rates.repulsion[axis] += factor * pair.x[axis];
  }
};

}  // namespace shoal::sph
