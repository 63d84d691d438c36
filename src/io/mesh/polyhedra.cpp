// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/polyhedra.hpp"

#include <algorithm>

#include "io/mesh/cell_shape.hpp"
#include "io/mesh/standard_solid.hpp"

namespace shoal::io {

namespace {

std::vector<std::int64_t> distinct_corners(const FacesOfCell& faces) {
  std::vector<std::int64_t> corners;
  for (const auto& face : faces) corners.insert(corners.end(), face.begin(), face.end());
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

void append_corners(MeshFile& mesh, CellShape shape, std::span<const std::int64_t> corners) {
  mesh.cell_shape.push_back(shape);
  mesh.cell_corners.insert(mesh.cell_corners.end(), corners.begin(), corners.end());
  mesh.cell_start.push_back(static_cast<std::int64_t>(mesh.cell_corners.size()));
}

void append_end_of_faces(PolyhedronFaces& polyhedra) {
  polyhedra.cell_start.push_back(static_cast<std::int64_t>(polyhedra.face_start.size()) - 1);
}

/// Side of a face, from its smaller to its larger node number.
struct Side {
  std::int64_t a, b;
  std::size_t face;
  bool is_forward;  ///< true: the face goes from a to b

  bool is_along(const Side& side) const { return a == side.a && b == side.b; }
};

/// Sides of all faces; those along one edge follow each other.
std::vector<Side> sorted_sides(const FacesOfCell& faces) {
  std::vector<Side> sides;
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (std::size_t i = 0; i < faces[face].size(); ++i) {
      const std::int64_t from = faces[face][i], to = faces[face][(i + 1) % faces[face].size()];
      sides.push_back({std::min(from, to), std::max(from, to), face, from < to});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& one, const Side& two) {
    return std::tie(one.a, one.b, one.face) < std::tie(two.a, two.b, two.face);
  });
  return sides;
}

/// Faces that share an edge with a face.
struct AdjacentFace {
  std::size_t face;
  bool is_opposite;  ///< true: the faces go along the edge in opposite directions
};

std::vector<std::vector<AdjacentFace>> adjacent_faces(const FacesOfCell& faces) {
  const std::vector<Side> sides = sorted_sides(faces);
  std::vector<std::vector<AdjacentFace>> adjacent(faces.size());
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Side &one = sides[i], &two = sides[i + 1];
    const bool is_pair = one.is_along(two) && !(i > 0 && one.is_along(sides[i - 1])) &&
                         !(i + 2 < sides.size() && one.is_along(sides[i + 2]));
    if (!is_pair) continue;  // an edge of one face, or of three and more, determines nothing
    const bool is_opposite = one.is_forward != two.is_forward;
    adjacent[one.face].push_back({two.face, is_opposite});
    adjacent[two.face].push_back({one.face, is_opposite});
  }
  return adjacent;
}

/// Finds which faces to reverse so that all adjacent ones are consistent with the first of their component.
/// @return  [faces], or nothing if there is no such choice
std::vector<bool> consistent_reversals(const std::vector<std::vector<AdjacentFace>>& adjacent) {
  enum class Mark : char { none, kept, reversed };
  std::vector<Mark> mark(adjacent.size(), Mark::none);
  std::vector<std::size_t> next;
  for (std::size_t first = 0; first < mark.size(); ++first) {
    if (mark[first] != Mark::none) continue;
    mark[first] = Mark::kept;
    next.push_back(first);
    while (!next.empty()) {
      const std::size_t face = next.back();
      next.pop_back();
      for (const AdjacentFace& neighbor : adjacent[face]) {
        const Mark expected = (mark[face] == Mark::kept) == neighbor.is_opposite ? Mark::kept : Mark::reversed;
        if (mark[neighbor.face] == Mark::none) {
          mark[neighbor.face] = expected;
          next.push_back(neighbor.face);
        } else if (mark[neighbor.face] != expected) {
          return {};
        }
      }
    }
  }
  std::vector<bool> reversed;
  for (const Mark face : mark) reversed.push_back(face == Mark::reversed);
  return reversed;
}

}  // namespace

void append_cell(MeshFile& mesh, CellShape shape, std::span<const std::int64_t> corners) {
  append_corners(mesh, shape, corners);
  append_end_of_faces(mesh.polyhedron_faces);
}

void append_cell(MeshFile& mesh, const FacesOfCell& faces) {
  if (const std::optional<StandardSolid> solid = find_standard_solid(faces)) {
    append_cell(mesh, solid->shape, solid->corners);
    return;
  }
  append_corners(mesh, CellShape::polyhedron, distinct_corners(faces));
  PolyhedronFaces& polyhedra = mesh.polyhedron_faces;
  for (const auto& face : faces) {
    polyhedra.corners.insert(polyhedra.corners.end(), face.begin(), face.end());
    polyhedra.face_start.push_back(static_cast<std::int64_t>(polyhedra.corners.size()));
  }
  append_end_of_faces(polyhedra);
}

void finish_polyhedra(MeshFile& mesh) {
  if (mesh.polyhedron_faces.corners.empty()) mesh.polyhedron_faces = {};
}

bool orient_outwards(const MeshPoints& nodes, FacesOfCell& faces) {
  const std::vector<bool> reversed = consistent_reversals(adjacent_faces(faces));
  if (reversed.size() != faces.size()) return false;
  for (std::size_t face = 0; face < faces.size(); ++face)
    if (reversed[face]) std::reverse(faces[face].begin(), faces[face].end());
  if (signed_volume(nodes, faces) < 0)
    for (auto& face : faces) std::reverse(face.begin(), face.end());
  return true;
}

}  // namespace shoal::io
