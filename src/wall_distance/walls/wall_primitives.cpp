// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/wall_primitives.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace shoal {

namespace {

using Point = std::array<double, 3>;

/// −1 if sorting corners takes an odd number of exchanges.
std::int8_t turn_of(const std::array<Point, 3>& corners) {
  const bool is_odd = (corners[0] > corners[1]) != ((corners[0] > corners[2]) != (corners[1] > corners[2]));
  return is_odd ? -1 : 1;
}

FacePiece piece_of(std::array<Point, 3> corners) {
  std::sort(corners.begin(), corners.end());
  FacePiece piece;
  for (std::size_t i = 0; i < 3; ++i) {
    piece.x[i] = corners[i][0];
    piece.y[i] = corners[i][1];
    piece.z[i] = corners[i][2];
  }
  return piece;
}

/// The corners of one face, from the one with the smallest point number; of a segment as they come.
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

void append(WallPieces& pieces, std::vector<Point> corners, WallDistanceTo to) {
  if (to == WallDistanceTo::face_center) corners = {mean(corners)};
  const bool is_segment = corners.size() == 2;
  corners.resize(std::max<std::size_t>(corners.size(), 3), corners.back());
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const std::array<Point, 3> piece{corners[0], corners[i - 1], corners[i]};
    pieces.shape.push_back(piece_of(piece));
    pieces.turn.push_back(is_segment ? (piece[0] > piece[1] ? -1 : 1) : turn_of(piece));
  }
}

/// [walls] the body of each, −1: not asked about.
std::vector<std::int32_t> body_of_wall(const WallMesh& mesh, const WallDistanceOptions& options) {
  const auto others = static_cast<std::int32_t>(options.bodies.size());
  std::vector<std::int32_t> body(mesh.wall_names.size(), options.walls.empty() ? others : -1);
  for (const std::string& name : options.walls) body[static_cast<std::size_t>(mesh.wall_number(name))] = others;
  std::int32_t number = 0;
  for (const WallBody& one : options.bodies) {
    for (const std::string& name : one.walls) {
      std::int32_t& its_body = body[static_cast<std::size_t>(mesh.wall_number(name))];
      require(its_body != -1, "wall_distance: wall \"", name, "\" of body \"", one.name,
              "\" is not one of those asked about. Add it to the walls.");
      require(its_body == others, "wall_distance: wall \"", name, "\" is twice in the bodies.");
      its_body = number;
    }
    ++number;
  }
  return body;
}

}  // namespace

WallPieces wall_pieces(const WallMesh& mesh, const WallDistanceOptions& options) {
  require_valid(mesh);
  const std::vector<std::int32_t> body = body_of_wall(mesh, options);
  WallPieces pieces;
  for (std::size_t face = 0; face < mesh.wall.size(); ++face) {
    const std::int32_t its_body = body[static_cast<std::size_t>(mesh.wall[face])];
    if (its_body < 0) continue;
    append(pieces, corners_of(mesh, face), options.to);
    pieces.face.resize(pieces.shape.size(), static_cast<std::int64_t>(face));
    pieces.wall.resize(pieces.shape.size(), mesh.wall[face]);
    pieces.body.resize(pieces.shape.size(), its_body);
  }
  require(pieces.count() > 0, "wall_distance: the walls ", join(options.walls), " have no faces.");
  const std::int32_t last = *std::max_element(pieces.body.begin(), pieces.body.end());
  pieces.pose.resize(std::max(static_cast<std::size_t>(last) + 1, options.bodies.size()));
  for (std::size_t number = 0; number < options.bodies.size(); ++number)
    require(std::count(pieces.body.begin(), pieces.body.end(), static_cast<std::int32_t>(number)) > 0,
            "wall_distance: body \"", options.bodies[number].name, "\" has no faces. Name its walls.");
  return pieces;
}

void reshape(const WallMesh& mesh, const WallDistanceOptions& options, WallPieces& pieces) {
  require_valid(mesh);
  const std::vector<std::int64_t> faces = pieces.face;
  pieces.shape.clear();
  pieces.turn.clear();
  for (std::size_t k = 0; k < faces.size(); ++k)
    if (k == 0 || faces[k] != faces[k - 1])
      append(pieces, corners_of(mesh, static_cast<std::size_t>(faces[k])), options.to);
}

}  // namespace shoal
