// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/wall_distance/wall_mesh.hpp>

namespace shoal::wall_distance {

/// A mesh without its arrays.
struct MeshSummary {
  int dimensions = 3;
  std::int64_t points = 0, faces = 0;
  std::vector<std::string> wall_names = {};

  MeshSummary() = default;
  explicit MeshSummary(const WallMesh& mesh)
      : dimensions(mesh.dimensions),
        points(mesh.point_count()),
        faces(mesh.face_count()),
        wall_names(mesh.wall_names) {}
};

}  // namespace shoal::wall_distance
