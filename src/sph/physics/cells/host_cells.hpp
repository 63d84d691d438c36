// SPDX-License-Identifier: Apache-2.0
// Cells of the CPU methods.
#pragma once
#include "sph/physics/cells/cell_order_item.hpp"

namespace shoal::sph {

/// Cells in one of two orders, chosen at run time: the steppers are compiled once for both.
struct HostCells {
  bool are_in_z_order = false;

  template <class Real, int dimensions>
  std::int64_t cells_of_layer(const Parameters<Real, dimensions>& parameters) const {
    return are_in_z_order ? ZOrderCells::cells_of_layer(parameters) : LinearCells::cells_of_layer(parameters);
  }
  /// Assigns numbers to the cells.
  template <class Real, int dimensions>
  const Parameters<Real, dimensions>& number(Parameters<Real, dimensions>& parameters) const {
    return are_in_z_order ? ZOrderCells::number(parameters) : LinearCells::number(parameters);
  }
  template <class Real, int dimensions>
  std::uint32_t cell_of(const Parameters<Real, dimensions>& parameters,
                        const PositionDensity<Real, dimensions>& position) const {
    return are_in_z_order ? ZOrderCells::cell_of(parameters, position) : LinearCells::cell_of(parameters, position);
  }
  template <class Physics, class Real, int dimensions>
  int run_count(const Parameters<Real, dimensions>& parameters) const {
    return are_in_z_order ? ZOrderCells::run_count<Physics>(parameters) : LinearCells::run_count<Physics>(parameters);
  }
  template <class Physics, class Real, int dimensions>
  CellRun run_of(const Parameters<Real, dimensions>& parameters, std::uint32_t cell, int run) const {
    if (are_in_z_order) return z_order_run<Physics>(parameters, cell, run);
    return LinearCells::run_of<Physics>(parameters, cell, run);
  }

 private:
  /// A function of its own, which keeps the loops over rows of cells short.
  template <class Physics, class Real, int dimensions>
  [[gnu::noinline]] static CellRun z_order_run(const Parameters<Real, dimensions>& parameters, std::uint32_t cell,
                                               int run) {
    return ZOrderCells::run_of<Physics>(parameters, cell, run);
  }
};

}  // namespace shoal::sph
