// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <vector>

#include "collision/collision_method.hpp"
#include "collision/conservative/stencil_item.hpp"
#include "collision/pairs/direction_rates.hpp"

namespace shoal {

/// ln f at the nodes, −∞ where there is no gas.
/// @return  [nodes³] in memory of the frame
template <class Work, class Real>
const Work* logarithms(ScratchFrame& frame, const CollisionSetup& setup, const Real* f) {
  const std::int64_t nodes = setup.grid.node_count();
  Work* logs = frame.array<Work>(nodes).data;
  for (std::int64_t i = 0; i < nodes; ++i) logs[i] = logarithm_of(static_cast<Work>(f[i]));
  return logs;
}

/// Adds the collisions of a pair of nodes to q, direction by direction. A direction whose nodes do not all take part is
/// left out, and so is one whose inverse collision is not defined: a node without gas and a negative weight.
template <class Work>
struct PairCollisions {
  const CollisionSetup& setup;
  const Work* logs;  ///< used when symmetrized
  Work* q;
  std::vector<double> rates = {};

  void add(const int* i, const int* j, Work product) {
    const int n = setup.n();
    const Displacement pair{{i[0] - j[0], i[1] - j[1], i[2] - j[2]}};
    const int parity[3] = {pair.parity(0), pair.parity(1), pair.parity(2)};
    const int b[3] = {(i[0] + j[0] - parity[0]) / 2, (i[1] + j[1] - parity[1]) / 2, (i[2] + j[2] - parity[2]) / 2};
    direction_rates(setup, pair, rates);
    for (std::size_t k = 0; k < rates.size(); ++k) {
      const StencilTaps taps = stencil_of(setup.options.stencil, parity, pair.square(), setup.directions.at[k].data());
      if (!inside(taps, parity, b)) continue;
      Work moved = static_cast<Work>(rates[k]) * product;
      if (setup.options.symmetrized) {
        const Work exponent = inverse_exponent(taps, parity, b);
        if (!(exponent < infinite<Work>)) continue;
        moved = static_cast<Work>(rates[k]) / 2 * (product - std::exp(exponent));
      }
      q[node(i[0], i[1], i[2], n)] -= moved;
      q[node(j[0], j[1], j[2], n)] -= moved;
      for (int t = 0; t < taps.count; ++t) {
        q[tap_node(taps, t, parity, b, false)] += static_cast<Work>(taps.weight[t]) * moved;
        q[tap_node(taps, t, parity, b, true)] += static_cast<Work>(taps.weight[t]) * moved;
      }
    }
  }

 private:
  static std::size_t node(int x, int y, int z, int n) { return static_cast<std::size_t>((z * n + y) * n + x); }

  std::size_t tap_node(const StencilTaps& taps, int t, const int* parity, const int* b, bool mirrored) const {
    int at[3];
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = b[axis] + (mirrored ? parity[axis] - taps.offset[t][axis] : taps.offset[t][axis]);
    return node(at[0], at[1], at[2], setup.n());
  }

  bool inside(const StencilTaps& taps, const int* parity, const int* b) const {
    if (taps.count == 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
      const BaseRange range = bases_inside(taps, parity[axis], axis, setup.n());
      if (b[axis] < range.first || b[axis] > range.last) return false;
    }
    return setup.support().has_stencils(b, parity, taps.middle);
  }

  /// ln of the product of f^w over the nodes of both molecules.
  Work inverse_exponent(const StencilTaps& taps, const int* parity, const int* b) const {
    Work sum = 0;
    for (int t = 0; t < taps.count; ++t)
      sum += static_cast<Work>(taps.weight[t]) *
             (logs[tap_node(taps, t, parity, b, false)] + logs[tap_node(taps, t, parity, b, true)]);
    return sum;
  }
};

/// Adds the collisions of a node with all nodes of smaller numbers to q.
template <class Work, class Real>
void add_collisions_of(PairCollisions<Work>& pairs, const Real* f, int node) {
  const int n = pairs.setup.n();
  const VelocitySupport support = pairs.setup.support();
  if (!support.has(node)) return;
  const int i[3] = {node % n, node / n % n, node / n / n};
  for (int other = 0; other < node; ++other) {
    if (!support.has(other)) continue;
    const int j[3] = {other % n, other / n % n, other / n / n};
    pairs.add(i, j, static_cast<Work>(f[node]) * static_cast<Work>(f[other]));
  }
}

}  // namespace shoal
