// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/wall_distance.hpp>

#include <span>

#include "wall_distance/face_item.hpp"

namespace shoal {

/// The walls that a plan asks about, cut into pieces that are points, segments or triangles, in the order of faces.
struct WallPieces {
  std::vector<FacePiece> shape;
  std::vector<std::int64_t> face;  ///< number of the face in the mesh
  std::vector<std::int32_t> wall;  ///< number of its wall in the mesh

  std::int64_t count() const { return static_cast<std::int64_t>(shape.size()); }
};

/// @throws Error  the mesh makes no sense, has no wall of such a name, or these walls have no faces
WallPieces wall_pieces(const WallMesh& mesh, const WallDistanceOptions& options);

}  // namespace shoal
