// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/wall_distance.hpp>

#include <span>

#include "wall_distance/geometry/primitive_distance_item.hpp"
#include "wall_distance/motion/body_pose_item.hpp"

namespace shoal {

/// The walls that a plan asks about, cut into pieces that are points, segments or triangles, in the order of faces.
struct WallPieces {
  std::vector<FacePiece> shape;
  std::vector<std::int8_t> turn;   ///< 1: corners go around as the mesh has them, or from begin to end; −1: back
  std::vector<std::int64_t> face;  ///< number of the face in the mesh
  std::vector<std::int32_t> wall;  ///< number of its wall in the mesh
  std::vector<std::int32_t> body;  ///< number of its body
  std::vector<BodyPose> pose;      ///< [bodies] where they are now

  std::int64_t count() const { return static_cast<std::int64_t>(shape.size()); }
  std::int32_t body_count() const { return static_cast<std::int32_t>(pose.size()); }
};

/// Bodies have the numbers of `options.bodies`; walls that are in none are the body after the last one, if there are
/// any.
/// @throws Error  the mesh makes no sense, has no wall of such a name, these walls have no faces, or bodies share a
/// wall
WallPieces wall_pieces(const WallMesh& mesh, const WallDistanceOptions& options);

/// Shapes and turns anew, from the same mesh with its points elsewhere.
void reshape(const WallMesh& mesh, const WallDistanceOptions& options, WallPieces& pieces);

}  // namespace shoal
