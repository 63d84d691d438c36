// SPDX-License-Identifier: Apache-2.0
// Pressure of one wall particle from the fluid around it (Adami, Hu and Adams 2012).
#pragma once
#include "sph/physics/eos_item.hpp"
#include "sph/physics/pair_item.hpp"

namespace shoal::sph {

/// Sums of a wall particle over its fluid neighbors.
template <class Real, int dimensions>
struct WallSums {
  Real weight = 0;    ///< Σ W
  Real pressure = 0;  ///< Σ p W
  Real head = 0;      ///< Σ ρ g·(x_wall − x_fluid) W
};

/// Adds one fluid neighbor. W without its scale, which cancels.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_fluid(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>& wall,
                        const Particle<Real, dimensions>& fluid, WallSums<Real, dimensions>& sums) {
  const Separation<Real, dimensions> pair = separation(parameters, wall.place, fluid.place);
  const Real weight = Physics::shape(parameters, quick_sqrt(pair.squared) * parameters.inverse_smoothing_length);
  const Real density = parameters.eos.density + fluid.place.density;
  Real head = 0;
  for (int axis = 0; axis < dimensions; ++axis) head += parameters.gravity[axis] * pair.x[axis];
  sums.weight += weight;
  sums.pressure += weight * (fluid.stress() * density * density);
  sums.head += weight * density * head;
}

/// The wall particle with pressure (Σ p W + g·Σ ρ (x_w − x_f) W) / Σ W and the density of that pressure. A wall does
/// not pull: a negative pressure counts as 0, and so does a wall particle without fluid.
template <class Real, int dimensions>
SHOAL_HD Particle<Real, dimensions> with_pressure(const Parameters<Real, dimensions>& parameters,
                                                  Particle<Real, dimensions> wall,
                                                  const WallSums<Real, dimensions>& sums) {
  const Real p = sums.weight > 0 ? positive_part((sums.pressure + sums.head) / sums.weight) : Real(0);
  wall.place.density = deviation_at(parameters.eos, p);
  wall.set_stress(stress_of(parameters.eos, wall.place.density, p));
  return wall;
}

}  // namespace shoal::sph
