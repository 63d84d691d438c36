// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::wall_distance {

/// Solid faces of a mesh, on the host: the input of `WallDistance`, and the output of the mesh readers.
///
/// In 2-D a face is a segment of 2 corners, in 3-D a triangle, quadrilateral or polygon of 3 or more corners. Every
/// face belongs to one named wall. Its number in this mesh is its id in all results, whichever walls are in use.
///
///     shoal::WallMesh mesh{.dimensions = 2};
///     for (auto [x, y] : outline) mesh.add_point(x, y);
///     const std::int32_t wing = mesh.add_wall("wing");
///     mesh.add_face({0, 1}, wing);
///
/// A face of more than three corners is the fan of triangles from its corner with the smallest point number, all with
/// the id of the face. So the surface depends neither on the first corner of a face in a file nor on rounding, and it
/// stays the same surface when points move. A polygon that is not convex must be star-shaped from that corner.
///
/// Corners may coincide: a face without area is the segment or point that remains.
struct WallMesh {
  int dimensions = 3;                          ///< 2 or 3
  std::vector<double> x = {}, y = {}, z = {};  ///< [points] m; z is empty in 2-D
  std::vector<std::int64_t> face_start = {0};  ///< [faces + 1] index in `corners` of the first corner of each face
  std::vector<std::int64_t> corners = {};      ///< [face_start[faces]] numbers of points, in order around each face
  std::vector<std::int32_t> wall = {};         ///< [faces] number of the wall of each face
  std::vector<std::string> wall_names = {};    ///< [walls] all different

  std::int64_t point_count() const { return static_cast<std::int64_t>(x.size()); }
  std::int64_t face_count() const { return static_cast<std::int64_t>(wall.size()); }

  /// @param z  ignored in 2-D
  /// @return  the number of the new point
  std::int64_t add_point(double x, double y, double z = 0);

  /// @return  the number of the wall of this name, which is added if there was none
  std::int32_t add_wall(std::string_view name);

  /// @return  the number of the new face
  std::int64_t add_face(const std::vector<std::int64_t>& face_corners, std::int32_t face_wall);

  /// Number of the wall of this name.
  /// @throws Error  there is none; the message lists those that exist
  std::int32_t wall_number(std::string_view name) const;
};

/// Checks counts, coordinates, indices and names.
/// @throws Error  counts that differ, a coordinate that is not finite, an index out of range, a segment in 3-D or a
///                polygon in 2-D, two walls of one name, no face: names the first such point, face or wall
void require_valid(const WallMesh& mesh);

}  // namespace shoal::wall_distance

namespace shoal {
using wall_distance::require_valid;
using wall_distance::WallMesh;
}  // namespace shoal
