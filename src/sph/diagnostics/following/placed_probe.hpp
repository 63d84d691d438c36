// SPDX-License-Identifier: Apache-2.0
// Probes that move with a wall.
#pragma once
#include <shoal/rigid_transform.hpp>
#include <shoal/sph/case.hpp>

#include "core/motion_item.hpp"

namespace shoal::sph {

/// Index of the wall that a probe follows.
/// @throws Error  there is no such wall, it does not move, or the kind has no points
std::size_t followed_wall(const Case& simulation, const Probe& probe);

/// The probe with its points moved from where they are at t = 0.
/// @param displacement  of the wall from where it was drawn
Probe placed(const Case& simulation, const Probe& probe, const RigidTransform& displacement);

/// Displacement by a pose.
/// @param origin  m, origin of the coordinates that the pose maps
template <int dimensions>
RigidTransform displacement_by(const motion::Pose<dimensions>& pose, const double* origin) {
  RigidTransform displacement;
  for (std::size_t row = 0; row < dimensions; ++row) {
    displacement.translation[row] = origin[row] + pose.position.shift[row];
    for (std::size_t column = 0; column < dimensions; ++column) {
      displacement.rotation[3 * row + column] = pose.position.matrix[row][column];
      displacement.translation[row] -= pose.position.matrix[row][column] * origin[column];
    }
  }
  return displacement;
}

}  // namespace shoal::sph
