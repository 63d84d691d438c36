// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include "io/formats/binary/hdf5.hpp"

// The mesh of VTKHDF's UnstructuredGrid, which files of one state and of many begin with.
namespace shoal::io {

/// Uncompressed.
std::uint64_t bytes_of_grid(const MeshFile& mesh);

/// Writes the mesh as one part into group `vtk`, and our version into a group of `file`.
/// @param layout  of VTKHDF: 1 without steps, 2 with
void write_grid(hid_t file, hid_t vtk, const MeshFile& mesh, std::int64_t layout);

}  // namespace shoal::io
