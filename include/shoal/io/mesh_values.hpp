// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/io/mesh_file.hpp>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace shoal::io {

/// Location of values on a mesh.
enum class MeshPart { cells, nodes };

/// Array with values for each cell or node, contiguous in host memory.
struct MeshArray {
  std::string name;  ///< array name in viewers, without "/" and "."
  std::variant<View<const double>, View<const std::int32_t>, View<const std::int64_t>> values;
  int columns = 1;  ///< number of components: 1, or 3 for interleaved x, y and z
};

/// Mesh and values on it.
struct MeshValues {
  const MeshFile& mesh;
  MeshPart part;             ///< location of the values
  const MeshPoints& points;  ///< [cells or nodes] m, positions of the values, for formats without a mesh
  std::vector<MeshArray> arrays = {};
};

/// Mesh of points without faces: a cell of shape `point` for each of them.
/// @param dimensions  2 or 3
MeshFile mesh_of_points(int dimensions, MeshPoints points);

/// Writes a mesh with values to VTKHDF UnstructuredGrid (.vtkhdf: ParaView 5.10, VTK 9.1 and newer) or VTK XML (.vtu;
/// .vtp for points or polygons), or the points with values to a table (.csv). docs/output.md has the layouts. A temporary file replaces `file` when
/// it is complete, so that `file` is never half written.
///
/// Cost: the bytes of the mesh and the arrays, once to disk; a .vtu or .vtp is assembled in memory.
/// @throws Error  the errors of require_mesh_values_file() and require_cells_fit(); an array whose length differs from the mesh; an array that
///                is not contiguous in host memory; disk full or not writable
void write_mesh_values(const std::filesystem::path& file, const MeshValues& values);

/// Requires that `file` can hold a mesh with arrays of these names. Callers check before a long computation.
/// @throws Error  an unknown extension; a missing folder; a name that is empty, duplicate, or contains "/" or "."
void require_mesh_values_file(const std::filesystem::path& file, const std::vector<std::string>& names);

/// Requires that the format of `file` can hold the cells of `mesh`. Callers check before a long computation.
/// @throws Error  .vtp for a mesh with other cells than points, or other cells than polygons; .vtkhdf for polyhedra
void require_cells_fit(const std::filesystem::path& file, const MeshFile& mesh);

}  // namespace shoal::io

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::MeshPart> = std::array<std::string_view, 2>{"cells", "nodes"};

}  // namespace shoal
