// SPDX-License-Identifier: Apache-2.0
#include "deposit_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"

namespace shoal::cli {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

struct Range {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -lower;
};

/// From the lowest to the highest coordinate that is a finite number: the plan says what becomes of the others.
Range range_of(const std::vector<double>& coordinates) {
  Range range;
  for (const double coordinate : coordinates) {
    if (!std::isfinite(coordinate)) continue;
    range.lower = std::min(range.lower, coordinate);
    range.upper = std::max(range.upper, coordinate);
  }
  return range;
}

Range own_range(const io::PointsFile& points, std::size_t axis) {
  const std::vector<double>* const coordinates[] = {&points.x, &points.y, &points.z};
  const Range range = range_of(*coordinates[axis]);
  const char* name = axis_names[axis];
  require(range.lower <= range.upper, points.name, ": it has no particle to take the box from. Give --box.");
  require(range.lower < range.upper, points.name, ": all particles have ", name, " = ", range.lower,
          " m, so their box has no length along ", name, ". Give --box",
          axis == 2 ? ", or two numbers to --grid, which leave z out." : ".");
  return range;
}

Range said_range(const std::vector<double>& box, std::size_t axis) {
  const Range range{box[2 * axis], box[2 * axis + 1]};
  require(std::isfinite(range.upper - range.lower) && range.lower < range.upper, "--box: ", axis_names[axis], " from ",
          range.lower, " to ", range.upper, " m, expected two finite numbers, the lower one first.");
  return range;
}

/// Edge of `cells` cells from range.lower to range.upper, or the next number if rounding would end them before.
double spacing_of(const Range& range, std::int64_t cells) {
  const auto count = static_cast<double>(cells);
  double spacing = (range.upper - range.lower) / count;
  while (range.lower + spacing * count < range.upper)
    spacing = std::nextafter(spacing, std::numeric_limits<double>::infinity());
  return spacing;
}

void set_periodic(Grid& grid, const std::string& name) {
  const auto* const found = std::find(std::begin(axis_names), std::end(axis_names), name);
  require(found != std::end(axis_names), "--periodic ", name, ": expected axes, such as x,y.");
  const auto axis = static_cast<std::size_t>(found - axis_names);
  require(axis < static_cast<std::size_t>(grid.dimensions), "--periodic ", name, ": the grid has ", grid.dimensions,
          " dimensions.");
  grid.periodic[axis] = true;
}

void require_consistent(const BoxOptions& options, const io::PointsFile& points) {
  const std::size_t dimensions = options.cells.size();
  require(dimensions == 2 || dimensions == 3, "--grid has ", dimensions,
          " numbers, expected cells along x, y and z: ", "nx,ny,nz or nx,ny.");
  require(dimensions <= static_cast<std::size_t>(points.dimensions), "--grid has ", dimensions,
          " numbers, and points of ", points.name, " ", points.dimensions,
          points.dimensions == 1 ? " coordinate." : " coordinates.");
  for (std::size_t axis = 0; axis < dimensions; ++axis)
    require(options.cells[axis] > 0, "--grid: ", options.cells[axis], " cells along ", axis_names[axis],
            ", expected at least 1.");
  require(options.box.empty() || options.box.size() == 2 * dimensions, "--box has ", options.box.size(),
          " numbers, expected ", 2 * dimensions, " for a grid of ", dimensions,
          " dimensions: the lower and the upper end along each axis, as in 0,1,0,2", dimensions == 3 ? ",0,1." : ".");
  require(options.periodic.empty() || !options.box.empty(),
          "--periodic needs a period, which is the length of the box. Give --box.");
}

}  // namespace

Grid grid_of(const BoxOptions& options, const io::PointsFile& points) {
  require_consistent(options, points);
  Grid grid;
  grid.dimensions = static_cast<int>(options.cells.size());
  for (std::size_t axis = 0; axis < options.cells.size(); ++axis) {
    const Range range = options.box.empty() ? own_range(points, axis) : said_range(options.box, axis);
    grid.origin[axis] = range.lower;
    grid.cells[axis] = options.cells[axis];
    grid.spacing[axis] = spacing_of(range, options.cells[axis]);
  }
  for (const std::string& name : options.periodic) set_periodic(grid, name);
  require_valid(grid);
  return grid;
}

}  // namespace shoal::cli
