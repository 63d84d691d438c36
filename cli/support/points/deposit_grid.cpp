// SPDX-License-Identifier: Apache-2.0
#include "support/points/deposit_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/arguments/options.hpp"
#include "support/message.hpp"

namespace shoal::cli {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Ends of an axis, m.
struct Range {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -lower;
};

/// Range of the points along an axis. Coordinates that are not finite are left out; the plan reports or skips them.
Range range_of_points(const io::PointsFile& points, std::size_t axis) {
  const std::vector<double>* const coordinates[] = {&points.x, &points.y, &points.z};
  Range range;
  for (const double coordinate : *coordinates[axis]) {
    if (!std::isfinite(coordinate)) continue;
    range.lower = std::min(range.lower, coordinate);
    range.upper = std::max(range.upper, coordinate);
  }
  const char* name = axis_names[axis];
  require(range.lower <= range.upper, "{}: it has no particle to take the box from. Give --box.", points.name);
  require(range.lower < range.upper,
          "{}: all particles have {} = {} m, so their box has no length along {}. Give --box{}", points.name, name,
          range.lower, name, axis == 2 ? ", or two numbers to --grid, which leave z out." : ".");
  return range;
}

Range range_of_option(const std::vector<double>& box, std::size_t axis) {
  const Range range{box[2 * axis], box[2 * axis + 1]};
  require(std::isfinite(range.upper - range.lower) && range.lower < range.upper,
          "--box: {} from {} to {} m, expected two finite numbers, the lower one first.", axis_names[axis], range.lower,
          range.upper);
  return range;
}

/// Edge of `cells` cells from range.lower to range.upper, or the next number if rounding would end the cells before the
/// range.
double spacing(const Range& range, std::int64_t cells) {
  const auto count = static_cast<double>(cells);
  double spacing = (range.upper - range.lower) / count;
  while (range.lower + spacing * count < range.upper)
    spacing = std::nextafter(spacing, std::numeric_limits<double>::infinity());
  return spacing;
}

std::array<bool, 3> periodic_axes(const GridOptions& options) {
  std::array<bool, 3> periodic{};
  for (const std::string& name : options.periodic) {
    const auto* const entry = std::find(std::begin(axis_names), std::end(axis_names), name);
    require(entry != std::end(axis_names), "--periodic {}: expected axes, such as x,y.", name);
    const auto axis = static_cast<std::size_t>(entry - axis_names);
    require(axis < options.cells.size(), "--periodic {}: the grid has {} dimensions.", name, options.cells.size());
    periodic[axis] = true;
  }
  return periodic;
}

void require_consistent(const GridOptions& options, const io::PointsFile& points) {
  const std::size_t dimensions = options.cells.size();
  require(dimensions == 2 || dimensions == 3,
          "--grid has {} numbers, expected cells along x, y and z: nx,ny,nz or nx,ny.", dimensions);
  require(dimensions <= static_cast<std::size_t>(points.dimensions),
          "--grid has {} numbers, and points of {} {} coordinate{}.", dimensions, points.name, points.dimensions,
          points.dimensions == 1 ? "" : "s");
  for (std::size_t axis = 0; axis < dimensions; ++axis)
    require(options.cells[axis] > 0, "--grid: {} cells along {}, expected at least 1.", options.cells[axis],
            axis_names[axis]);
  require(options.box.empty() || options.box.size() == 2 * dimensions,
          "--box has {} numbers, expected {} for a grid of {} dimensions: the lower and the upper end along each axis, "
          "as in 0,1,0,2{}",
          options.box.size(), 2 * dimensions, dimensions, dimensions == 3 ? ",0,1." : ".");
  require(options.periodic.empty() || !options.box.empty(),
          "--periodic needs a period, which is the length of the box. Give --box.");
}

}  // namespace

void add_grid_options(CLI::App& command, GridOptions& options) {
  add_list_option(command, "--grid", options.cells, "cells along each axis: nx,ny,nz, or nx,ny, which leaves z out")
      ->required();
  add_list_option(command, "--box", options.box,
                  "ends of the grid in m: x0,x1,y0,y1,z0,z1; default: those of the particles");
  add_list_option(command, "--periodic", options.periodic, "periodic axes: x,y");
}

Grid make_grid(const GridOptions& options, const io::PointsFile& points) {
  require_consistent(options, points);
  Grid grid;
  grid.dimensions = static_cast<int>(options.cells.size());
  grid.periodic = periodic_axes(options);
  for (std::size_t axis = 0; axis < options.cells.size(); ++axis) {
    const Range range = options.box.empty() ? range_of_points(points, axis) : range_of_option(options.box, axis);
    grid.origin[axis] = range.lower;
    grid.cells[axis] = options.cells[axis];
    grid.spacing[axis] = spacing(range, options.cells[axis]);
  }
  require_valid(grid);
  return grid;
}

}  // namespace shoal::cli
