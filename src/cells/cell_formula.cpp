// SPDX-License-Identifier: Apache-2.0
#include "cells/cell_formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"

namespace shoal::cells {

namespace {
constexpr const char* axis_names[] = {"x", "y", "z"};
}

template <class Real>
CellFormula<Real> cell_formula(const char* operation, const Grid& grid) {
  require_valid(grid);
  CellFormula<Real> formula;
  formula.dimensions = grid.dimensions;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    CellAxis<Real>& along = formula.axes[axis];
    along.lower = static_cast<Real>(grid.origin[axis]);
    along.inverse_spacing = static_cast<Real>(1 / grid.spacing[axis]);
    along.cells = static_cast<std::int32_t>(grid.cells[axis]);
    along.periodic = grid.periodic[axis];
    constexpr double reach = 4611686018427387904.0;  // 2^62 cells: the number of a cell fits 64 bits
    const double far = along.periodic ? reach * grid.spacing[axis] : 0.0;
    constexpr double most = std::numeric_limits<Real>::max() / 4;  // keeps differences finite
    along.allowed_lower = static_cast<Real>(std::clamp(grid.origin[axis] - far, -most, most));
    along.allowed_upper = static_cast<Real>(std::clamp(grid.upper(axis) + far, -most, most));
    require(std::isfinite(along.inverse_spacing) && along.allowed_lower < along.allowed_upper, operation,
            ": the grid spans [", grid.origin[axis], ", ", grid.upper(axis), "] m along ", axis_names[axis],
            " with a spacing of ", grid.spacing[axis], " m, which ", sizeof(Real) == 4 ? "float" : "double",
            " cannot resolve. Move the origin nearer or use double.");
  }
  return formula;
}
template CellFormula<float> cell_formula(const char*, const Grid&);
template CellFormula<double> cell_formula(const char*, const Grid&);

}  // namespace shoal::cells
