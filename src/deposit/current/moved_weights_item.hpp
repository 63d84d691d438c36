// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>

#include "core/real.hpp"
#include "deposit/shapes/shape_item.hpp"

/// Weights of a particle along one axis before and after a step in which it moves by a cell at most.
namespace shoal::deposit {

/// Weights on the nodes of a stencil: all that the particle can touch during the step.
template <int nodes>
struct MovedWeights {
  static constexpr int stencil = nodes;

  double before[nodes] = {};
  double change[nodes] = {};
  std::int64_t layer[nodes] = {};   ///< number of the node along the axis
  std::int64_t offset[nodes] = {};  ///< its part of the number of a node of the grid
  bool is_added[nodes] = {};        ///< true: the caller adds to this layer
};

/// Cloud in cell.
struct MovedCic {
  static constexpr int stencil = 3;

  /// First node of the stencil.
  SHOAL_HD static double first(double lowest) { return std::floor(lowest); }

  /// Finds the weights of the nodes for a particle at a position, in cells from node 0.
  SHOAL_HD static void find(double position, double first_node, double (&weight)[stencil]) {
    for (int k = 0; k < stencil; ++k) weight[k] = max(0.0, 1 - std::abs(position - (first_node + k)));
  }
};

/// A shape with weights of its own, on a periodic axis.
template <class Shape>
struct MovedSpline {
  static constexpr int stencil = Shape::nodes + 1;

  SHOAL_HD static double first(double lowest) {
    const double cell = std::floor(lowest);
    return cell - 1 + Shape::first(lowest - cell);
  }

  /// Rounding may put a move of one cell across two nodes. The weight of a node beyond the stencil is then 0 to the square
  /// of the rounding.
  SHOAL_HD static void find(double position, double first_node, double (&weight)[stencil]) {
    const double cell = std::floor(position);
    AxisWeights<double> on_axis = Shape::weights(position - cell, MissingNodes{});
    on_axis.first += static_cast<int>(cell - 1 - first_node);
    for (int k = 0; k < stencil; ++k) weight[k] = on_axis.at_slot(k);
  }
};

/// @param before,after  coordinates in cells from node 0
/// @param nodes         number of nodes of the periodic axis
/// @param distance      between the numbers of neighboring nodes along the axis
template <class Moved>
SHOAL_HD MovedWeights<Moved::stencil> moved_weights(double before, double after, std::int64_t nodes,
                                                    std::int64_t distance) {
  MovedWeights<Moved::stencil> result;
  const double first = Moved::first(min(before, after));
  const auto remainder = static_cast<std::int64_t>(std::fmod(first, static_cast<double>(nodes)));
  Moved::find(before, first, result.before);
  Moved::find(after, first, result.change);
  std::int64_t layer = remainder < 0 ? remainder + nodes : remainder;
  for (int k = 0; k < Moved::stencil; ++k) {
    result.change[k] -= result.before[k];
    result.layer[k] = layer;
    result.offset[k] = layer * distance;
    result.is_added[k] = true;
    layer = layer + 1 < nodes ? layer + 1 : 0;
  }
  return result;
}

/// Axis that a 2-D grid does not have: all weight stays on node 0.
template <class Moved>
SHOAL_HD MovedWeights<Moved::stencil> missing_axis() {
  MovedWeights<Moved::stencil> weights;
  weights.before[0] = 1;
  for (bool& is_added : weights.is_added) is_added = true;
  return weights;
}

/// Mean over the step of the product of two weights that change linearly.
template <int nodes>
SHOAL_HD double mean_product(const MovedWeights<nodes>& u, int i, const MovedWeights<nodes>& v, int j) {
  return u.before[i] * v.before[j] + (u.change[i] * v.before[j] + u.before[i] * v.change[j]) / 2 +
         u.change[i] * v.change[j] / 3;
}

/// Calls add(edge, flow) for what a particle makes flow along one axis, if the caller adds to the edge. What flows from a
/// node to the next is what left the nodes up to it.
/// @param u,v     weights along the other axes
/// @param amount  what moves with the particle
SHOAL_CALLS_ARGUMENT
template <int nodes, class Add>
SHOAL_HD void flow_along(const MovedWeights<nodes>& along, const MovedWeights<nodes>& u, const MovedWeights<nodes>& v,
                         double amount, Add&& add) {
  for (int j = 0; j < nodes; ++j)
    for (int i = 0; i < nodes; ++i) {
      const double share = amount * mean_product(u, i, v, j);
      if (share == 0 || !u.is_added[i] || !v.is_added[j]) continue;
      double flow = 0;
      for (int k = 0; k + 1 < nodes; ++k) {
        flow -= share * along.change[k];
        if (along.is_added[k]) add(along.offset[k] + u.offset[i] + v.offset[j], flow);
      }
    }
}

/// Calls add(axis, edge, flow) for what a particle makes flow along the axes of a grid.
SHOAL_CALLS_ARGUMENT
template <int nodes, class Add>
SHOAL_HD void flow_of_particle(const MovedWeights<nodes> (&weights)[3], int dimensions, double amount, Add&& add) {
  const auto flow = [&](int axis, const auto& along, const auto& u, const auto& v) {
    flow_along(along, u, v, amount, [&](std::int64_t edge, double of_edge) { add(axis, edge, of_edge); });
  };
  flow(0, weights[0], weights[1], weights[2]);
  flow(1, weights[1], weights[2], weights[0]);
  if (dimensions > 2) flow(2, weights[2], weights[0], weights[1]);
}

}  // namespace shoal::deposit
