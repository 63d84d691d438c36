// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/mesh_builder.hpp"

#include <algorithm>

#include "io/mesh/cell_shape.hpp"
#include "io/mesh/csr_row.hpp"

namespace shoal::io {

namespace {

void append(std::vector<std::int64_t>& start, std::vector<std::int64_t>& all_corners,
            std::span<const std::int64_t> corners) {
  all_corners.insert(all_corners.end(), corners.begin(), corners.end());
  start.push_back(static_cast<std::int64_t>(all_corners.size()));
}

}  // namespace

void MeshBuilder::add_node(double x, double y, double z) {
  nodes_.x.push_back(x);
  nodes_.y.push_back(y);
  nodes_.z.push_back(z);
}

std::int32_t MeshBuilder::group(const std::vector<std::string>& names) {
  const auto [entry, is_new] = group_of_names_.try_emplace(names, static_cast<std::int32_t>(groups_.size()));
  if (!is_new) return entry->second;
  std::vector<std::size_t> numbers;
  for (const std::string& name : names) {
    const auto [marker, is_new_marker] = marker_of_name_.try_emplace(name, markers_.size());
    if (is_new_marker) markers_.emplace_back().name = name;
    numbers.push_back(marker->second);
  }
  groups_.push_back(numbers);
  return entry->second;
}

void MeshBuilder::add(CellShape shape, std::span<const std::int64_t> corners, std::int32_t group) {
  shape_.push_back(shape);
  append(start_, corners_, corners);
  group_.push_back(group);
}

void MeshBuilder::add_polyhedron(const FacesOfCell& faces, std::int32_t group) {
  add(CellShape::polyhedron, {}, group);
  for (const auto& face : faces) append(polyhedra_.face_start, polyhedra_.corners, face);
  polyhedra_.cell_start.push_back(static_cast<std::int64_t>(polyhedra_.face_start.size()) - 1);
}

FacesOfCell MeshBuilder::faces_of_polyhedron(std::size_t number) const {
  FacesOfCell faces;
  for (std::int64_t face = polyhedra_.cell_start[number]; face < polyhedra_.cell_start[number + 1]; ++face) {
    const auto corners = csr_row(polyhedra_.corners, polyhedra_.face_start, static_cast<std::size_t>(face));
    faces.emplace_back(corners.begin(), corners.end());
  }
  return faces;
}

int MeshBuilder::find_dimensions() const {
  int most = 0;
  for (const CellShape shape : shape_) most = std::max(most, facts_of(shape).dimensions);
  require(most > 0, name_, ": it has no cells and no faces.");
  if (most == 3) return 3;
  const bool is_flat = std::all_of(nodes_.z.begin(), nodes_.z.end(), [&](double z) { return z == nodes_.z.front(); });
  require(is_flat || most == 2, name_, ": it has only lines, and they do not lie in a plane z = constant. Walls are ",
          "lines in 2-D, triangles, quadrilaterals or polygons in 3-D.");
  return is_flat ? 2 : 3;
}

void MeshBuilder::require_nodes() const {
  for (const std::int64_t corner : corners_)
    require(corner >= 0 && corner < nodes_.count(), name_, ": an element has node ", corner,
            ", counted from 0, and the file has ", nodes_.count(), " nodes.");
}

MeshFile MeshBuilder::finish(std::optional<int> dimensions) {
  require_nodes();
  MeshFile mesh;
  mesh.name = name_;
  mesh.dimensions = dimensions ? *dimensions : find_dimensions();
  mesh.nodes = std::move(nodes_);
  if (mesh.dimensions == 2) mesh.nodes.z.clear();
  std::vector<bool> is_marker_of_faces(markers_.size());
  std::size_t polyhedron = 0;
  for (std::size_t e = 0; e < shape_.size(); ++e) {
    const auto begin = static_cast<std::size_t>(start_[e]), end = static_cast<std::size_t>(start_[e + 1]);
    const std::span<const std::int64_t> corners(corners_.data() + begin, end - begin);
    const int of_element = facts_of(shape_[e]).dimensions;
    if (shape_[e] == CellShape::polyhedron) {
      append_cell(mesh, faces_of_polyhedron(polyhedron++));
    } else if (of_element == mesh.dimensions) {
      append_cell(mesh, shape_[e], corners);
    } else if (of_element == mesh.dimensions - 1) {
      for (const std::size_t marker : groups_[static_cast<std::size_t>(group_[e])]) {
        append(markers_[marker].face_start, markers_[marker].corners, corners);
        is_marker_of_faces[marker] = true;
      }
    }
  }
  finish_polyhedra(mesh);
  for (MeshMarker& marker : markers_) marker.is_wall = walls_.contains(marker.name);
  for (std::size_t i = 0; i < markers_.size(); ++i)  // other markers have only cells, edges or points
    if (is_marker_of_faces[i]) mesh.markers.push_back(std::move(markers_[i]));
  return mesh;
}

}  // namespace shoal::io
