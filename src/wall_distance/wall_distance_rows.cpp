// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/methods/methods.hpp"

namespace shoal {

std::span<const WallDistanceMethod> wall_distance_rows() {
  // `auto` takes the first row of the device.
  static const WallDistanceMethod rows[] = {
      wall_distance_bvh_cpu,
      wall_distance_serial,
  };
  return rows;
}

std::vector<MethodInfo> wall_distance_methods() { return method_infos("wall_distance", wall_distance_rows()); }

}  // namespace shoal
