// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/readers/vtk/vtk_elements.hpp"

#include <cmath>

#include "core/text.hpp"
#include "io/mesh/cell_shape.hpp"

namespace shoal::io {

namespace {

constexpr std::int64_t vtk_pixel = 8, vtk_voxel = 11;

void check_counts(const VtkElements& elements, const std::string& file) {
  const std::size_t cells = elements.type.size();
  require(elements.start.size() == cells + 1, file, ": it has ", cells, " types of cells and ",
          elements.start.size() - 1, " offsets, expected as many.");
  require(elements.marker.empty() || elements.marker.size() == cells, file, ": ", elements.marker.size(),
          " markers of ", cells, " cells, expected one a cell.");
  for (std::size_t cell = 0; cell < cells; ++cell)
    require(elements.start[cell + 1] >= elements.start[cell], file, ": the corners of cell ", cell, " end at ",
            elements.start[cell + 1], ", before they begin, at ", elements.start[cell], ".");
  require(elements.start.front() == 0 && elements.start.back() == static_cast<std::int64_t>(elements.corners.size()),
          file, ": the corners of its cells end at ", elements.start.back(), ", expected ", elements.corners.size(),
          ", as many as the file has.");
}

std::string marker_name(double value, std::size_t cell, const std::string& file) {
  require(value == std::trunc(value) && std::abs(value) < 9e15, file, ": the marker of cell ", cell, " is ", value,
          ", expected a whole number.");
  return text(static_cast<std::int64_t>(value));
}

class Adding {
 public:
  Adding(MeshBuilder& mesh, const std::string& file) : mesh_(mesh), file_(file) {}

  /// Adds an element.
  /// @param corners  numbers of the mesh's nodes
  void add(std::int64_t type, std::size_t cell, std::vector<std::int64_t>& corners, std::int32_t group) {
    if (type == vtk_poly_vertex) return;
    if (type == vtk_poly_line) {
      for (std::size_t i = 0; i + 1 < corners.size(); ++i)
        mesh_.add(CellShape::segment, std::span(corners).subspan(i, 2), group);
      return;
    }
    const CellShape shape = shape_of(type, cell, corners);
    const auto expected = static_cast<std::size_t>(facts_of(shape).corners);
    require(corners.size() == expected || (expected == 0 && corners.size() > 2), file_, ": cell ", cell, " has ",
            corners.size(), " corners, expected ", expected == 0 ? "3 or more" : text(expected), " of a ",
            facts_of(shape).name, ".");
    mesh_.add(shape, corners, group);
  }

 private:
  /// Shape of a VTK cell type. The corners of pixels and voxels are reordered to those of quadrilaterals and hexahedra.
  CellShape shape_of(std::int64_t type, std::size_t cell, std::vector<std::int64_t>& corners) const {
    if (type == vtk_pixel || type == vtk_voxel) {
      for (std::size_t i = 2; i + 1 < corners.size(); i += 4) std::swap(corners[i], corners[i + 1]);
      return type == vtk_pixel ? CellShape::quadrilateral : CellShape::hexahedron;
    }
    const std::optional<CellShape> shape = shape_of_vtk(type);
    require(
        shape.has_value(), file_, ": cell ", cell, " is of VTK's type ", type,
        ", expected 1 to 5, or 7 to 14: strips, polyhedra and elements of higher order are not read. Write triangles, "
        "or elements with straight edges.");
    return *shape == CellShape::polygon && corners.size() > 2 ? face_shape(corners.size()) : *shape;
  }

  MeshBuilder& mesh_;
  const std::string& file_;
};

}  // namespace

void VtkElements::add(std::int64_t all_of_type, const std::vector<std::int64_t>& ends,
                      const std::vector<std::int64_t>& nodes) {
  const auto before = static_cast<std::int64_t>(corners.size());
  type.insert(type.end(), ends.size(), all_of_type);
  for (const std::int64_t end : ends) start.push_back(before + end);
  corners.insert(corners.end(), nodes.begin(), nodes.end());
}

void add_vtk_elements(MeshBuilder& mesh, const VtkElements& elements, std::int64_t first_node,
                      const std::string& file) {
  check_counts(elements, file);
  const std::int64_t count = mesh.node_count() - first_node;
  Adding adding(mesh, file);
  std::map<double, std::int32_t> group_of_marker;
  std::vector<std::int64_t> corners;
  for (std::size_t cell = 0; cell < elements.type.size(); ++cell) {
    corners.clear();
    for (auto i = static_cast<std::size_t>(elements.start[cell]);
         i < static_cast<std::size_t>(elements.start[cell + 1]); ++i) {
      const std::int64_t node = elements.corners[i];
      require(node >= 0 && node < count, file, ": cell ", cell, " has node ", node, ", expected 0 to ", count - 1, ".");
      corners.push_back(first_node + node);
    }
    const double marker = elements.marker.empty() ? 0 : elements.marker[cell];
    const auto [group, is_new] = group_of_marker.try_emplace(marker, 0);
    if (is_new) group->second = mesh.group({elements.marker.empty() ? "boundary" : marker_name(marker, cell, file)});
    adding.add(elements.type[cell], cell, corners, group->second);
  }
}

std::optional<int> dimensions_of_polydata(std::uint64_t lines, std::uint64_t polygons, const std::string& file) {
  require(lines == 0 || polygons == 0, file, ": it has ", lines, " lines and ", polygons,
          " polygons: 2-D and 3-D are mixed. Expected only one of them.");
  return polygons > 0 ? std::optional(3) : std::nullopt;
}

}  // namespace shoal::io
