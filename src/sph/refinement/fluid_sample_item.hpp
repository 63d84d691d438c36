// SPDX-License-Identifier: Apache-2.0
// A particle of fluid from which particles of another level take values.
#pragma once
#include "sph/open_boundaries/fluid_fit_item.hpp"
#include "sph/open_boundaries/held_particle_item.hpp"
#include "sph/refinement/level_zones_item.hpp"

namespace shoal::sph {

/// Place in meters, the same in the lattices of all levels.
template <int dimensions>
using Place = Numbers<dimensions>;

template <class Real, int dimensions>
SHOAL_HD Place<dimensions> place_of(const LevelZones<Real, dimensions>& zones,
                                    const PositionDensity<Real, dimensions>& position) {
  Place<dimensions> place;
  for (int axis = 0; axis < dimensions; ++axis) place[axis] = zones.meters(position, axis);
  return place;
}

template <class Real, int dimensions>
SHOAL_HD PositionDensity<Real, dimensions> position_of(const LevelZones<Real, dimensions>& zones,
                                                       const Place<dimensions>& place) {
  PositionDensity<Real, dimensions> position{};
  for (int axis = 0; axis < dimensions; ++axis) position.x[axis] = zones.units(place[axis], axis);
  return position;
}

/// Pressure and velocity of particle i.
template <class Real, int dimensions>
SHOAL_HD HeldValues<dimensions> values_of(const Parameters<Real, dimensions>& parameters,
                                          const StateView<Real, dimensions>& state, std::int64_t i) {
  HeldValues<dimensions> values;
  values[0] = pressure_at(parameters, state, i);
  for (int axis = 0; axis < dimensions; ++axis) values[axis + 1] = static_cast<double>(state.velocity[i].v[axis]);
  return values;
}

template <int dimensions>
struct FluidSample {
  Place<dimensions> place;        ///< m
  HeldValues<dimensions> values;  ///< pressure and velocity
  double density;                 ///< kg/m³
  double volume;                  ///< times the scale of the kernel
};

template <class Real, int dimensions>
SHOAL_HD FluidSample<dimensions> sample_of(const Parameters<Real, dimensions>& parameters,
                                           const LevelZones<Real, dimensions>& zones,
                                           const StateView<Real, dimensions>& state, std::int64_t i) {
  const double density = density_at(parameters, state, i);
  return {place_of(zones, state.position[i]), values_of(parameters, state, i), density,
          static_cast<double>(parameters.value_scale) * static_cast<double>(mass_of(parameters, state.properties, i)) /
              density};
}

/// Way from a place to another one, and the square of its length.
template <int dimensions>
struct WayBetween {
  Place<dimensions> along;  ///< m
  double squared;           ///< m²

  SHOAL_HD WayBetween(const Place<dimensions>& start, const Place<dimensions>& end) : squared(0) {
    for (int axis = 0; axis < dimensions; ++axis) {
      along[axis] = end[axis] - start[axis];
      squared += along[axis] * along[axis];
    }
  }
};

/// A particle as the sums at a place within its support take it. Hydrostatic pressure is taken out.
/// @param parameters  of the level of the particle
/// @param way         from the place to the particle
template <class Real, int dimensions>
SHOAL_HD auto terms_of(const Parameters<Real, dimensions>& parameters, const FluidSample<dimensions>& sample,
                       const WayBetween<dimensions>& way) {
  const double h = static_cast<double>(parameters.smoothing_length), q = std::sqrt(way.squared) / h;
  typename FluidFit<dimensions>::Vector apart;
  double head = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    apart[axis] = way.along[axis] / h;
    head += static_cast<double>(parameters.gravity[axis]) * way.along[axis];
  }
  HeldValues<dimensions> values = sample.values;
  values[0] -= sample.density * head;
  return with_kernel(parameters.kernel, [&]<Kernel kernel> {
    return typename FluidFit<dimensions>::Terms(apart, sample.volume * kernel_shape<kernel>(q),
                                                sample.volume * kernel_gradient<kernel>(q), values);
  });
}

/// Values at the place of the sums: no new extremes, so that an impact cannot give a tension or a speed that nothing has.
template <int dimensions>
SHOAL_HD HeldValues<dimensions> values_of(const FluidFit<dimensions>& fit) {
  return fit.values_at({}, Extrapolation::linear, 0);
}

}  // namespace shoal::sph
