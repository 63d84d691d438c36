// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "cells/cell_formula.hpp"
#include "core/text.hpp"
#include "deposit/binning/device_grid.hpp"

namespace shoal::deposit {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Throws unless the coordinates of an axis are finite and ascending.
void require_ascending(int axis, const std::vector<double>& nodes) {
  require(nodes.size() >= 2, "deposit: ", nodes.size(), " nodes along ", axis_names[axis], ", expected at least 2.");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    require(std::isfinite(nodes[i]), "deposit: node ", i, " along ", axis_names[axis], " is at ", nodes[i],
            " m, expected a finite coordinate.");
  for (std::size_t i = 1; i < nodes.size(); ++i)
    require(nodes[i - 1] < nodes[i], "deposit: node ", i, " along ", axis_names[axis], " is at ", nodes[i], " m, node ",
            i - 1, " at ", nodes[i - 1], " m; expected ascending coordinates.");
}

}  // namespace

DepositGrid& DepositGrid::stretch(int axis, std::vector<double> coordinates) {
  require(axis >= 0 && axis < grid.dimensions, "deposit: axis ", axis, " to stretch, expected 0 to ",
          grid.dimensions - 1, ".");
  require_ascending(axis, coordinates);
  grid.cells[axis] = static_cast<std::int64_t>(coordinates.size()) - 1;
  grid.origin[axis] = coordinates.front();
  grid.spacing[axis] = (coordinates.back() - coordinates.front()) / static_cast<double>(grid.cells[axis]);
  nodes[axis] = std::move(coordinates);
  return *this;
}

void require_valid(const DepositGrid& grid) {
  require_valid(grid.grid);
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double>& nodes = grid.nodes[axis];
    if (nodes.empty()) continue;
    require(axis < grid.grid.dimensions, "deposit: nodes along z of a 2-D grid. Leave them out.");
    require_ascending(axis, nodes);
    const auto cells = static_cast<std::int64_t>(nodes.size()) - 1;
    require(cells == grid.grid.cells[axis], "deposit: ", nodes.size(), " nodes along ", axis_names[axis], " for ",
            grid.grid.cells[axis], " cells, expected one more node than cells. Use DepositGrid::stretch().");
  }
  const auto cells = static_cast<std::int64_t>(grid.blocked.size());
  require(cells == 0 || cells == grid.cell_count(), "deposit: blocked has ", cells, " elements, expected ",
          grid.cell_count(), ", one per cell, or none.");
}

template <class Real>
DeviceGrid<Real>::DeviceGrid(const Queue& queue, const DepositGrid& grid, const DepositOptions& options) {
  require_valid(grid);
  const CellFormula<Real> formula = cells::cell_formula<Real>("deposit", grid.grid);
  space_.dimensions = grid.grid.dimensions;
  space_.redistribute = options.blocked == DepositBlocked::redistribute;
  for (int axis = 0; axis < grid.grid.dimensions; ++axis) {
    DepositAxis<Real>& along = space_.axes[axis];
    along.cells = formula.axes[axis];
    if (!grid.nodes[axis].empty()) stretch(queue, grid, axis);
    if (options.outside == DepositOutside::clamp && !along.cells.periodic) {
      along.cells.allowed_lower = -std::numeric_limits<Real>::infinity();
      along.cells.allowed_upper = std::numeric_limits<Real>::infinity();
    }
  }
  if (!grid.blocked.empty()) block(queue, grid.blocked);
}

template <class Real>
void DeviceGrid<Real>::stretch(const Queue& queue, const DepositGrid& grid, int axis) {
  const std::vector<double>& exact = grid.nodes[axis];
  const std::vector<Real> nodes(exact.begin(), exact.end());
  std::vector<Real> inverse_widths(nodes.size() - 1);
  for (std::size_t cell = 0; cell < inverse_widths.size(); ++cell) {
    const Real inverse = 1 / (nodes[cell + 1] - nodes[cell]);
    require(nodes[cell] < nodes[cell + 1] && std::isfinite(inverse), "deposit: nodes ", cell, " and ", cell + 1,
            " along ", axis_names[axis], " are at ", exact[cell], " m and ", exact[cell + 1], " m, which ",
            sizeof(Real) == 4 ? "float" : "double", " cannot resolve. Move the origin nearer or use double.");
    inverse_widths[cell] = inverse;
  }
  nodes_[axis] = to_device(queue, nodes);
  inverse_widths_[axis] = to_device(queue, inverse_widths);
  DepositAxis<Real>& along = space_.axes[axis];
  along.nodes = nodes_[axis].data();
  along.inverse_widths = inverse_widths_[axis].data();
  along.period = nodes.back() - nodes.front();
  along.inverse_period = 1 / along.period;
  if (along.cells.periodic) return;
  along.cells.allowed_lower = nodes.front();
  along.cells.allowed_upper = nodes.back();
}

template <class Real>
void DeviceGrid<Real>::block(const Queue& queue, const std::vector<std::uint8_t>& blocked) {
  const std::int64_t cells = space_.cell_count();
  std::vector<bool> is_open(static_cast<std::size_t>(space_.node_count()), false);
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (int c = 0; c < space_.corners() && blocked[static_cast<std::size_t>(cell)] == 0; ++c)
      is_open[static_cast<std::size_t>(space_.corner_node(space_.cell_index(cell), c))] = true;
  std::vector<std::uint8_t> open(static_cast<std::size_t>(cells), static_cast<std::uint8_t>(space_.all_open));
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (int c = 0; c < space_.corners(); ++c)
      if (!is_open[static_cast<std::size_t>(space_.corner_node(space_.cell_index(cell), c))])
        open[static_cast<std::size_t>(cell)] &= static_cast<std::uint8_t>(~(1u << c));
  blocked_ = to_device(queue, blocked);
  open_corners_ = to_device(queue, open);
  space_.blocked = blocked_.data();
  space_.open_corners = open_corners_.data();
}

template class DeviceGrid<float>;
template class DeviceGrid<double>;

}  // namespace shoal::deposit
