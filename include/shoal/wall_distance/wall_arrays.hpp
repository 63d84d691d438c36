// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>
#include <shoal/wall_distance/wall_mesh.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace shoal::wall_distance {

/// Solid faces in the arrays of a flow solver: views of any stride. They are in host memory for wall_mesh(), and on the
/// device of the queue for a plan that is made from them, see WallDistance.
///
/// Faces with the same number of corners have one view for each corner, which suits one array for each corner as well
/// as one record for each face. All others have `face_start` and a single view of all corners, face after face.
///
///     struct Face { int node[3], boundary; };                 // or int first[n], second[n], third[n]
///     const auto member = [&](int i) { return shoal::View<const int>(&faces[0].node[i], n, {}, 4); };
///     const shoal::WallMesh mesh = shoal::wall_mesh(shoal::WallArrays<float, int>{
///         .points = {x, y, z}, .corners = {member(0), member(1), member(2)}, .marker = member(3), .names = {"wing"}});
template <class Real, class Index>
struct WallArrays {
  Points<Real> points = {};                     ///< m; z is empty in 2-D
  std::vector<View<const Index>> corners = {};  ///< [2 or more][faces] numbers of points; or [1][face_start[faces]]
  View<const Index> face_start = {};    ///< [faces + 1] starts with 0; empty: one view in `corners` for each corner
  View<const Index> marker = {};        ///< [faces] numbers of walls, starting with 0; empty: all faces are wall 0
  std::vector<std::string> names = {};  ///< [walls] names by number; a missing name becomes "wall 3"
  Index first_point = 0;                ///< number of the first point: 1 for numbers counted as in Fortran
};

/// Copies these arrays into a mesh. It is 3-D if there is z. Every number is checked.
///
/// Cost: one pass over the arrays, on one thread.
/// @tparam Real   float or double
/// @tparam Index  std::int32_t or std::int64_t
/// @throws Error  arrays that are not in host memory or whose counts differ, segments in 3-D or polygons in 2-D, a
///                coordinate that is not finite, an index out of range: names the first such point, face or corner
template <class Real, class Index>
WallMesh wall_mesh(const WallArrays<Real, Index>& arrays);

}  // namespace shoal::wall_distance

namespace shoal {
using wall_distance::wall_mesh;
using wall_distance::WallArrays;
}  // namespace shoal
