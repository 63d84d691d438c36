// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/sphere_origin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal::wall_distance {

SphereOrigin::SphereOrigin(const WallPrimitives& primitives) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low[3] = {infinity, infinity, infinity}, high[3] = {-infinity, -infinity, -infinity};
#pragma omp parallel for reduction(min : low) reduction(max : high)
  for (std::size_t k = 0; k < primitives.shape.size(); ++k) {
    const Primitive& primitive = primitives.shape[k];
    for (int corner = 0; corner < 3; ++corner) {
      const double position[3] = {primitive.x[corner], primitive.y[corner], primitive.z[corner]};
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], position[axis]);
        high[axis] = std::max(high[axis], position[axis]);
      }
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    middle[axis] = low[axis] / 2 + high[axis] / 2;
    largest_coordinate = std::max(largest_coordinate, std::max(-low[axis], high[axis]));
  }
}

double SphereOrigin::rotation_error(const std::vector<BodyPose>& poses) const {
  double largest = largest_coordinate;
  bool any_moved = false;
  for (const BodyPose& pose : poses) {
    any_moved = any_moved || pose.moved;
    for (const double along : pose.translation) largest = std::max(largest, std::abs(along));
  }
  return any_moved ? 0x1p-36 * largest : 0;
}

}  // namespace shoal::wall_distance
