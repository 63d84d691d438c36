// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/io/mesh_file.hpp>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace shoal::io {

/// What of a mesh has values.
enum class MeshPart { cells, nodes };

/// Numbers for each cell or node, in host memory and contiguous.
struct MeshArray {
  std::string name;  ///< as viewers show it; without "/" and "."
  std::variant<View<const double>, View<const std::int32_t>, View<const std::int64_t>> values;
  int columns = 1;  ///< of values for each: 1, or 3 for x, y and z one after the other
};

/// A mesh and values on it.
struct MeshValues {
  const MeshFile& mesh;
  MeshPart part;             ///< what has the values
  const MeshPoints& points;  ///< [cells or nodes] where these are, for files without a mesh
  std::vector<MeshArray> arrays = {};
};

/// Writes the mesh with the values to VTKHDF UnstructuredGrid (.vtkhdf: ParaView 5.10 and VTK 9.1 and newer) or VTK's
/// XML (.vtu), or the points with the values to a table (.csv); docs/output.md has the layouts. The file appears under
/// its name only when it is complete; one that was there before stays until then.
///
/// Cost: the bytes of the mesh and the arrays, once to disk; a .vtu is put together in memory.
/// @throws Error  what require_mesh_values_file() throws; counts that are not those of the mesh; not in contiguous host
///                memory; disk full or not writable
void write_mesh_values(const std::filesystem::path& file, const MeshValues& values);

/// That `file` can hold a mesh with arrays of these names, for those who want to know before they compute.
/// @throws Error  another extension; no such folder; a name that is empty, there twice, or has "/" or "."
void require_mesh_values_file(const std::filesystem::path& file, const std::vector<std::string>& names);

}  // namespace shoal::io

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::MeshPart> = std::array<std::string_view, 2>{"cells", "nodes"};

}  // namespace shoal
