// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace shoal::io {

/// Array with one number per node or cell of a grid, contiguous in host memory.
struct ImageArray {
  std::string name;  ///< array name in viewers, without "/" and "."
  std::variant<View<const float>, View<const double>> values;
};

/// Values on a uniform grid. On periodic axes the file repeats the nodes of the lower end at the upper end. Viewers
/// would not draw the last layer of cells otherwise.
struct ImageFile {
  DepositGrid grid;
  std::vector<ImageArray> nodes = {};  ///< [grid.node_count()] each, values at nodes
  std::vector<ImageArray> cells = {};  ///< [grid.cell_count()] each, values in cells
};

/// Writes an image to VTKHDF ImageData (.vtkhdf) for ParaView 5.10, VTK 9.1 and newer; docs/output.md has the layout. A
/// temporary file replaces `file` when it is complete, so that `file` is never half written.
///
/// Cost: the bytes of the arrays, once to disk; with periodic axes also a copy of one node array in memory.
/// @throws Error  the errors of require_image_file(); an array whose length differs from the grid; an array that is not
///                contiguous in host memory; disk full or not writable
void write_image(const std::filesystem::path& file, const ImageFile& image);

/// Requires that `file` can be an image of arrays with these names over `grid`. Callers check before a long
/// computation.
/// @throws Error  an unknown extension; a missing folder; a stretched or invalid grid; a name that is empty, duplicate,
///                or contains "/" or "."
void require_image_file(const std::filesystem::path& file, const DepositGrid& grid,
                        const std::vector<std::string>& names);

}  // namespace shoal::io
