// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/mesh/openfoam/collated_folder.hpp"

namespace shoal::io {

/// Mesh of OpenFOAM: a polyMesh folder, or the part of one processor in a collated one.
struct PolyMeshPart {
  std::filesystem::path folder;              ///< polyMesh folder
  std::shared_ptr<CollatedFolder> collated;  ///< files of all parts; null if the folder has one mesh
  std::size_t block = 0;                     ///< number of the part in `collated`

  /// Opens a file of the mesh, such as "points".
  FoamFile open(const char* file, std::span<const std::string_view> classes) const;
  /// Name of a file of the mesh in messages.
  std::string name_of(const char* file) const;
};

/// Finds the meshes of an OpenFOAM case: one, or one for each processor, in their order.
///
/// `path` is a polyMesh folder, a folder that contains polyMesh, the folder of a case, or a file such as case.foam in it.
/// @param decomposed  true: the parts in processor0, processor1, ..., or processorsN, also if the case has a mesh of its own
/// @throws Error  no mesh in the folder, numbers of processors with gaps, or a case that is decomposed twice
std::vector<PolyMeshPart> find_poly_meshes(const std::filesystem::path& path, bool decomposed);

/// Folder of the fields of a time, which belong to a polyMesh folder: case/0 for case/constant/polyMesh, case/0/air for
/// the region case/constant/air/polyMesh.
std::filesystem::path folder_of_fields(const std::filesystem::path& poly_mesh, const std::string& time);

}  // namespace shoal::io
