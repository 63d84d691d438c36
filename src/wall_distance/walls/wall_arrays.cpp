// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_arrays.hpp>

#include <algorithm>

#include "core/memory/check_views.hpp"

namespace shoal {

namespace {

constexpr const char* operation = "wall_distance";

template <class T>
T at(const View<const T>& view, std::int64_t i) {
  return view.data[i * view.stride];
}

/// Throws unless the view is in host memory and has `count` elements.
template <class T>
void require_host(const char* name, const View<const T>& view, std::int64_t count) {
  require_view(Queue::cpu(1), operation, name, view, count);
}

template <class Real>
std::vector<double> coordinates(const View<const Real>& view) {
  std::vector<double> all(static_cast<std::size_t>(view.count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<double>(at(view, static_cast<std::int64_t>(i)));
  return all;
}

/// Corners of faces that have equally many.
template <class Index>
void take_columns(const std::vector<View<const Index>>& columns, WallMesh& mesh) {
  const std::int64_t faces = columns.front().count;
  for (const View<const Index>& column : columns) require_host("one of the corners", column, faces);
  for (std::int64_t face = 0; face < faces; ++face) {
    for (const View<const Index>& column : columns) mesh.corners.push_back(at(column, face));
    mesh.face_start.push_back(static_cast<std::int64_t>(mesh.corners.size()));
  }
}

/// Corners of faces one after the other.
template <class Index>
void take_runs(const std::vector<View<const Index>>& corners, const View<const Index>& start, WallMesh& mesh) {
  require(corners.size() == 1, "wall_distance: ", corners.size(), " arrays of corners, expected one with face_start. ",
          "Give the corners of all faces one after the other.");
  require_host("face_start", start, start.count);
  require_host("corners", corners[0], corners[0].count);
  for (std::int64_t face = 0; face < start.count; ++face) {
    const std::int64_t begin = at(start, face), before = face == 0 ? 0 : mesh.face_start.back();
    require(face == 0 ? begin == 0 : begin >= before, "wall_distance: face_start[", face, "] is ", begin, ", expected ",
            before, face == 0 ? "." : " or more.");
    if (face > 0) mesh.face_start.push_back(begin);
  }
  for (std::int64_t i = 0; i < corners[0].count; ++i) mesh.corners.push_back(at(corners[0], i));
}

template <class Index>
void take_markers(const View<const Index>& marker, WallMesh& mesh) {
  const auto faces = static_cast<std::int64_t>(mesh.face_start.size()) - 1;
  mesh.wall.assign(static_cast<std::size_t>(faces), 0);
  if (marker.data == nullptr) return;
  require_host("marker", marker, faces);
  constexpr std::int64_t most = 1'000'000;
  for (std::int64_t face = 0; face < faces; ++face) {
    const std::int64_t number = at(marker, face);
    require(number >= 0 && number < most, "wall_distance: face ", face, " has the marker ", number, ", expected 0 to ",
            most - 1, ".");
    mesh.wall[static_cast<std::size_t>(face)] = static_cast<std::int32_t>(number);
  }
}

/// Walls by number; what has no name is called by its number.
std::vector<std::string> names_of(const std::vector<std::string>& names, const std::vector<std::int32_t>& wall) {
  const std::int32_t last = wall.empty() ? 0 : *std::max_element(wall.begin(), wall.end());
  std::vector<std::string> all = names;
  while (all.size() <= static_cast<std::size_t>(last)) all.push_back(text("wall ", all.size()));
  return all;
}

}  // namespace

template <class Real, class Index>
WallMesh wall_mesh(const WallArrays<Real, Index>& arrays) {
  const Points<Real>& points = arrays.points;
  WallMesh mesh{.dimensions = points.z.data != nullptr ? 3 : 2};
  require_points(Queue::cpu(1), operation, points, mesh.dimensions);
  mesh.x = coordinates(points.x);
  mesh.y = coordinates(points.y);
  mesh.z = coordinates(points.z);
  require(!arrays.corners.empty(),
          "wall_distance: there are no arrays of corners. Give one for each corner of a face, ",
          "or one with all of them and face_start.");
  if (arrays.face_start.data != nullptr)
    take_runs(arrays.corners, arrays.face_start, mesh);
  else
    take_columns(arrays.corners, mesh);
  for (std::int64_t& corner : mesh.corners) corner -= arrays.first_point;
  take_markers(arrays.marker, mesh);
  mesh.wall_names = names_of(arrays.names, mesh.wall);
  require_valid(mesh);
  return mesh;
}

template WallMesh wall_mesh(const WallArrays<float, std::int32_t>&);
template WallMesh wall_mesh(const WallArrays<float, std::int64_t>&);
template WallMesh wall_mesh(const WallArrays<double, std::int32_t>&);
template WallMesh wall_mesh(const WallArrays<double, std::int64_t>&);

}  // namespace shoal
