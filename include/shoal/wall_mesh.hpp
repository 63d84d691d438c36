// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// The solid faces of a mesh, on the host: what `WallDistance` measures distances to, and what mesh readers make.
///
/// In 2-D a face is a segment of 2 corners, in 3-D a triangle, quadrilateral or polygon of 3 corners or more. Every
/// face belongs to one named wall, and its number here is its id in all answers, whatever walls are asked about.
///
///     shoal::WallMesh mesh{.dimensions = 2};
///     for (auto [x, y] : outline) mesh.add_point(x, y);
///     const std::int32_t wing = mesh.add_wall("wing");
///     mesh.add_face({0, 1}, wing);
///
/// A face of more than three corners is the fan of triangles from its corner with the smallest point number, all with
/// the id of the face. So the surface depends neither on the corner with which a file starts a face nor on rounding,
/// and stays the same surface when points move. A polygon that is not convex must see all of itself from that corner.
///
/// Corners may coincide: a face without area counts as the segment or point that is left of it.
struct WallMesh {
  int dimensions = 3;                          ///< 2 or 3
  std::vector<double> x = {}, y = {}, z = {};  ///< [points] m; z is empty in 2-D
  std::vector<std::int64_t> face_start = {0};  ///< [faces + 1] the corners of face f begin at corners[face_start[f]]
  std::vector<std::int64_t> corners = {};      ///< [face_start[faces]] numbers of points, in order around each face
  std::vector<std::int32_t> wall = {};         ///< [faces] the number of its wall
  std::vector<std::string> wall_names = {};    ///< [walls] all different

  std::int64_t point_count() const { return static_cast<std::int64_t>(x.size()); }
  std::int64_t face_count() const { return static_cast<std::int64_t>(wall.size()); }

  /// @param z  ignored in 2-D
  /// @return  the number of the new point
  std::int64_t add_point(double x, double y, double z = 0);

  /// @return  the number of the wall of this name, which is new if there was none
  std::int32_t add_wall(std::string_view name);

  /// @return  the number of the new face
  std::int64_t add_face(const std::vector<std::int64_t>& its_corners, std::int32_t its_wall);

  /// The number of the wall of this name.
  /// @throws Error  there is none; the message lists those that exist
  std::int32_t wall_number(std::string_view name) const;
};

/// @throws Error  naming the first point, face or wall that makes no sense: counts that differ, a coordinate that is
/// not
///                finite, a number out of range, a segment in 3-D or a polygon in 2-D, two walls of one name, no face
void require_valid(const WallMesh& mesh);

}  // namespace shoal
