// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/wall_distance.hpp>

#include <span>

#include "wall_distance/geometry/primitive_distance_item.hpp"
#include "wall_distance/motion/body_pose_item.hpp"

namespace shoal::wall_distance {

/// The walls of a plan as points, segments and triangles, in the order of the faces.
struct WallPrimitives {
  std::vector<Primitive> shape;  ///< [primitives]
  std::vector<std::int8_t>
      orientation;                 ///< [primitives] 1: the sorted corners go around as in the mesh; −1: the other way
  std::vector<std::int64_t> face;  ///< [primitives] number of the face in the mesh
  std::vector<std::int32_t> wall;  ///< [primitives] number of the wall in the mesh
  std::vector<std::int32_t> body;  ///< [primitives] number of the body
  std::vector<BodyPose> pose;      ///< [bodies] present poses

  std::int64_t count() const { return static_cast<std::int64_t>(shape.size()); }
  std::int32_t body_count() const { return static_cast<std::int32_t>(pose.size()); }
};

/// Number of the wall of this name.
/// @throws Error  there is none; the message lists those that exist
std::int32_t wall_number(const std::vector<std::string>& wall_names, std::string_view name);

/// [walls] number of the body of each wall; −1: the wall is not in use.
/// @throws Error  there is no wall of a given name, or bodies share a wall
std::vector<std::int32_t> body_of_wall(const std::vector<std::string>& wall_names, const WallDistanceOptions& options);

/// Numbers of faces and primitives of each body.
struct BodySizes {
  std::vector<std::int64_t> faces, primitives;  ///< [bodies]

  explicit BodySizes(const WallDistanceOptions& options);

  void add(std::int32_t body, std::int64_t more_faces, std::int64_t more_primitives) {
    faces[static_cast<std::size_t>(body)] += more_faces;
    primitives[static_cast<std::size_t>(body)] += more_primitives;
  }

  /// Leaves out the body of fixed walls if there are none.
  /// @throws Error  there are no faces at all, or none of a body of the options
  void finish(const WallDistanceOptions& options);
};

/// Cuts the faces of the walls in use into primitives. Bodies are numbered as in `options.bodies`; all other walls are
/// one more body after these.
/// @throws Error  the mesh is invalid, it has no wall of a given name, the walls have no faces, or bodies share a wall
WallPrimitives wall_primitives(const WallMesh& mesh, const WallDistanceOptions& options);

/// Computes shapes and orientations again, for the same mesh with other positions of its points.
/// @throws Error  a coordinate is not valid
void reshape(const WallMesh& mesh, const WallDistanceOptions& options, WallPrimitives& primitives);

}  // namespace shoal::wall_distance
