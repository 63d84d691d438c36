// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance/wall_arrays.hpp>

#include <algorithm>

#include "core/memory/check_views.hpp"
#include "wall_distance/walls/mesh_checks.hpp"

namespace shoal::wall_distance {

namespace {

constexpr const char* operation = "wall_distance";

/// Appends the corners of faces that have one view for each corner.
template <class Index>
void add_equal_faces(const std::vector<View<const Index>>& corners, WallMesh& mesh) {
  const std::int64_t faces = corners.front().count;
  for (std::int64_t face = 0; face < faces; ++face) {
    for (const View<const Index>& corner : corners) mesh.corners.push_back(element(corner, face));
    mesh.face_start.push_back(static_cast<std::int64_t>(mesh.corners.size()));
  }
}

/// Appends the corners of faces that have a single view, face after face.
template <class Index>
void add_any_faces(const std::vector<View<const Index>>& corners, const View<const Index>& start, WallMesh& mesh) {
  for (std::int64_t face = 0; face < start.count; ++face) {
    const std::int64_t begin = element(start, face), before = face == 0 ? 0 : mesh.face_start.back();
    require(face == 0 ? begin == 0 : begin >= before, "wall_distance: face_start[", face, "] is ", begin, ", expected ",
            before, face == 0 ? "." : " or more.");
    if (face > 0) mesh.face_start.push_back(begin);
  }
  for (std::int64_t i = 0; i < corners[0].count; ++i) mesh.corners.push_back(element(corners[0], i));
}

template <class Index>
void set_walls(const View<const Index>& marker, WallMesh& mesh) {
  const auto faces = static_cast<std::int64_t>(mesh.face_start.size()) - 1;
  mesh.wall.assign(static_cast<std::size_t>(faces), 0);
  if (marker.data == nullptr) return;
  for (std::int64_t face = 0; face < faces; ++face) {
    const std::int64_t number = element(marker, face);
    require(number >= 0 && number < most_markers, "wall_distance: face ", face, " has the marker ", number,
            ", expected 0 to ", most_markers - 1, ".");
    mesh.wall[static_cast<std::size_t>(face)] = static_cast<std::int32_t>(number);
  }
}

}  // namespace

std::vector<std::string> names_of_walls(std::vector<std::string> given, std::int64_t last) {
  while (std::ssize(given) <= last) given.push_back(text("wall ", given.size()));
  return given;
}

template <class Real, class Index>
void require_views(const Queue& queue, const WallArrays<Real, Index>& arrays) {
  const std::vector<View<const Index>>& corners = arrays.corners;
  const View<const Index>& start = arrays.face_start;
  require_points(queue, operation, arrays.points, arrays.points.z.data != nullptr ? 3 : 2);
  require(!corners.empty(), "wall_distance: there are no arrays of corners. Give one for each corner of a face, ",
          "or one with all of them and face_start.");
  if (start.data != nullptr) {
    require(corners.size() == 1, "wall_distance: ", corners.size(),
            " arrays of corners, expected one with face_start. Give the corners of all faces one after the other.");
    require_view(queue, operation, "face_start", start, start.count);
    require_view(queue, operation, "corners", corners[0], corners[0].count);
  } else {
    for (const View<const Index>& corner : corners)
      require_view(queue, operation, "one of the corners", corner, corners[0].count);
  }
  if (arrays.marker.data != nullptr) require_view(queue, operation, "marker", arrays.marker, face_count(arrays));
}

template <class Real, class Index>
WallMesh wall_mesh(const WallArrays<Real, Index>& arrays) {
  const Points<Real>& points = arrays.points;
  WallMesh mesh{.dimensions = points.z.data != nullptr ? 3 : 2};
  require_views(Queue::cpu(1), arrays);
  mesh.x = coordinates(points.x);
  mesh.y = coordinates(points.y);
  mesh.z = coordinates(points.z);
  if (arrays.face_start.data != nullptr)
    add_any_faces(arrays.corners, arrays.face_start, mesh);
  else
    add_equal_faces(arrays.corners, mesh);
  for (std::int64_t& corner : mesh.corners) corner -= arrays.first_point;
  set_walls(arrays.marker, mesh);
  const std::int32_t last = mesh.wall.empty() ? 0 : *std::max_element(mesh.wall.begin(), mesh.wall.end());
  mesh.wall_names = names_of_walls(arrays.names, last);
  require_valid(mesh);
  return mesh;
}

template WallMesh wall_mesh(const WallArrays<float, std::int32_t>&);
template WallMesh wall_mesh(const WallArrays<float, std::int64_t>&);
template WallMesh wall_mesh(const WallArrays<double, std::int32_t>&);
template WallMesh wall_mesh(const WallArrays<double, std::int64_t>&);
template void require_views(const Queue&, const WallArrays<float, std::int32_t>&);
template void require_views(const Queue&, const WallArrays<float, std::int64_t>&);
template void require_views(const Queue&, const WallArrays<double, std::int32_t>&);
template void require_views(const Queue&, const WallArrays<double, std::int64_t>&);

}  // namespace shoal::wall_distance
