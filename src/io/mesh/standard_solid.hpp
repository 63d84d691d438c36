// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <optional>

namespace shoal::io {

/// Tetrahedron, pyramid, prism or hexahedron, and its corners in VTK's order.
struct StandardSolid {
  CellShape shape;
  std::vector<std::int64_t> corners;
};

/// Finds the standard solid with the given faces; nothing if the faces are those of another polyhedron.
/// @param faces  corners of each face; the normals point out of the cell
std::optional<StandardSolid> find_standard_solid(const std::vector<std::vector<std::int64_t>>& faces);

}  // namespace shoal::io
