// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace shoal::io {

/// A number for each node or each cell of a grid, in host memory and contiguous.
struct ImageArray {
  std::string name;  ///< as viewers show it; without "/" and "."
  std::variant<View<const float>, View<const double>> values;
};

/// Values on a uniform grid. On periodic axes the nodes of the lower end are written again at the upper one, so that
/// viewers show the last cells, too.
struct ImageFile {
  DepositGrid grid;
  std::vector<ImageArray> nodes = {};  ///< [grid.node_count()] each
  std::vector<ImageArray> cells = {};  ///< [grid.cell_count()] each
};

/// Writes an image to VTKHDF ImageData (.vtkhdf), which ParaView 5.10 and VTK 9.1 and newer read; docs/output.md has
/// the layout. The file appears under its name only when it is complete; one that was there before stays until then.
///
/// Cost: the bytes of the arrays, once to disk; with periodic axes a copy in memory of one array of nodes.
/// @throws Error  what require_image_file() throws; a count that is not that of the grid; not in contiguous host
/// memory;
///                disk full or not writable
void write_image(const std::filesystem::path& file, const ImageFile& image);

/// That `file` can be an image of arrays with these names over `grid`, for those who want to know before they compute.
/// @throws Error  another extension; no such folder; a grid that is stretched, or makes no sense; a name that is empty,
///                there twice, or has "/" or "."
void require_image_file(const std::filesystem::path& file, const DepositGrid& grid,
                        const std::vector<std::string>& names);

}  // namespace shoal::io
