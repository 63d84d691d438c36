// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/wall_pieces.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace shoal {

namespace {

using Point = std::array<double, 3>;

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

/// The corners of one face, from the one with the smallest point number.
std::vector<Point> corners_of(const WallMesh& mesh, std::size_t face) {
  const auto begin = mesh.corners.begin() + mesh.face_start[face];
  std::vector<std::int64_t> numbers(begin, mesh.corners.begin() + mesh.face_start[face + 1]);
  std::rotate(numbers.begin(), std::min_element(numbers.begin(), numbers.end()), numbers.end());
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
  if (to == WallDistanceTo::face_centre) corners = {mean(corners)};
  corners.resize(std::max<std::size_t>(corners.size(), 3), corners.back());
  for (std::size_t i = 2; i < corners.size(); ++i)
    pieces.shape.push_back(piece_of({corners[0], corners[i - 1], corners[i]}));
}

}  // namespace

WallPieces wall_pieces(const WallMesh& mesh, const WallDistanceOptions& options) {
  require_valid(mesh);
  std::vector<bool> wanted(mesh.wall_names.size(), options.walls.empty());
  for (const std::string& name : options.walls) wanted[static_cast<std::size_t>(mesh.wall_number(name))] = true;
  WallPieces pieces;
  for (std::size_t face = 0; face < mesh.wall.size(); ++face) {
    if (!wanted[static_cast<std::size_t>(mesh.wall[face])]) continue;
    append(pieces, corners_of(mesh, face), options.to);
    pieces.face.resize(pieces.shape.size(), static_cast<std::int64_t>(face));
    pieces.wall.resize(pieces.shape.size(), mesh.wall[face]);
  }
  require(pieces.count() > 0, "wall_distance: the walls ", join(options.walls), " have no faces.");
  return pieces;
}

}  // namespace shoal
