// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/wall_primitives.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace shoal::wall_distance {

namespace {

using Point = std::array<double, 3>;

/// Orientation of the sorted corners: −1 if sorting takes an odd number of exchanges.
std::int8_t orientation_of(const std::array<Point, 3>& corners) {
  const bool is_odd = (corners[0] > corners[1]) != ((corners[0] > corners[2]) != (corners[1] > corners[2]));
  return is_odd ? -1 : 1;
}

Primitive primitive_of(std::array<Point, 3> corners) {
  std::sort(corners.begin(), corners.end());
  Primitive primitive;
  for (std::size_t i = 0; i < 3; ++i) {
    primitive.x[i] = corners[i][0];
    primitive.y[i] = corners[i][1];
    primitive.z[i] = corners[i][2];
  }
  return primitive;
}

/// Corners of one face. Those of a polygon begin with the smallest point number, those of a segment keep their order.
std::vector<Point> corners_of(const WallMesh& mesh, std::size_t face) {
  const auto begin = mesh.corners.begin() + mesh.face_start[face];
  std::vector<std::int64_t> numbers(begin, mesh.corners.begin() + mesh.face_start[face + 1]);
  if (numbers.size() > 2) std::rotate(numbers.begin(), std::min_element(numbers.begin(), numbers.end()), numbers.end());
  std::vector<Point> corners;
  for (const std::int64_t number : numbers) {
    const auto i = static_cast<std::size_t>(number);
    corners.push_back({mesh.x[i], mesh.y[i], mesh.dimensions == 3 ? mesh.z[i] : 0});
  }
  return corners;
}

Point mean(const std::vector<Point>& corners) {
  Point sum{};
  for (const Point& corner : corners)
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += corner[axis];
  for (double& coordinate : sum) coordinate /= static_cast<double>(corners.size());
  return sum;
}

void append(WallPrimitives& primitives, std::vector<Point> corners, WallDistanceTo target) {
  if (target == WallDistanceTo::face_center) corners = {mean(corners)};
  const bool is_segment = corners.size() == 2;
  corners.resize(std::max<std::size_t>(corners.size(), 3), corners.back());
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const std::array<Point, 3> primitive{corners[0], corners[i - 1], corners[i]};
    primitives.shape.push_back(primitive_of(primitive));
    primitives.orientation.push_back(is_segment ? (primitive[0] > primitive[1] ? -1 : 1) : orientation_of(primitive));
  }
}

/// [walls] number of the body of each wall; −1: the wall is not in use.
std::vector<std::int32_t> body_of_wall(const WallMesh& mesh, const WallDistanceOptions& options) {
  const auto fixed = static_cast<std::int32_t>(options.bodies.size());
  std::vector<std::int32_t> body(mesh.wall_names.size(), options.walls.empty() ? fixed : -1);
  for (const std::string& name : options.walls) body[static_cast<std::size_t>(mesh.wall_number(name))] = fixed;
  std::int32_t number = 0;
  for (const WallBody& moving : options.bodies) {
    for (const std::string& name : moving.walls) {
      std::int32_t& wall_body = body[static_cast<std::size_t>(mesh.wall_number(name))];
      require(wall_body != -1, "wall_distance: wall \"", name, "\" of body \"", moving.name,
              "\" is not among the walls in use. Add it to the option `walls`.");
      require(wall_body == fixed, "wall_distance: wall \"", name, "\" belongs to two bodies, expected one at most.");
      wall_body = number;
    }
    ++number;
  }
  return body;
}

}  // namespace

WallPrimitives wall_primitives(const WallMesh& mesh, const WallDistanceOptions& options) {
  require_valid(mesh);
  const std::vector<std::int32_t> body = body_of_wall(mesh, options);
  WallPrimitives primitives;
  for (std::size_t face = 0; face < mesh.wall.size(); ++face) {
    const std::int32_t wall_body = body[static_cast<std::size_t>(mesh.wall[face])];
    if (wall_body < 0) continue;
    append(primitives, corners_of(mesh, face), options.to);
    primitives.face.resize(primitives.shape.size(), static_cast<std::int64_t>(face));
    primitives.wall.resize(primitives.shape.size(), mesh.wall[face]);
    primitives.body.resize(primitives.shape.size(), wall_body);
  }
  require(primitives.count() > 0, "wall_distance: the walls ", join(options.walls), " have no faces.");
  const std::int32_t last = *std::max_element(primitives.body.begin(), primitives.body.end());
  primitives.pose.resize(std::max(static_cast<std::size_t>(last) + 1, options.bodies.size()));
  for (std::size_t number = 0; number < options.bodies.size(); ++number)
    require(std::count(primitives.body.begin(), primitives.body.end(), static_cast<std::int32_t>(number)) > 0,
            "wall_distance: body \"", options.bodies[number].name, "\" has no faces. Name its walls.");
  return primitives;
}

void reshape(const WallMesh& mesh, const WallDistanceOptions& options, WallPrimitives& primitives) {
  require_valid(mesh);
  const std::vector<std::int64_t> faces = primitives.face;
  primitives.shape.clear();
  primitives.orientation.clear();
  for (std::size_t k = 0; k < faces.size(); ++k)
    if (k == 0 || faces[k] != faces[k - 1])
      append(primitives, corners_of(mesh, static_cast<std::size_t>(faces[k])), options.to);
}

}  // namespace shoal::wall_distance
