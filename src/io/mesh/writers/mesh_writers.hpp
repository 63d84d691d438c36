// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_values.hpp>

// The kinds of files that write_mesh_values() knows. Each writes all of `path`, and throws what went wrong.
namespace shoal::io {

void write_mesh_vtkhdf(const std::filesystem::path& path, const MeshValues& values);
void write_mesh_vtu(const std::filesystem::path& path, const MeshValues& values);
void write_mesh_csv(const std::filesystem::path& path, const MeshValues& values);

/// [nodes, 3]: x, y and z of one node after the other, z = 0 in 2-D.
std::vector<double> interleaved_nodes(const MeshFile& mesh);

/// Where VTK's files have arrays of the part.
inline const char* data_section(MeshPart part) { return part == MeshPart::cells ? "CellData" : "PointData"; }

/// VTK's numbers of the cells' shapes.
std::vector<std::uint8_t> vtk_types(const MeshFile& mesh);

}  // namespace shoal::io
