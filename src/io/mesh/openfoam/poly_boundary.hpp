// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/mesh/openfoam/foam_case.hpp"

namespace shoal::io {

/// Patch of the boundary of an OpenFOAM mesh: consecutive faces.
struct PolyPatch {
  std::string name;
  std::string type;      ///< "wall", "patch", "empty", "processor", ...
  bool is_wall = false;  ///< true: of type wall or mappedWall, or in the group wall
  std::int64_t first = 0;
  std::int64_t faces = 0;

  /// Returns true if the patch joins the parts of a decomposed mesh: its faces lie inside the whole mesh.
  bool joins_parts() const { return type.starts_with("processor"); }
};

/// Reads the file `boundary` of a mesh.
/// @param internal_faces  number of faces between two cells, which come before those of the patches
/// @param faces           number of all faces
/// @throws Error  the errors of FoamFile; a patch without type, nFaces or startFace; two patches of one name; patches
///                that do not follow each other up to the last face
std::vector<PolyPatch> read_poly_boundary(const PolyMeshPart& part, std::int64_t internal_faces, std::int64_t faces);

}  // namespace shoal::io
