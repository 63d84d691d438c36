// SPDX-License-Identifier: Apache-2.0
// The current of moving particles by the differences of their weights (Esirkepov 2001).
#include <shoal/deposit/current.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/memory/check_views.hpp"

namespace shoal::deposit {

namespace {

constexpr int stencil = 3;  // nodes that a particle can touch along an axis while it moves by a cell at most

/// Weights of one particle along one axis, before the step and their change.
struct AxisWeights {
  std::array<double, stencil> before{};
  std::array<double, stencil> change{};
  std::array<std::int64_t, stencil> node{};
};

double cells_from_origin(const Grid& grid, std::size_t axis, double coordinate) {
  return (coordinate - grid.origin[axis]) / grid.spacing[axis];
}

double linear_weight(double distance) { return std::max(0.0, 1 - std::abs(distance)); }

/// @param before,after  coordinates in cells from node 0
AxisWeights axis_weights(double before, double after, std::int64_t nodes) {
  AxisWeights weights;
  const double first = std::floor(std::min(before, after));
  const std::int64_t remainder = static_cast<std::int64_t>(std::fmod(first, static_cast<double>(nodes)));
  for (int k = 0; k < stencil; ++k) {
    weights.before[k] = linear_weight(before - (first + k));
    weights.change[k] = linear_weight(after - (first + k)) - weights.before[k];
    weights.node[k] = (remainder + nodes + k) % nodes;
  }
  return weights;
}

/// The axis that a 2-D grid does not have: all weight stays on node 0.
AxisWeights missing_axis() {
  AxisWeights weights;
  weights.before[0] = 1;
  return weights;
}

/// Mean over the step of the product of two weights that change linearly.
double mean_product(const AxisWeights& u, int i, const AxisWeights& v, int j) {
  return u.before[i] * v.before[j] + (u.change[i] * v.before[j] + u.before[i] * v.change[j]) / 2 +
         u.change[i] * v.change[j] / 3;
}

/// Adds a particle's current along `axis`. What flows from a node to the next is what left the nodes up to it.
/// @param rate  A, charge / time step
void add_along(const std::array<AxisWeights, 3>& weights, int axis, double rate, const Grid& grid,
               View<double> current) {
  const int u = (axis + 1) % 3;
  const int v = (axis + 2) % 3;
  std::array<std::int64_t, 3> node{};
  for (int j = 0; j < stencil; ++j)
    for (int i = 0; i < stencil; ++i) {
      const double share = rate * mean_product(weights[u], i, weights[v], j);
      if (share == 0) continue;
      node[u] = weights[u].node[i];
      node[v] = weights[v].node[j];
      double flow = 0;
      for (int k = 0; k + 1 < stencil; ++k) {
        flow -= share * weights[axis].change[k];
        node[axis] = weights[axis].node[k];
        current.data[((node[2] * grid.cells[1] + node[1]) * grid.cells[0] + node[0]) * current.stride] += flow;
      }
    }
}

void require_arguments(const Queue& queue, const Grid& grid, double time_step,
                       std::span<const View<const double>> before, std::span<const View<const double>> after,
                       View<const double> charge, std::span<const View<double>> current) {
  require_valid(grid);
  require(queue.device().kind == DeviceKind::cpu,
          "deposit: the current is computed on the CPU alone, got a queue of another device. Pass a queue of the CPU.");
  const std::size_t axes = static_cast<std::size_t>(grid.dimensions);
  for (std::size_t axis = 0; axis < axes; ++axis)
    require(grid.periodic[axis], "deposit: axis ", axis, " of the grid is open, but the current needs periodic axes.");
  require(std::isfinite(time_step) && time_step > 0, "deposit: the time step is ", time_step,
          " s, expected a positive number.");
  require(before.size() == axes && after.size() == axes && current.size() == axes, "deposit: ", before.size(),
          " coordinates before the step, ", after.size(), " after it and ", current.size(),
          " currents, expected one of each for the ", axes, " axes of the grid.");
  for (std::size_t axis = 0; axis < axes; ++axis) {
    require_view(queue, "deposit", "coordinates before the step", before[axis], charge.count);
    require_view(queue, "deposit", "coordinates after the step", after[axis], charge.count);
    require_view(queue, "deposit", "currents", current[axis], grid.node_count());
  }
  require_view(queue, "deposit", "charges", charge, charge.count);
}

void require_small_steps(const Grid& grid, std::span<const View<const double>> before,
                         std::span<const View<const double>> after, View<const double> charge) {
  for (std::int64_t p = 0; p < charge.count; ++p) {
    const double value = charge.data[p * charge.stride];
    require(std::isfinite(value), "deposit: the charge of particle ", p, " is ", value, ", expected a finite number.");
    for (std::size_t axis = 0; axis < before.size(); ++axis) {
      const double start = before[axis].data[p * before[axis].stride];
      const double end = after[axis].data[p * after[axis].stride];
      require(std::abs(cells_from_origin(grid, axis, end) - cells_from_origin(grid, axis, start)) <= 1,
              "deposit: particle ", p, " moves from ", start, " to ", end, " m along axis ", axis,
              ", expected at most a cell, ", grid.spacing[axis],
              " m. Take a smaller time step, and do not wrap positions after the step.");
    }
  }
}

}  // namespace

void deposit_current(const Queue& queue, const Grid& grid, double time_step, std::span<const View<const double>> before,
                     std::span<const View<const double>> after, View<const double> charge,
                     std::span<const View<double>> current) {
  require_arguments(queue, grid, time_step, before, after, charge, current);
  require_small_steps(grid, before, after, charge);
  for (const View<double>& along : current)
    for (std::int64_t node = 0; node < along.count; ++node) along.data[node * along.stride] = 0;
  std::array<AxisWeights, 3> weights{missing_axis(), missing_axis(), missing_axis()};
  for (std::int64_t p = 0; p < charge.count; ++p) {
    for (int axis = 0; axis < grid.dimensions; ++axis) {
      const auto cells = [&](const View<const double>& x) {
        return cells_from_origin(grid, axis, x.data[p * x.stride]);
      };
      weights[axis] = axis_weights(cells(before[axis]), cells(after[axis]), grid.cells[axis]);
    }
    const double rate = charge.data[p * charge.stride] / time_step;
    for (int axis = 0; axis < grid.dimensions; ++axis) add_along(weights, axis, rate, grid, current[axis]);
  }
}

}  // namespace shoal::deposit
