// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <shoal/grid.hpp>
#include <shoal/io/points_file.hpp>

#include <string>
#include <vector>

namespace shoal::cli {

/// Options for the grid of `shoal deposit`.
struct GridOptions {
  std::vector<std::int64_t> cells;    ///< nx,ny or nx,ny,nz
  std::vector<double> box;            ///< m, x0,x1,y0,y1 and z0,z1; empty: the smallest box around the points
  std::vector<std::string> periodic;  ///< names of axes: x, y, z
};

void add_grid_options(CLI::App& command, GridOptions& options);

/// Grid that the options describe. Its upper ends are never below those of the box, so that points there are inside.
/// @throws Error  inconsistent numbers, an axis that does not exist, or a box without length
Grid make_grid(const GridOptions& options, const io::PointsFile& points);

}  // namespace shoal::cli
