// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/grid.hpp>
#include <shoal/io/points_file.hpp>

#include <string>
#include <vector>

namespace shoal::cli {

/// What a command line says of a grid.
struct BoxOptions {
  std::vector<std::int64_t> cells;    ///< nx,ny or nx,ny,nz
  std::vector<double> box;            ///< m, x0,x1,y0,y1 and z0,z1; empty: the smallest one around the points
  std::vector<std::string> periodic;  ///< axes: x, y, z
};

/// The grid that the options ask for. Its upper ends are never below those of the box, so that points there are inside.
/// @throws Error  numbers that do not fit together, an axis that is not there, no box, or one without length
Grid grid_of(const BoxOptions& options, const io::PointsFile& points);

}  // namespace shoal::cli
