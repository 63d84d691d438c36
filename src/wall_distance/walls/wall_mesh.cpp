// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance/wall_mesh.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "wall_distance/walls/mesh_checks.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {

namespace {

void require_coordinates(const char* axis, const std::vector<double>& values, std::size_t count) {
  require(values.size() == count, "wall_distance: the mesh has ", values.size(), " coordinates ", axis, ", expected ",
          count, " like x.");
  for (std::size_t i = 0; i < count; ++i)
    require(std::abs(values[i]) <= largest_mesh_coordinate, "wall_distance: point ", i, " of the mesh has ", axis,
            " = ", values[i], " m, expected a finite number with |", axis, "| <= ", largest_mesh_coordinate, " m.");
}

void require_faces(const WallMesh& mesh) {
  const auto faces = static_cast<std::size_t>(mesh.face_count());
  require(faces > 0, "wall_distance: the mesh has no wall faces. Name the boundaries that are walls.");
  require(mesh.face_start.size() == faces + 1, "wall_distance: face_start of the mesh has ", mesh.face_start.size(),
          " elements, expected ", faces + 1, ": one more than faces.");
  const auto ends = static_cast<std::int64_t>(mesh.corners.size());
  require(mesh.face_start.front() == 0 && mesh.face_start.back() == ends,
          "wall_distance: face_start of the mesh goes from ", mesh.face_start.front(), " to ", mesh.face_start.back(),
          ", expected 0 to ", ends, ", the number of corners.");
  for (std::size_t face = 0; face < faces; ++face) {
    const std::int64_t count = mesh.face_start[face + 1] - mesh.face_start[face];
    require(mesh.dimensions == 2 ? count == 2 : count >= 3, "wall_distance: face ", face, " has ", count,
            " corners, expected ", mesh.dimensions == 2 ? "2 in a 2-D mesh." : "at least 3 in a 3-D mesh.");
    const std::int32_t wall = mesh.wall[face];
    require(wall >= 0 && wall < static_cast<std::int64_t>(mesh.wall_names.size()), "wall_distance: face ", face,
            " belongs to wall ", wall, ", but there are ", mesh.wall_names.size(), " walls.");
  }
  for (std::size_t face = 0; face < faces; ++face)
    for (std::int64_t k = mesh.face_start[face]; k < mesh.face_start[face + 1]; ++k) {
      const std::int64_t point = mesh.corners[static_cast<std::size_t>(k)];
      require(point >= 0 && point < mesh.point_count(), "wall_distance: corner ", k - mesh.face_start[face],
              " of face ", face, " is point ", point, ", but there are ", mesh.point_count(),
              " points, counted from 0.");
    }
}

}  // namespace

std::int64_t WallMesh::add_point(double px, double py, double pz) {
  x.push_back(px);
  y.push_back(py);
  if (dimensions == 3) z.push_back(pz);
  return point_count() - 1;
}

std::int32_t WallMesh::add_wall(std::string_view name) {
  const auto match = std::find(wall_names.begin(), wall_names.end(), name);
  if (match == wall_names.end()) {
    wall_names.emplace_back(name);
    return static_cast<std::int32_t>(wall_names.size()) - 1;
  }
  return static_cast<std::int32_t>(match - wall_names.begin());
}

std::int64_t WallMesh::add_face(const std::vector<std::int64_t>& face_corners, std::int32_t face_wall) {
  corners.insert(corners.end(), face_corners.begin(), face_corners.end());
  face_start.push_back(static_cast<std::int64_t>(corners.size()));
  wall.push_back(face_wall);
  return face_count() - 1;
}

std::int32_t WallMesh::wall_number(std::string_view name) const { return wall_distance::wall_number(wall_names, name); }

MeshArrays arrays_of(const WallMesh& mesh) {
  return {mesh.dimensions,     mesh.x.data(),      mesh.y.data(),
          mesh.z.data(),       mesh.point_count(), mesh.face_start.data(),
          mesh.corners.data(), mesh.face_count(),  static_cast<std::int64_t>(mesh.corners.size()),
          mesh.wall.data()};
}

void require_valid_points(const WallMesh& mesh) {
  require_coordinates("x", mesh.x, mesh.x.size());
  require_coordinates("y", mesh.y, mesh.x.size());
  if (mesh.dimensions == 3) require_coordinates("z", mesh.z, mesh.x.size());
}

void require_distinct(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  require(twice == names.end(), "wall_distance: two walls have the name \"", twice == names.end() ? "" : *twice,
          "\". Names must differ.");
}

void require_valid(const WallMesh& mesh) {
  require(mesh.dimensions == 2 || mesh.dimensions == 3, "wall_distance: a mesh of ", mesh.dimensions,
          " dimensions, expected 2 or 3.");
  require_valid_points(mesh);
  require_faces(mesh);
  require_distinct(mesh.wall_names);
}

}  // namespace shoal::wall_distance
