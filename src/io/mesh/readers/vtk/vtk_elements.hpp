// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/mesh/mesh_builder.hpp"

namespace shoal::io {

/// Cells of a VTK file, in the layout of VTK's arrays.
struct VtkElements {
  std::vector<std::int64_t> type;         ///< [cells] VTK's cell types
  std::vector<std::int64_t> start = {0};  ///< [cells + 1] first corner of each cell in corners
  std::vector<std::int64_t> corners;
  std::vector<double> marker;  ///< [cells] marker numbers; empty if there are none

  /// Adds cells of one type, as a section of PolyData stores them.
  void add(std::int64_t all_of_type, const std::vector<std::int64_t>& ends, const std::vector<std::int64_t>& nodes);
};

/// VTK's cell types of the sections of PolyData, in the order of their cells in CellData.
constexpr std::int64_t vtk_poly_vertex = 2, vtk_poly_line = 4, vtk_polygon = 7, vtk_triangle_strip = 6;

/// Adds the elements; their node 0 is node `first_node` of the mesh. Marker 7 is named "7". Without markers, all faces
/// belong to "boundary".
/// @param file  name of the file in messages
/// @throws Error  if counts differ, a node does not exist, or an element has curved edges or an unsupported shape
void add_vtk_elements(MeshBuilder& mesh, const VtkElements& elements, std::int64_t first_node, const std::string& file);

/// Dimensions of PolyData: 3 for a surface, which has polygons; nothing for an outline in 2-D, which has lines.
/// @throws Error  if there are both
std::optional<int> dimensions_of_polydata(std::uint64_t lines, std::uint64_t polygons, const std::string& file);

}  // namespace shoal::io
