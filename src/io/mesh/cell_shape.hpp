// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <optional>
#include <string_view>

namespace shoal::io {

/// Properties that all cells of a shape share.
struct ShapeFacts {
  CellShape shape;
  std::string_view name;
  int dimensions;
  int corners;  ///< number of corners; 0: any number
};

const ShapeFacts& facts_of(CellShape shape);

/// Shape with this VTK cell type; nothing if shoal does not support the type, or its corners do not determine the cell.
std::optional<CellShape> shape_of_vtk(std::int64_t number);

/// Shape of a face with this number of corners, 2 or more.
CellShape face_shape(std::size_t corners);

/// Corners of the faces of a tetrahedron, pyramid, prism or hexahedron, counted from 0 within the cell. All faces have
/// the same orientation.
const std::vector<std::vector<std::size_t>>& faces_of(CellShape shape);

/// Returns true if the mesh has cells of shape polyhedron.
inline bool has_polyhedra(const MeshFile& mesh) { return mesh.polyhedron_faces.cell_start.size() > 1; }

/// Volume of a cell with these faces, m^3; negative if their normals point inwards. A face that is not flat is the fan of
/// triangles around the mean of its corners.
double signed_volume(const MeshPoints& nodes, const std::vector<std::vector<std::int64_t>>& faces);

/// Center of a cell: mean of the corners, or centroid.
std::array<double, 3> center_of_cell(const MeshFile& mesh, std::int64_t cell, CellCenter center);

}  // namespace shoal::io
