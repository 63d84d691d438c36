// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/wall_distance.hpp>

#include <utility>

namespace shoal::testing_support {

/// A square from 0 to 4 m, counter-clockwise.
inline wall_distance::WallMesh square_of_4_meters() {
  wall_distance::WallMesh mesh{.dimensions = 2};
  for (const auto& [x, y] : {std::pair(0, 0), {4, 0}, {4, 4}, {0, 4}}) mesh.add_point(x, y);
  for (std::int64_t i = 0; i < 4; ++i) mesh.add_face({i, (i + 1) % 4}, mesh.add_wall("square"));
  return mesh;
}

}  // namespace shoal::testing_support
