// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace shoal::io {

/// Finds the polyMesh folders of an OpenFOAM mesh: one, or one for each processor, in their order.
///
/// `path` is a polyMesh folder, a folder that contains polyMesh, the folder of a case, or a file such as case.foam in it.
/// @param decomposed  true: the parts in processor0, processor1, ..., also if the case has a mesh of its own
/// @throws Error  no mesh in the folder, numbers of processors with gaps, or a case in collated files
std::vector<std::filesystem::path> find_poly_meshes(const std::filesystem::path& path, bool decomposed);

/// Folder of the fields of a time, which belong to a polyMesh folder: case/0 for case/constant/polyMesh, case/0/air for
/// the region case/constant/air/polyMesh.
std::filesystem::path folder_of_fields(const std::filesystem::path& poly_mesh, const std::string& time);

}  // namespace shoal::io
