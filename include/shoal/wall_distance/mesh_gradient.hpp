// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/wall_distance.hpp>

namespace shoal::wall_distance {

/// Derivative of a weighted sum of distances with respect to the points of the walls, for shape optimization:
///
///     out_v = Σ_k weight_k ∂d_k / ∂v = − Σ_k weight_k b_kv ∇d_k
///
/// where v is a point of the mesh, and b_kv its barycentric coordinate at the nearest point of point k, which lies on a
/// triangle of the face, or on a segment in 2-D. With the weights ∂J/∂d_k of a cost function J the result is the part of
/// ∂J/∂v that comes from distances. With signs it has the signs of the distances.
///
/// It exists where ∇d does, and nearest points on edges and corners are no exception. On a wall, where ∇d is 0 without
/// signs, a point adds nothing. Of several nearest points that of `face` counts.
///
///     walls.find(x, y, z, {.face = face, .x = qx, .y = qy, .z = qz, .gradient_x = gx, .gradient_y = gy, .gradient_z = gz});
///     queue.wait();
///     shoal::mesh_gradient(mesh, {.face = face, .x = qx, ..., .gradient_z = gz}, weight, {out_x, out_y, out_z});
///
/// Cost: one pass over the points in their order on one CPU thread, so the same bits on every run.
///
/// @param mesh    the mesh of the search; where bodies moved or points were refitted, with these positions
/// @param search   [n] in host memory, as find() wrote it: face, nearest point and gradient
/// @param weight  [n] in host memory
/// @param out     [points of the mesh] in host memory, overwritten: unit of the weight; z is not written in 2-D
/// @param to      as for the search
/// @throws Error  the mesh is invalid, an array is missing or has another length, a face is not in the mesh
void mesh_gradient(const WallMesh& mesh, const WallDistanceOutputs& search, View<const double> weight,
                   const std::array<View<double>, 3>& out, WallDistanceTo to = WallDistanceTo::face);

}  // namespace shoal::wall_distance

namespace shoal {
using wall_distance::mesh_gradient;
}  // namespace shoal
