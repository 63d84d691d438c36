// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "wall_distance/signs/pseudonormal_item.hpp"
#include "wall_distance/walls/mesh_summary.hpp"

namespace shoal::wall_distance {

/// Pseudonormals of closed walls, on the host.
struct ClosedSurface {
  std::vector<std::int32_t> first;           ///< [faces of the mesh + 1] first primitive of each face
  std::vector<PrimitiveNormals> normals;     ///< [primitives]
  std::vector<OutwardNormal> vertex_normal;  ///< [vertices]
};

/// Checks that the walls are closed and computes their normals. Corners with equal coordinates are one vertex, whatever
/// their point numbers. Normals point outwards if the corners of faces go around counter-clockwise, seen from outside
/// (in 2-D: with the inside to the left). If a body encloses a negative volume that way, all its normals are reversed.
/// @throws UnclosedWalls  a body is not closed, has an edge with more than two faces, faces of inconsistent orientation, a face
///                without area with different corners, or no volume: reports the number of such edges and the first one
ClosedSurface closed_surface(const MeshSummary& mesh, const WallPrimitives& primitives);

}  // namespace shoal::wall_distance
