// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <functional>

#include "io/formats/text/file_cursor.hpp"

namespace shoal::io {

/// Calls `use(nodes, at)` for each block of a Plot3D file: numbers of nodes along i, j and k, and the coordinates of
/// all nodes, i fastest. A 2-D file has one node along k and z = 0.
/// @throws Error  if the file is neither text nor Fortran's records nor raw numbers, or is cut short or too long; if a
///                count is not positive, or a coordinate is not finite
void read_plot3d_blocks(FileCursor& file,
                        const std::function<void(const std::array<std::int64_t, 3>&, const MeshPoints&)>& use);

}  // namespace shoal::io
