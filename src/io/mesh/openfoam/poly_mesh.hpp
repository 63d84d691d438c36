// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include "io/mesh/openfoam/foam_case.hpp"
#include "io/mesh/openfoam/poly_boundary.hpp"

namespace shoal::io {

/// Mesh as OpenFOAM stores it: faces between cells, then the faces of each patch.
struct PolyMesh {
  FoamHeader header;  ///< header of the file `points`
  MeshPoints points;
  std::vector<std::int64_t> face_start = {0};  ///< [faces + 1] CSR offsets into `face_corners`
  std::vector<std::int64_t> face_corners;      ///< numbers of points; the normal of a face points out of its owner
  std::vector<std::int64_t> owner;             ///< [faces] cell on one side of each face
  std::vector<std::int64_t> neighbor;          ///< [internal faces] cell on the other side
  std::vector<PolyPatch> patches;
  std::int64_t cells = 0;

  std::int64_t face_count() const { return static_cast<std::int64_t>(owner.size()); }
};

/// Reads points, faces, owner, neighbour and boundary of a mesh.
/// @throws Error  the errors of FoamFile and read_poly_boundary(); lists of different lengths, numbers of points or cells
///                out of range, a face with two corners, a cell with fewer than four faces
PolyMesh read_poly_mesh(const PolyMeshPart& part);

}  // namespace shoal::io
