// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {

/// Origin of the coordinates of bounding spheres; close to the walls, so that coordinates are small.
struct SphereOrigin {
  double middle[3];               ///< m, middle of the bounding box of all corners
  double largest_coordinate = 0;  ///< m, largest absolute coordinate of a corner

  explicit SphereOrigin(const WallPrimitives& primitives);

  /// Bound of the error of distances to spheres due to rotations that are orthonormal to 1e-12 only, m. See
  /// SphereQuery.
  /// @param poses  [bodies] present poses
  double rotation_error(const std::vector<BodyPose>& poses) const;
};

}  // namespace shoal::wall_distance
