// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <optional>
#include <span>
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

/// Shape with this VTK cell type; nothing if shoal does not support the type.
std::optional<CellShape> shape_of_vtk(std::int64_t number);

/// Shape of a face with this number of corners, 2 or more.
CellShape face_shape(std::size_t corners);

/// Center of a cell: mean of the corners, or centroid.
/// @param corners  numbers of nodes, in VTK's order
std::array<double, 3> center_of_cell(const MeshPoints& nodes, CellShape shape, std::span<const std::int64_t> corners,
                                     CellCenter center);

}  // namespace shoal::io
