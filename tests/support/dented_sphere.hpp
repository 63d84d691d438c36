// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>

#include "wall_distance/cases/wall_cases.hpp"

namespace shoal::testing_support {

/// A sphere with dents.
/// @param around  number of faces along its equator; half as many from pole to pole
inline WallMesh dented_sphere(std::int64_t around) {
  WallMesh mesh;
  wall_distance::add_sphere(mesh, "dented", {0, 0, 0}, 0.5, around, around / 2);
  for (std::size_t i = 0; i < mesh.x.size(); ++i) {
    const double size = 1 + 0.1 * std::sin(9 * mesh.x[i]) * std::sin(11 * mesh.y[i]) + 0.1 * std::sin(13 * mesh.z[i]);
    mesh.x[i] *= size;
    mesh.y[i] *= size;
    mesh.z[i] *= size;
  }
  return mesh;
}

/// @param faces  approximate number of triangles
inline WallMesh dented_sphere_with(std::int64_t faces) {
  return dented_sphere(2 * static_cast<std::int64_t>(std::sqrt(static_cast<double>(faces) / 4)));
}

}  // namespace shoal::testing_support
