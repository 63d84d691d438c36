// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/sphere_origin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal::wall_distance {

SphereOrigin::SphereOrigin(const WallPrimitives& primitives) {
  const auto include_axis = [&](int axis, const double(Primitive::*coordinates)[3]) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Primitive& primitive : primitives.shape)
      for (const double coordinate : primitive.*coordinates) {
        low = std::min(low, coordinate);
        high = std::max(high, coordinate);
      }
    middle[axis] = low / 2 + high / 2;
    largest_coordinate = std::max(largest_coordinate, std::max(-low, high));
  };
  include_axis(0, &Primitive::x);
  include_axis(1, &Primitive::y);
  include_axis(2, &Primitive::z);
}

double SphereOrigin::rotation_error(const WallPrimitives& primitives) const {
  double largest = largest_coordinate;
  bool any_moved = false;
  for (const BodyPose& pose : primitives.pose) {
    any_moved = any_moved || pose.moved;
    for (const double along : pose.translation) largest = std::max(largest, std::abs(along));
  }
  return any_moved ? 0x1p-36 * largest : 0;
}

}  // namespace shoal::wall_distance
