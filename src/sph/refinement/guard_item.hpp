// SPDX-License-Identifier: Apache-2.0
// Particles of the guard zone of a level, whose values go from those of one time to those of the next one through a step, and
// particles that enter it.
#pragma once
#include "sph/refinement/fluid_sample_item.hpp"

namespace shoal::sph {

/// Place of particle i at the end of a step by its velocity at the start.
template <class Real, int dimensions>
SHOAL_HD Place<dimensions> place_after(const LevelZones<Real, dimensions>& zones,
                                       const StateView<Real, dimensions>& base, std::int64_t i, double dt) {
  Place<dimensions> place = place_of(zones, base.position[i]);
  for (int axis = 0; axis < dimensions; ++axis) place[axis] += dt * static_cast<double>(base.velocity[i].v[axis]);
  return place;
}

/// Values after a step where the parent has no fluid: those of a free fall.
template <class Real, int dimensions>
SHOAL_HD void fall(const Parameters<Real, dimensions>& parameters, double dt, HeldValues<dimensions>& values) {
  for (int axis = 0; axis < dimensions; ++axis) values[axis + 1] += dt * static_cast<double>(parameters.gravity[axis]);
}

/// Sums of a particle of the guard zone over those that are nearer than a spacing, fluid and walls. Its place follows no force:
/// in a step it gives way to each of them by a share of what lacks, so that parts of coarse particles that are close together
/// fill the space between these. Without this, water that is denser in places than its pressure says expands behind the zone.
template <int dimensions>
struct Arrangement {
  Place<dimensions> way{};  ///< m

  /// @param apart  from the neighbor to the particle
  SHOAL_HD void add(double spacing, const WayBetween<dimensions>& apart) {
    if (apart.squared >= spacing * spacing || apart.squared == 0) return;
    const double factor = share * (spacing / std::sqrt(apart.squared) - 1);
    for (int axis = 0; axis < dimensions; ++axis) way[axis] += factor * apart.along[axis];
  }

  /// The way of a step, no longer than a share of the spacing along each axis.
  SHOAL_HD Place<dimensions> limited(double spacing) const {
    Place<dimensions> limited = way;
    for (int axis = 0; axis < dimensions; ++axis)
      limited[axis] = min(max(limited[axis], -longest * spacing), longest * spacing);
    return limited;
  }

 private:
  static constexpr double share = 0.1;     ///< part of the missing distance by which each of two particles moves
  static constexpr double longest = 0.05;  ///< spacings
};

/// The way of a particle at a place. Within a spacing of a side of the level it has no part towards the side, beyond which
/// there are no particles to hold it back.
template <class Real, int dimensions>
SHOAL_HD Place<dimensions> shift_of(const LevelZones<Real, dimensions>& zones, const Place<dimensions>& place,
                                    const Arrangement<dimensions>& arrangement) {
  Place<dimensions> way = arrangement.limited(zones.spacing);
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto side = [&](Coordinate<Real> units) {
      return zones.origin[axis] + zones.unit * static_cast<double>(units);
    };
    if (place[axis] - side(zones.region.from[axis]) < zones.spacing) way[axis] = max(way[axis], 0.0);
    if (side(zones.region.to[axis]) - place[axis] < zones.spacing) way[axis] = min(way[axis], 0.0);
  }
  return way;
}

/// Values and shift of a particle of the guard zone in a step.
template <int dimensions>
struct GuardTarget {
  HeldValues<dimensions> values;  ///< after the step
  Place<dimensions> shift;        ///< m, besides the integral of the velocity
};

/// Moves particle i through a stage, in place of what the method wrote for it: values are linear in time, and the way is the
/// integral of the velocity and the shift.
template <class Real, int dimensions>
SHOAL_HD void follow(const Parameters<Real, dimensions>& parameters, int stage, double dt,
                     const GuardTarget<dimensions>& target, const StateView<Real, dimensions>& base,
                     const StateView<Real, dimensions>& next, std::int64_t i) {
  const HeldValues<dimensions>& end = target.values;
  const double share = stage_time(parameters.integrator, stage);
  HeldValues<dimensions> values = values_of(parameters, base, i);
  Particle<Real, dimensions> particle = base.load(i);
  for (int axis = 0; axis < dimensions; ++axis) {
    const double change = end[axis + 1] - values[axis + 1];
    const double way = dt * (share * values[axis + 1] + share * share / 2 * change) + share * target.shift[axis];
    particle.position.x[axis] +=
        static_cast<Coordinate<Real>>(2 * std::llround(way * static_cast<double>(parameters.inverse_unit) / 2));
  }
  for (int k = 0; k < FluidFit<dimensions>::fields; ++k) values[k] += share * (end[k] - values[k]);
  next.store(i, particle);
  if (next.properties) next.properties[i] = base.properties[i];
  if (next.energy) next.energy[i] = base.energy[i];
  store_values(parameters, next, i, values);
}

/// Ids of particles that enter a level: by the step, and their rank in it.
struct LevelIds {
  static constexpr std::int64_t first = std::int64_t{1} << 32;
  static constexpr std::int64_t most_of_step = std::int64_t{1} << 20;

  SHOAL_HD static std::int64_t id_of(std::int64_t step, std::int64_t rank) {
    return first + step * most_of_step + rank;
  }
};

/// Mass and material of a particle that enters.
struct LevelFluid {
  double mass;  ///< kg
  int material;
};

/// Returns true if a particle would be at the place of another one, within a twentieth of the smoothing length, so that it must
/// not enter. Others that are close give way to each other.
template <class Real, int dimensions>
SHOAL_HD bool are_too_near(const Parameters<Real, dimensions>& parameters,
                           const PositionDensity<Real, dimensions>& place,
                           const PositionDensity<Real, dimensions>& neighbor) {
  const Real least = parameters.smoothing_length / 20;
  return GeneralPhysics::separation(parameters, place, neighbor).squared < least * least;
}

}  // namespace shoal::sph
