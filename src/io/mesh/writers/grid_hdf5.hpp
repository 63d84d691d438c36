// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include "io/formats/binary/hdf5.hpp"

// Mesh of VTKHDF's UnstructuredGrid, with which files of one state and of several states begin.
namespace shoal::io {

/// Size of the mesh in bytes, uncompressed.
std::uint64_t bytes_of_grid(const MeshFile& mesh);

/// Writes the mesh as one part into group `vtk`, and the version of shoal into a group of `file`.
/// @param layout  major version of VTKHDF's layout: 1 without steps, 2 with steps
void write_grid(hid_t file, hid_t vtk, const MeshFile& mesh, std::int64_t layout);

}  // namespace shoal::io
