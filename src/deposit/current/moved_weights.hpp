// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "deposit/shapes/shape_item.hpp"

/// Weights of a particle along one axis before and after a step in which it moves by a cell at most.
namespace shoal::deposit {

/// Weights on the nodes of a stencil: all that the particle can touch during the step.
template <int nodes>
struct MovedWeights {
  static constexpr int stencil = nodes;

  std::array<double, nodes> before{};
  std::array<double, nodes> change{};
  std::array<std::int64_t, nodes> layer{};   ///< number of the node along the axis
  std::array<std::int64_t, nodes> offset{};  ///< its part of the number of a node of the grid
  std::array<bool, nodes> is_added{};        ///< true: the thread adds to this layer
};

/// Cloud in cell.
struct MovedCic {
  static constexpr int stencil = 3;

  /// First node of the stencil.
  static double first(double lowest) { return std::floor(lowest); }

  /// Weight of a node for a particle at a position, in cells from node 0.
  static std::array<double, stencil> weights(double position, double first_node) {
    std::array<double, stencil> weights{};
    for (int k = 0; k < stencil; ++k) weights[k] = std::max(0.0, 1 - std::abs(position - (first_node + k)));
    return weights;
  }
};

/// A shape with weights of its own, on a periodic axis.
template <class Shape>
struct MovedSpline {
  static constexpr int stencil = Shape::nodes + 1;

  static double first(double lowest) {
    const double cell = std::floor(lowest);
    return cell - 1 + Shape::first(lowest - cell);
  }

  /// Rounding may put a move of one cell across two nodes. The weight of a node beyond the stencil is then 0 to the square
  /// of the rounding.
  static std::array<double, stencil> weights(double position, double first_node) {
    std::array<double, stencil> weights{};
    const double cell = std::floor(position);
    const AxisWeights<double> on_axis = Shape::weights(position - cell, MissingNodes{});
    const int begin = static_cast<int>(cell - 1 - first_node) + on_axis.first;
    for (int k = 0; k < Shape::nodes && begin + k < stencil; ++k) weights[begin + k] = on_axis.weight[k];
    return weights;
  }
};

/// @param before,after  coordinates in cells from node 0
/// @param nodes         number of nodes of the periodic axis
template <class Moved>
MovedWeights<Moved::stencil> moved_weights(double before, double after, std::int64_t nodes) {
  MovedWeights<Moved::stencil> result;
  const double first = Moved::first(std::min(before, after));
  const std::int64_t remainder = static_cast<std::int64_t>(std::fmod(first, static_cast<double>(nodes)));
  const std::array<double, Moved::stencil> end = Moved::weights(after, first);
  result.before = Moved::weights(before, first);
  for (int k = 0; k < Moved::stencil; ++k) {
    result.change[k] = end[k] - result.before[k];
    result.layer[k] = (remainder + nodes + k) % nodes;
  }
  return result;
}

/// Axis that a 2-D grid does not have: all weight stays on node 0.
template <class Moved>
MovedWeights<Moved::stencil> missing_axis() {
  MovedWeights<Moved::stencil> weights;
  weights.before[0] = 1;
  return weights;
}

/// Mean over the step of the product of two weights that change linearly.
template <int nodes>
double mean_product(const MovedWeights<nodes>& u, int i, const MovedWeights<nodes>& v, int j) {
  return u.before[i] * v.before[j] + (u.change[i] * v.before[j] + u.before[i] * v.change[j]) / 2 +
         u.change[i] * v.change[j] / 3;
}

}  // namespace shoal::deposit
