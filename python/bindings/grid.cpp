// SPDX-License-Identifier: Apache-2.0
#include <shoal/grid.hpp>

#include "bindings.hpp"

namespace shoal::python {

namespace {

struct GridKeywords {
  std::vector<double> origin, spacing;
  std::vector<std::int64_t> cells;
  std::vector<bool> periodic;
};

void require_axes(const char* name, std::size_t count, std::size_t dimensions) {
  require(count == dimensions, "grid: ", name, " has ", count, " values, expected ", dimensions,
          ": one for each dimension.");
}

int dimensions_of(std::size_t count, const char* name) {
  require(count == 2 || count == 3, "grid: ", name, " has ", count,
          " values, expected 2 or 3: one for each dimension.");
  return static_cast<int>(count);
}

template <class T>
std::array<T, 3> padded_to_three(const std::vector<T>& values, T rest) {
  std::array<T, 3> padded = {rest, rest, rest};
  std::copy(values.begin(), values.end(), padded.begin());
  return padded;
}

std::array<bool, 3> periodic_axes(const std::vector<bool>& periodic, std::size_t dimensions) {
  if (!periodic.empty()) require_axes("periodic", periodic.size(), dimensions);
  return padded_to_three<bool>(periodic, false);
}

Grid make_grid(const std::vector<double>& origin, const std::vector<double>& spacing,
               const std::vector<std::int64_t>& cells, const std::vector<bool>& periodic) {
  Grid grid;
  grid.dimensions = dimensions_of(cells.size(), "cells");
  require_axes("origin", origin.size(), cells.size());
  require_axes("spacing", spacing.size(), cells.size());
  grid.origin = padded_to_three(origin, 0.0);
  grid.spacing = padded_to_three(spacing, 1.0);
  grid.cells = padded_to_three<std::int64_t>(cells, 1);
  grid.periodic = periodic_axes(periodic, cells.size());
  require_valid(grid);
  return grid;
}

Grid fill(const std::vector<double>& lower, const std::vector<double>& upper, double spacing,
          const std::vector<bool>& periodic) {
  const int dimensions = dimensions_of(lower.size(), "lower");
  require_axes("upper", upper.size(), lower.size());
  return Grid::fill(dimensions, padded_to_three(lower, 0.0), padded_to_three(upper, 0.0), spacing,
                    periodic_axes(periodic, lower.size()));
}

template <class T>
nb::tuple axes(const std::array<T, 3>& values, int dimensions) {
  nb::list list;
  for (int axis = 0; axis < dimensions; ++axis) list.append(static_cast<T>(values[static_cast<std::size_t>(axis)]));
  return nb::tuple(list);
}

std::string repr(const Grid& grid) {
  const auto list = [&grid](const auto& values) { return nb::repr(axes(values, grid.dimensions)); };
  return text("Grid(origin=", list(grid.origin).c_str(), ", spacing=", list(grid.spacing).c_str(),
              ", cells=", list(grid.cells).c_str(), ", periodic=", list(grid.periodic).c_str(), ")");
}

}  // namespace

std::vector<std::int64_t> cell_shape(const Grid& grid) {
  std::vector<std::int64_t> shape;
  for (int axis = grid.dimensions; axis-- > 0;) shape.push_back(grid.cells[static_cast<std::size_t>(axis)]);
  return shape;
}

std::vector<std::int64_t> node_shape(const Grid& grid) {
  std::vector<std::int64_t> shape;
  for (int axis = grid.dimensions; axis-- > 0;) {
    const auto a = static_cast<std::size_t>(axis);
    shape.push_back(grid.cells[a] + (grid.periodic[a] ? 0 : 1));
  }
  return shape;
}

void bind_grid(nb::module_& module) {
  nb::class_<Grid>(module, "Grid", R"(A uniform, axis-aligned grid in two or three dimensions.

Cells and nodes are numbered with x fastest, so arrays of them have the shapes `shape` and `node_shape`: z, y, x.

Parameters
----------
origin : sequence of float
    m, the lower corner.
spacing : sequence of float
    m, the edges of a cell.
cells : sequence of int
    Number of cells along each axis.
periodic : sequence of bool
    True for each periodic axis; by default no axis is.

Raises
------
Error
    The grid is invalid.
)")
      .def(
          "__init__",
          [](Grid* self, const std::vector<double>& origin, const std::vector<double>& spacing,
             const std::vector<std::int64_t>& cells,
             const std::vector<bool>& periodic) { new (self) Grid(make_grid(origin, spacing, cells, periodic)); },
          "origin"_a, "spacing"_a, "cells"_a, "periodic"_a = nb::tuple())
      .def_static("fill", &fill, "lower"_a, "upper"_a, "spacing"_a, "periodic"_a = nb::tuple(),
                  R"(The grid of cells with an edge of at least `spacing` that fills the box [lower, upper] exactly.

Parameters
----------
lower, upper : sequence of float
    m, two or three numbers each.
spacing : float
    m.
periodic : sequence of bool
    True for each periodic axis; by default no axis is.
)")
      .def_ro("dimensions", &Grid::dimensions, "int: 2 or 3.")
      .def_prop_ro(
          "origin", [](const Grid& grid) { return axes(grid.origin, grid.dimensions); },
          nb::sig("def origin(self) -> tuple[float, ...]"), "tuple: m, the lower corner.")
      .def_prop_ro(
          "spacing", [](const Grid& grid) { return axes(grid.spacing, grid.dimensions); },
          nb::sig("def spacing(self) -> tuple[float, ...]"), "tuple: m, the edges of a cell.")
      .def_prop_ro(
          "cells", [](const Grid& grid) { return axes(grid.cells, grid.dimensions); },
          nb::sig("def cells(self) -> tuple[int, ...]"), "tuple: number of cells along each axis.")
      .def_prop_ro(
          "periodic", [](const Grid& grid) { return axes(grid.periodic, grid.dimensions); },
          nb::sig("def periodic(self) -> tuple[bool, ...]"), "tuple: True for each periodic axis.")
      .def_prop_ro(
          "upper",
          [](const Grid& grid) {
            return axes(std::array{grid.upper(0), grid.upper(1), grid.upper(2)}, grid.dimensions);
          },
          nb::sig("def upper(self) -> tuple[float, ...]"), "tuple: m, the upper corner.")
      .def_prop_ro("cell_count", &Grid::cell_count, "int: number of cells.")
      .def_prop_ro("node_count", &Grid::node_count, "int: number of nodes; a periodic axis has as many nodes as cells.")
      .def_prop_ro(
          "shape", [](const Grid& grid) { return nb::tuple(nb::cast(cell_shape(grid))); },
          nb::sig("def shape(self) -> tuple[int, ...]"), "tuple: shape of an array of cells: z, y, x.")
      .def_prop_ro(
          "node_shape", [](const Grid& grid) { return nb::tuple(nb::cast(node_shape(grid))); },
          nb::sig("def node_shape(self) -> tuple[int, ...]"), "tuple: shape of an array of nodes: z, y, x.")
      .def("__repr__", &repr);
}

}  // namespace shoal::python
