// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <functional>

#include "io/formats/text/file_cursor.hpp"

namespace shoal::io {

/// Calls `use(nodes, at)` for each block of a Plot3D file: nodes along i, j and k (k is 1 in a 2-D file), and the
/// coordinates of all of them, i fastest; z is 0 in a 2-D file.
/// @throws Error  neither text nor Fortran's records nor raw numbers, cut short, too long, a count that is not
/// positive, a coordinate
///                that is not finite
void read_plot3d_blocks(FileCursor& file,
                        const std::function<void(const std::array<std::int64_t, 3>&, const MeshPoints&)>& use);

}  // namespace shoal::io
