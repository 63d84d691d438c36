// SPDX-License-Identifier: Apache-2.0
// Input of deposit_current() and its checks.
#pragma once
#include <shoal/deposit/current.hpp>

#include <cmath>
#include <limits>

#include "core/memory/check_views.hpp"

namespace shoal::deposit {

/// Arguments of deposit_current().
struct CurrentCall {
  const Queue& queue;
  const Grid& grid;
  double time_step;
  std::span<const View<const double>> before, after;
  View<const double> charge;
  std::span<const View<double>> current;

  std::int64_t particles() const { return charge.count; }
  double charge_of(std::int64_t p) const { return charge.data[p * charge.stride]; }
  static double coordinate(const View<const double>& view, std::int64_t p) { return view.data[p * view.stride]; }

  /// Coordinates in cells from node 0.
  double cells_before(std::size_t axis, std::int64_t p) const { return in_cells(axis, coordinate(before[axis], p)); }
  double cells_after(std::size_t axis, std::int64_t p) const { return in_cells(axis, coordinate(after[axis], p)); }

  /// Axis along which a particle moves farther than a cell or is not finite; `dimensions` if its charge is not finite; −1
  /// if it has no fault.
  int fault(std::int64_t p) const {
    if (!std::isfinite(charge_of(p))) return grid.dimensions;
    for (int axis = 0; axis < grid.dimensions; ++axis)
      if (!(std::abs(cells_after(axis, p) - cells_before(axis, p)) <= 1)) return axis;
    return -1;
  }

 private:
  double in_cells(std::size_t axis, double coordinate) const {
    return (coordinate - grid.origin[axis]) / grid.spacing[axis];
  }
};

inline void require_arguments(const CurrentCall& call) {
  const Grid& grid = call.grid;
  require_valid(grid);
  require(call.queue.device().kind == DeviceKind::cpu,
          "deposit: the current is computed on the CPU alone, got a queue of another device. Pass a queue of the CPU.");
  const std::size_t axes = static_cast<std::size_t>(grid.dimensions);
  for (std::size_t axis = 0; axis < axes; ++axis)
    require(grid.periodic[axis], "deposit: axis ", axis, " of the grid is open, but the current needs periodic axes.");
  require(std::isfinite(call.time_step) && call.time_step > 0, "deposit: the time step is ", call.time_step,
          " s, expected a positive number.");
  require(call.before.size() == axes && call.after.size() == axes && call.current.size() == axes,
          "deposit: ", call.before.size(), " coordinates before the step, ", call.after.size(), " after it and ",
          call.current.size(), " currents, expected one of each for the ", axes, " axes of the grid.");
  for (std::size_t axis = 0; axis < axes; ++axis) {
    require_view(call.queue, "deposit", "coordinates before the step", call.before[axis], call.particles());
    require_view(call.queue, "deposit", "coordinates after the step", call.after[axis], call.particles());
    require_view(call.queue, "deposit", "currents", call.current[axis], grid.node_count());
  }
  require_view(call.queue, "deposit", "charges", call.charge, call.particles());
}

/// Throws an Error that names the first particle with a fault.
inline void require_small_steps(const CurrentCall& call) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
#pragma omp parallel for num_threads(call.queue.threads()) reduction(min : first)
  for (std::int64_t p = 0; p < call.particles(); ++p)
    if (call.fault(p) >= 0) first = std::min(first, p);
  if (first >= call.particles()) return;
  const int axis = call.fault(first);
  require(axis != call.grid.dimensions, "deposit: the charge of particle ", first, " is ", call.charge_of(first),
          ", expected a finite number.");
  throw Error(text("deposit: particle ", first, " moves from ", CurrentCall::coordinate(call.before[axis], first),
                   " to ", CurrentCall::coordinate(call.after[axis], first), " m along axis ", axis,
                   ", expected at most a cell, ", call.grid.spacing[axis],
                   " m. Take a smaller time step, and do not wrap positions after the step."));
}

}  // namespace shoal::deposit
