// SPDX-License-Identifier: Apache-2.0
// Walls in runs of full physics: Adami's sums with the motion of the wall and its mirrored velocity, and the way of a
// moving wall.
#pragma once
#include "sph/physics/cell_item.hpp"
#include "sph/physics/full_pair_item.hpp"
#include "sph/physics/pose_item.hpp"
#include "sph/physics/wall_item.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
struct FullWallSums {
  Real weight = 0;                 ///< Σ W
  Real pressure = 0;               ///< Σ p W
  Real density = 0;                ///< Σ ρ W
  Real lever[dimensions] = {};     ///< Σ ρ (x_wall − x_fluid) W
  Real velocity[dimensions] = {};  ///< Σ v W
};

/// Adds one fluid neighbor. W without its scale, which cancels.
template <class Real, int dimensions>
SHOAL_HD void add_full_fluid(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& wall,
                             const FullParticle<Real, dimensions>& fluid, FullWallSums<Real, dimensions>& sums) {
  const Separation<Real, dimensions> pair = nearest_separation(parameters, wall.place, fluid.place);
  const Real weight =
      FullPhysics::shape(parameters, quick_sqrt(pair.squared) * fast_reciprocal(wall.trait.smoothing_length));
  const Real density = density_of(parameters, fluid);
  sums.weight += weight;
  sums.pressure += weight * (fluid.stress() * density * density);
  sums.density += weight * density;
  for (int axis = 0; axis < dimensions; ++axis) {
    sums.lever[axis] += weight * density * pair.x[axis];
    sums.velocity[axis] += weight * fluid.motion.velocity[axis];
  }
}

/// A wall particle's place as it was drawn, m.
template <class Real, int dimensions>
SHOAL_HD void rest_of(const FullParameters<Real, dimensions>& full, std::int64_t id, double* x) {
  for (int axis = 0; axis < dimensions; ++axis)
    x[axis] = full.unit * static_cast<double>(full.rest[id * dimensions + axis]);
}

/// The wall particle with pressure (Σ p W + (g − a)·Σ ρ (x_w − x_f) W) / Σ W, a its own acceleration, and with the
/// density of that pressure; that of a gas is the mean around it. What viscosity sees of a wall without slip is
/// 2 v_w − Σ v W / Σ W. A wall does not pull: a negative pressure counts as 0, and so does a wall particle without
/// fluid.
template <class Real, int dimensions>
SHOAL_HD FullParticle<Real, dimensions> with_full_pressure(const Parameters<Real, dimensions>& parameters, int stage,
                                                           std::int64_t id, FullParticle<Real, dimensions> wall,
                                                           const FullWallSums<Real, dimensions>& sums) {
  const FullParameters<Real, dimensions>& full = *parameters.full;
  const EosParameters<Real>& eos = material_of(parameters, wall.trait).eos;
  double x[dimensions] = {};
  const int movement = wall.trait.movement();
  if (movement >= 0) rest_of(full, id, x);
  const bool wet = sums.weight > 0;
  Real push = sums.pressure;
  for (int axis = 0; axis < dimensions; ++axis) {
    Real pull = parameters.gravity[axis];
    if (movement >= 0) pull -= static_cast<Real>(full.plan->pose[stage][movement].acceleration.along(axis, x));
    push += pull * sums.lever[axis];
    const Real own = wall.motion.velocity[axis];
    wall.seen.velocity[axis] = wet ? 2 * own - sums.velocity[axis] / sums.weight : own;
  }
  const Real p = wet ? positive_part(push / sums.weight) : Real(0);
  const bool gas = eos.kind == EquationOfState::ideal_gas;
  wall.place.density = !gas ? deviation_at(eos, p) : wet ? sums.density / sums.weight - eos.density : Real(0);
  wall.set_stress(stress_of(eos, wall.place.density, p));
  return wall;
}

/// A particle of a moving wall after a stage.
template <class Real, int dimensions>
SHOAL_HD void move_wall(const Parameters<Real, dimensions>& parameters, int stage, std::int64_t id,
                        FullParticle<Real, dimensions>& wall) {
  const FullParameters<Real, dimensions>& full = *parameters.full;
  const int movement = wall.trait.movement();
  if (movement < 0) return;
  const Pose<dimensions>& pose = full.plan->pose[stage + 1][movement];
  double x[dimensions];
  rest_of(full, id, x);
  for (int axis = 0; axis < dimensions; ++axis) {
    const double units = pose.place.along(axis, x) / full.unit;
    wall.place.x[axis] = 2 * static_cast<Coordinate<Real>>(std::floor(units / 2 + 0.5));
    wall.motion.velocity[axis] = static_cast<Real>(pose.velocity.along(axis, x));
  }
  wrap(parameters, wall.place);
  wall.place.x[0] |= 1;
}

}  // namespace shoal::sph
