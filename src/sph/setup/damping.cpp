// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/damping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sph/require_number.hpp"
#include "sph/setup/filling/part_bounds.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
DampingParameters<Real, dimensions> make_damping(const Case& simulation, const Lattice& lattice) {
  using Limits = std::numeric_limits<Coordinate<Real>>;
  const auto coordinate = [&](double x, int axis) {
    const double units = std::round((x - lattice.origin[axis]) / lattice.unit);
    if (units <= static_cast<double>(Limits::min())) return Limits::min();
    if (units >= static_cast<double>(Limits::max())) return Limits::max();
    return static_cast<Coordinate<Real>>(units);
  };
  DampingParameters<Real, dimensions> damping{};
  for (const DampingZone& zone : simulation.damping) {
    ZoneParameters<Real, dimensions>& parameters = damping.zone[damping.zones++];
    for (int axis = 0; axis < dimensions; ++axis) {
      parameters.from[axis] = coordinate(zone.box.from[axis], axis);
      parameters.to[axis] = coordinate(zone.box.to[axis], axis);
    }
    const int axis = parameters.axis = axis_of(zone.toward, dimensions);
    const double length = (zone.box.to[axis] - zone.box.from[axis]) / lattice.unit;
    parameters.origin = is_upper(zone.toward) ? parameters.from[axis] : parameters.to[axis];
    parameters.inverse_length = static_cast<Real>(is_upper(zone.toward) ? 1 / length : -1 / length);
    parameters.rate = static_cast<Real>(zone.rate);
  }
  return damping;
}

void check_damping(const Case& simulation) {
  for (const DampingZone& zone : simulation.damping) {
    for (int axis = 0; axis < simulation.dimensions; ++axis) {
      const double from = zone.box.from[axis], to = zone.box.to[axis];
      require(std::isfinite(to - from) && from < to, "sph: damping.box spans [", from, ", ", to, "] m along ",
              to_name(static_cast<Axis>(axis)), ", expected two finite numbers, the second one larger.");
    }
    require_positive(zone.rate, "damping.rate", " 1/s");
    axis_of(zone.toward, simulation.dimensions);
  }
}

template DampingParameters<float, 1> make_damping(const Case&, const Lattice&);
template DampingParameters<float, 2> make_damping(const Case&, const Lattice&);
template DampingParameters<float, 3> make_damping(const Case&, const Lattice&);
template DampingParameters<double, 1> make_damping(const Case&, const Lattice&);
template DampingParameters<double, 2> make_damping(const Case&, const Lattice&);
template DampingParameters<double, 3> make_damping(const Case&, const Lattice&);

}  // namespace shoal::sph
