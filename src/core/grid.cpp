// SPDX-License-Identifier: Apache-2.0
#include <shoal/grid.hpp>

#include <algorithm>
#include <cmath>

#include "core/most_cells.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {
constexpr const char* axis_names[] = {"x", "y", "z"};
}  // namespace

Grid Grid::fill(int dimensions, std::array<double, 3> lower, std::array<double, 3> upper, double spacing,
                std::array<bool, 3> periodic) {
  require(dimensions == 2 || dimensions == 3, "grid: dimensions = ", dimensions, ", expected 2 or 3.");
  require(std::isfinite(spacing) && spacing > 0, "grid: spacing = ", spacing, " m, expected a positive length.");
  Grid grid;
  grid.dimensions = dimensions;
  grid.periodic = periodic;
  for (int axis = 0; axis < dimensions; ++axis) {
    const double length = upper[axis] - lower[axis];
    require(std::isfinite(length) && length > 0, "grid: the box spans [", lower[axis], ", ", upper[axis], "] m along ",
            axis_names[axis], ", expected a positive, finite length.");
    const double cells = std::max(1.0, std::floor(length / spacing));
    require(cells <= static_cast<double>(most_cells), "grid: ", cells, " cells along ", axis_names[axis],
            ", expected at most ", most_cells, ". Enlarge the spacing.");
    grid.origin[axis] = lower[axis];
    grid.cells[axis] = static_cast<std::int64_t>(cells);
    grid.spacing[axis] = length / static_cast<double>(grid.cells[axis]);
  }
  require_valid(grid);
  return grid;
}

std::int64_t Grid::node_count() const {
  std::int64_t nodes = 1;
  for (int axis = 0; axis < dimensions; ++axis) nodes *= cells[axis] + (periodic[axis] ? 0 : 1);
  return nodes;
}

void require_valid(const Grid& grid) {
  require(grid.dimensions == 2 || grid.dimensions == 3, "grid: dimensions = ", grid.dimensions, ", expected 2 or 3.");
  double total = 1;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    require(grid.cells[axis] > 0, "grid: ", grid.cells[axis], " cells along ", axis_names[axis],
            ", expected at least 1.");
    require(std::isfinite(grid.spacing[axis]) && grid.spacing[axis] > 0, "grid: spacing = ", grid.spacing[axis],
            " m along ", axis_names[axis], ", expected a positive length.");
    require(std::isfinite(grid.origin[axis]), "grid: origin = ", grid.origin[axis], " m along ", axis_names[axis],
            ", expected a finite value.");
    total *= static_cast<double>(grid.cells[axis]);
  }
  require(grid.dimensions == 3 || grid.cells[2] == 1, "grid: a 2-D grid has ", grid.cells[2],
          " cells along z, expected 1.");
  require(total <= static_cast<double>(most_cells), "grid: ", total, " cells, expected at most ", most_cells,
          ". Enlarge the spacing.");
}

}  // namespace shoal
