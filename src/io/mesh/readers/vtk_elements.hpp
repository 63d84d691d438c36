// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/mesh/mesh_builder.hpp"

namespace shoal::io {

/// Cells of a VTK file, as its own arrays have them.
struct VtkElements {
  std::vector<std::int64_t> type;         ///< [cells] VTK's numbers
  std::vector<std::int64_t> start = {0};  ///< [cells + 1] in corners
  std::vector<std::int64_t> corners;
  std::vector<double> marker;  ///< [cells] numbers of markers; empty if there are none

  /// Adds cells of one type, as PolyData has them in sections.
  void add(std::int64_t all_of_type, const std::vector<std::int64_t>& ends, const std::vector<std::int64_t>& nodes);
};

/// VTK's numbers for the sections of PolyData, in the order in which CellData go through them.
constexpr std::int64_t vtk_poly_vertex = 2, vtk_poly_line = 4, vtk_polygon = 7, vtk_triangle_strip = 6;

/// Adds the elements, of nodes that the mesh has from `first_node` on. Marker 7 is named "7"; without markers all faces
/// belong to "boundary".
/// @param file  for messages
/// @throws Error  counts that differ, a node that is not there, an element with curved edges or one that is not ours
void add_vtk_elements(MeshBuilder& mesh, const VtkElements& elements, std::int64_t first_node, const std::string& file);

/// Whether PolyData is a surface in 3-D (it has polygons) or an outline in 2-D (it has lines).
/// @throws Error  both
std::optional<int> dimensions_of_polydata(std::uint64_t lines, std::uint64_t polygons, const std::string& file);

}  // namespace shoal::io
