// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_values.hpp>

#include "io/formats/vtk/vtk_xml_writer.hpp"

// One writer for each kind of file of write_mesh_values(). Each writes a complete file `path`, and throws if that
// fails.
namespace shoal::io {

void write_mesh_vtkhdf(const std::filesystem::path& path, const MeshValues& values);
void write_mesh_vtu(const std::filesystem::path& path, const MeshValues& values);
void write_mesh_vtp(const std::filesystem::path& path, const MeshValues& values);
void write_mesh_csv(const std::filesystem::path& path, const MeshValues& values);

/// Adds the section with the arrays to a VTK XML file.
void add_values(VtkXmlText& xml, const MeshValues& values);

/// Returns true if PolyData can hold the cells: all are points, or all are polygons.
bool are_points_or_polygons(const MeshFile& mesh);

/// Coordinates x, y and z of the nodes, [nodes, 3]; z = 0 in 2-D.
std::vector<double> interleaved_nodes(const MeshFile& mesh);

/// Name of the section in VTK's files that holds the arrays of the part.
inline const char* data_section(MeshPart part) { return part == MeshPart::cells ? "CellData" : "PointData"; }

/// VTK's cell types, [cells].
std::vector<std::uint8_t> vtk_types(const MeshFile& mesh);

}  // namespace shoal::io
