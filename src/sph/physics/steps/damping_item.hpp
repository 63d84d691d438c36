// SPDX-License-Identifier: Apache-2.0
// Decay of the velocity of a particle in damping zones.
#pragma once
#include <cmath>
#include <cstdint>

#include "core/real.hpp"
#include "sph/physics/state.hpp"

namespace shoal::sph {

constexpr int max_damping_zones = 8;

/// A zone in the coordinates of the lattice.
template <class Real, int dimensions>
struct ZoneParameters {
  Coordinate<Real> from[dimensions], to[dimensions];
  int axis;                 ///< axis along which the decay grows
  Coordinate<Real> origin;  ///< coordinate where s = 0
  Real inverse_length;      ///< inverse of the length of the zone, 1/units; negative if s grows against the axis
  Real rate;                ///< decay rate where s = 1, 1/s
};

/// All zones of a case. Kernels receive them by value.
template <class Real, int dimensions>
struct DampingParameters {
  int zones;
  ZoneParameters<Real, dimensions> zone[max_damping_zones];
};

/// Decay rate Σ rate s² of all zones at a position, 1/s.
template <class Real, int dimensions>
SHOAL_HD Real decay_rate(const DampingParameters<Real, dimensions>& damping,
                         const PositionDensity<Real, dimensions>& position) {
  Real sum = 0;
  for (int k = 0; k < damping.zones; ++k) {
    const ZoneParameters<Real, dimensions>& zone = damping.zone[k];
    bool is_inside = true;
    for (int axis = 0; axis < dimensions; ++axis)
      is_inside = is_inside && position.x[axis] >= zone.from[axis] && position.x[axis] <= zone.to[axis];
    if (!is_inside) continue;
    const Real s = static_cast<Real>(position.x[zone.axis] - zone.origin) * zone.inverse_length;
    sum += zone.rate * s * s;
  }
  return sum;
}

/// Lets particle i of a state lose velocity for a step; with verlet also the velocity from which the next step starts.
template <class Real, int dimensions>
SHOAL_HD void damp(const DampingParameters<Real, dimensions>& damping, double dt,
                   const StateView<Real, dimensions>& state, std::int64_t i) {
  const PositionDensity<Real, dimensions> position = state.position[i];
  if (is_wall(position)) return;
  const Real rate = decay_rate(damping, position);
  if (rate == 0) return;
  const Real factor = std::exp(-rate * static_cast<Real>(dt));
  for (int axis = 0; axis < dimensions; ++axis) {
    state.velocity[i].v[axis] *= factor;
    if (state.previous) state.previous[i].velocity[axis] *= factor;
  }
}

}  // namespace shoal::sph
