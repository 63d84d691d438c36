// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/wall_primitives.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "wall_distance/walls/mesh_checks.hpp"

namespace shoal::wall_distance {

namespace {

/// Writes shapes and orientations of all faces in use.
void put_faces(const WallMesh& mesh, const WallDistanceOptions& options, WallPrimitives& primitives) {
  const MeshArrays arrays = arrays_of(mesh);
  primitives.shape.resize(primitives.face.size());
  primitives.orientation.resize(primitives.face.size());
#pragma omp parallel for
  for (std::size_t first = 0; first < primitives.face.size(); ++first) {
    const std::int64_t face = primitives.face[first];
    if (first > 0 && primitives.face[first - 1] == face) continue;
    const FaceCorners corners(arrays, face);
    const std::int64_t count = arrays.primitives_of(face, options.to);
    for (std::int64_t i = 0; i < count; ++i) {
      const OrientedPrimitive primitive = corners.primitive(i, options.to);
      primitives.shape[first + static_cast<std::size_t>(i)] = primitive.shape;
      primitives.orientation[first + static_cast<std::size_t>(i)] = primitive.orientation;
    }
  }
}

}  // namespace

std::int32_t wall_number(const std::vector<std::string>& wall_names, std::string_view name) {
  const auto match = std::find(wall_names.begin(), wall_names.end(), name);
  require(match != wall_names.end(), "wall_distance: no wall \"", name, "\"; the mesh has ",
          wall_names.empty() ? "no walls" : join(wall_names), ".");
  return static_cast<std::int32_t>(match - wall_names.begin());
}

std::vector<std::int32_t> body_of_wall(const std::vector<std::string>& wall_names, const WallDistanceOptions& options) {
  const auto fixed = static_cast<std::int32_t>(options.bodies.size());
  std::vector<std::int32_t> body(wall_names.size(), options.walls.empty() ? fixed : -1);
  for (const std::string& name : options.walls) body[static_cast<std::size_t>(wall_number(wall_names, name))] = fixed;
  std::int32_t number = 0;
  for (const WallBody& moving : options.bodies) {
    for (const std::string& name : moving.walls) {
      std::int32_t& wall_body = body[static_cast<std::size_t>(wall_number(wall_names, name))];
      require(wall_body != -1, "wall_distance: wall \"", name, "\" of body \"", moving.name,
              "\" is not among the walls in use. Add it to the option `walls`.");
      require(wall_body == fixed, "wall_distance: wall \"", name, "\" belongs to two bodies, expected one at most.");
      wall_body = number;
    }
    ++number;
  }
  return body;
}

BodySizes::BodySizes(const WallDistanceOptions& options)
    : faces(options.bodies.size() + 1), primitives(options.bodies.size() + 1) {}

void BodySizes::finish(const WallDistanceOptions& options) {
  std::int64_t face_sum = 0;
  for (const std::int64_t count : faces) face_sum += count;
  require(face_sum > 0, "wall_distance: the walls ", join(options.walls), " have no faces.");
  for (std::size_t body = 0; body < options.bodies.size(); ++body)
    require(faces[body] > 0, "wall_distance: body \"", options.bodies[body].name, "\" has no faces. Name its walls.");
  if (faces.back() > 0) return;
  faces.pop_back();
  primitives.pop_back();
}

WallPrimitives wall_primitives(const WallMesh& mesh, const WallDistanceOptions& options) {
  require_valid(mesh);
  const MeshArrays arrays = arrays_of(mesh);
  const std::vector<std::int32_t> body = body_of_wall(mesh.wall_names, options);
  WallPrimitives primitives;
  BodySizes sizes(options);
  std::vector<std::size_t> end(mesh.wall.size());  // [faces] number of primitives up to each face
  std::size_t count = 0;
  for (std::size_t face = 0; face < end.size(); ++face) {
    const std::int32_t wall_body = body[static_cast<std::size_t>(mesh.wall[face])];
    if (wall_body >= 0) {
      const std::int64_t of_face = arrays.primitives_of(static_cast<std::int64_t>(face), options.to);
      sizes.add(wall_body, 1, of_face);
      count += static_cast<std::size_t>(of_face);
    }
    end[face] = count;
  }
  sizes.finish(options);
  primitives.face.resize(count);
  primitives.wall.resize(count);
  primitives.body.resize(count);
  primitives.pose.resize(sizes.faces.size());
#pragma omp parallel for
  for (std::size_t face = 0; face < end.size(); ++face)
    for (std::size_t k = face > 0 ? end[face - 1] : 0; k < end[face]; ++k) {
      primitives.face[k] = static_cast<std::int64_t>(face);
      primitives.wall[k] = mesh.wall[face];
      primitives.body[k] = body[static_cast<std::size_t>(mesh.wall[face])];
    }
  put_faces(mesh, options, primitives);
  return primitives;
}

void reshape(const WallMesh& mesh, const WallDistanceOptions& options, WallPrimitives& primitives) {
  require_valid_points(mesh);
  put_faces(mesh, options, primitives);
}

}  // namespace shoal::wall_distance
