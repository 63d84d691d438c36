// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>
#include <shoal/io/points_file.hpp>

#include <filesystem>

namespace shoal::cli {

/// Reads points in the space of a mesh. A mesh in the plane takes points of three coordinates if all have the same z,
/// because VTK files always store three.
/// @throws Error  the errors of io::read_points(); too few coordinates, several z for a mesh in the plane, or a
///                coordinate that is not finite or larger than 1e100 m: names the first such point
io::MeshPoints read_points_for(const io::MeshFile& mesh, const std::filesystem::path& file,
                               const io::PointsFileOptions& options);

}  // namespace shoal::cli
