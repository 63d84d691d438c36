// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace shoal::io {

/// What all cells of a shape have in common.
struct ShapeFacts {
  CellShape shape;
  std::string_view name;
  int dimensions;
  int corners;  ///< 0: any number
};

const ShapeFacts& facts_of(CellShape shape);

/// The shape with VTK's number, nothing if it is none of ours.
std::optional<CellShape> shape_of_vtk(std::int64_t number);

/// The shape of a face by its number of corners, 2 or more.
CellShape face_shape(std::size_t corners);

/// Mean of the corners, or centroid, of a cell.
/// @param corners  numbers of nodes, in VTK's order
std::array<double, 3> center_of_cell(const MeshPoints& nodes, CellShape shape, std::span<const std::int64_t> corners,
                                     CellCenter center);

}  // namespace shoal::io
