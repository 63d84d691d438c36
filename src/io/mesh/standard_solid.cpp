// SPDX-License-Identifier: Apache-2.0
// Recognizes a standard solid by its faces: a base and the corners opposite to it give candidates, whose faces are then
// compared with the given ones.
#include "io/mesh/standard_solid.hpp"

#include <algorithm>
#include <set>

#include "io/mesh/cell_shape.hpp"

namespace shoal::io {

namespace {

using Face = std::vector<std::int64_t>;

/// Numbers that a solid has of triangles and quadrilaterals, and of corners of its base.
struct Counts {
  CellShape shape;
  std::int64_t triangles, quadrilaterals;
  std::size_t base;
};
constexpr Counts all_counts[] = {{CellShape::tetrahedron, 4, 0, 3},
                                 {CellShape::pyramid, 4, 1, 4},
                                 {CellShape::prism, 2, 3, 3},
                                 {CellShape::hexahedron, 0, 6, 4}};

const Counts* counts_of(const std::vector<Face>& faces) {
  const auto with_corners = [&](std::size_t corners) {
    return std::count_if(faces.begin(), faces.end(), [&](const Face& face) { return face.size() == corners; });
  };
  const auto triangles = with_corners(3), quadrilaterals = with_corners(4);
  for (const Counts& counts : all_counts)
    if (triangles == counts.triangles && quadrilaterals == counts.quadrilaterals &&
        triangles + quadrilaterals == static_cast<std::int64_t>(faces.size()))
      return &counts;
  return nullptr;
}

bool contains(const Face& face, std::int64_t corner) {
  return std::find(face.begin(), face.end(), corner) != face.end();
}

/// Corner that an edge joins with a corner of the base, and that is not in the base; -1 if there is none.
std::int64_t corner_opposite(const std::vector<Face>& faces, const Face& base, std::int64_t corner) {
  for (const Face& face : faces)
    for (std::size_t i = 0; i < face.size(); ++i) {
      if (face[i] != corner) continue;
      const std::int64_t next = face[(i + 1) % face.size()];
      if (!contains(base, next)) return next;
    }
  return -1;
}

/// Face with its smallest corner first, in the same direction.
Face canonical(Face face) {
  std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  return face;
}

bool has_faces(const StandardSolid& solid, const std::vector<Face>& faces) {
  std::set<Face> expected, present;
  for (const std::vector<std::size_t>& numbers : faces_of(solid.shape)) {
    Face face;
    for (const std::size_t number : numbers) face.push_back(solid.corners[number]);
    expected.insert(canonical(face));
  }
  for (const Face& face : faces) present.insert(canonical(face));
  return expected == present;
}

}  // namespace

std::optional<StandardSolid> find_standard_solid(const std::vector<Face>& faces) {
  const Counts* const counts = counts_of(faces);
  if (!counts) return {};
  StandardSolid solid{counts->shape, *std::find_if(faces.begin(), faces.end(),
                                                   [&](const Face& face) { return face.size() == counts->base; })};
  std::reverse(solid.corners.begin(), solid.corners.end());  // its normal now points into the cell
  const Face base = solid.corners;
  const bool has_apex = counts->shape == CellShape::tetrahedron || counts->shape == CellShape::pyramid;
  for (std::size_t i = 0; i < (has_apex ? 1 : base.size()); ++i)
    solid.corners.push_back(corner_opposite(faces, base, base[i]));
  if (!has_faces(solid, faces)) return {};
  if (counts->shape == CellShape::prism) {  // VTK's normal of a prism's base points out of the cell
    std::swap(solid.corners[1], solid.corners[2]);
    std::swap(solid.corners[4], solid.corners[5]);
  }
  return solid;
}

}  // namespace shoal::io
