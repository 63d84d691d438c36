// SPDX-License-Identifier: Apache-2.0
#include "deposit/binning/deposit_faults.hpp"

#include <cmath>

#include "core/text.hpp"

namespace shoal::deposit {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Bounds of the axes. A message may be made after the device's copy of the grid is gone.
template <class Real>
struct Allowed {
  Real lower[3] = {};
  Real upper[3] = {};

  explicit Allowed(const DepositSpace<Real>& space) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = space.axes[axis].cells.allowed_lower;
      upper[axis] = space.axes[axis].cells.allowed_upper;
    }
  }
};

template <class Real>
std::string outside_text(const Allowed<Real>& allowed, int axis, std::int64_t particle, const double* value) {
  const auto coordinate = static_cast<Real>(value[axis]);
  if (std::isnan(coordinate))
    return text("deposit: particle ", particle, " has no cell: ", axis_names[axis],
                " = nan; expected a finite coordinate. Repair it or set outside = \"skip\".");
  return text("deposit: particle ", particle, " is outside the grid: ", axis_names[axis], " = ", coordinate,
              " m, allowed [", allowed.lower[axis], ", ", allowed.upper[axis],
              "] m. Enlarge the grid or set outside = \"clamp\" or \"skip\".");
}

std::string outside_slab_text(int axis, Range layers, std::int64_t particle, const double* value) {
  return text("deposit: particle ", particle, " with ", axis_names[axis], " = ", value[axis],
              " m is not in the slab of its rank, layers ", layers.begin, " to ", layers.end - 1,
              " of the grid. Give it to the rank that has its layer.");
}

}  // namespace

template <class Real>
StatusBlock::Explain fault_message(const DepositSpace<Real>& grid, Range layers, const std::vector<double>& ranges) {
  return [allowed = Allowed<Real>(grid), axis = grid.dimensions - 1, layers, ranges](
             int kind, std::int64_t item, const double* value) -> std::string {
    const auto cell = static_cast<std::int64_t>(value[0]);
    if (kind < 3) return outside_text(allowed, kind, item, value);
    if (kind == DepositFault::blocked_cell)
      return text("deposit: particle ", item, " is in cell ", cell,
                  ", which is blocked. Move it, open the cell or set blocked = \"drop\" or \"redistribute\".");
    if (kind == DepositFault::no_open_node)
      return text("deposit: particle ", item, " is in cell ", cell,
                  ", none of whose nodes is open, so its value cannot be redistributed. Move it or set blocked = "
                  "\"drop\".");
    if (kind == DepositFault::no_open_cell)
      return text("deposit: no cell around particle ", item,
                  " is open, so its value cannot be redistributed to cells. ", "Move it or set blocked = \"drop\".");
    if (kind == DepositFault::outside_slab) return outside_slab_text(axis, layers, item, value);
    if (kind == DepositFault::out_of_order)
      return text("deposit: particle ", item, " is in cell ", cell, ", the previous one in cell ",
                  static_cast<std::int64_t>(value[1]), ", but sorted particles must be in the order of cells. Sort ",
                  "them, or let bin() do it.");
    if (kind < DepositFault::out_of_range)
      return text("deposit: value ", kind - DepositFault::not_finite, " of particle ", item,
                  " is not finite; method `integer` adds finite values only. Repair it or use another method.");
    const int k = kind - DepositFault::out_of_range;
    return text("deposit: the absolute values of value ", k, " add up to more than its range, ",
                ranges[static_cast<std::size_t>(k)], ". Enlarge the ranges or leave them out.");
  };
}
template StatusBlock::Explain fault_message(const DepositSpace<float>&, Range, const std::vector<double>&);
template StatusBlock::Explain fault_message(const DepositSpace<double>&, Range, const std::vector<double>&);

}  // namespace shoal::deposit
