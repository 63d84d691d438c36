// SPDX-License-Identifier: Apache-2.0
// Position and velocity of a particle of a moving wall.
#pragma once
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/steps/step_plan_item.hpp"

namespace shoal::sph {

/// Position of a wall particle in the case, before its wall moved, m from the origin of the lattice.
template <class Real, int dimensions>
SHOAL_HD void initial_position(const ModelTables<Real, dimensions>& tables, std::int64_t id, double* x) {
  for (int axis = 0; axis < dimensions; ++axis)
    x[axis] = tables.unit * static_cast<double>(tables.initial[(id - tables.first_initial) * dimensions + axis]);
}

/// Gives a particle of a moving wall the position and velocity of a pose.
template <class Real, int dimensions>
SHOAL_HD void set_pose(const Parameters<Real, dimensions>& parameters, const motion::Pose<dimensions>& pose,
                       std::int64_t id, Particle<Real, dimensions>& wall) {
  const ModelTables<Real, dimensions>& tables = *parameters.tables;
  double x[dimensions];
  initial_position(tables, id, x);
  for (int axis = 0; axis < dimensions; ++axis) {
    const double units = pose.position.along(axis, x) / tables.unit;
    wall.position.x[axis] = 2 * static_cast<Coordinate<Real>>(std::floor(units / 2 + 0.5));
    wall.velocity.v[axis] = static_cast<Real>(pose.velocity.along(axis, x));
  }
  wrap(parameters, wall.position);
  wall.position.x[0] |= 1;
}

/// Moves a particle of a wall through a stage.
/// @param movement  of the wall; −1: it is fixed
template <class Real, int dimensions>
SHOAL_HD void move_wall(const Parameters<Real, dimensions>& parameters, int stage, std::int64_t id, int movement,
                        Particle<Real, dimensions>& wall) {
  if (movement >= 0) set_pose(parameters, parameters.tables->plan->pose[stage + 1][movement], id, wall);
}

}  // namespace shoal::sph
