// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <vector>

#include "collision/conservative/stencil_item.hpp"
#include "collision/pairs/direction_rates.hpp"
#include "core/memory/scratch.hpp"

namespace shoal::collision {

/// Computes ln f at the nodes; −∞ where there is no gas.
/// @return  [nodes³] in memory of the frame
template <class Work, class Real>
const Work* logarithms(ScratchFrame& frame, const CollisionSetup& setup, const Real* f) {
  const std::int64_t nodes = setup.grid.node_count();
  Work* logs = frame.array<Work>(nodes).data;
  for (std::int64_t i = 0; i < nodes; ++i) logs[i] = log_density(static_cast<Work>(f[i]));
  return logs;
}

/// Adds the collisions of pairs of nodes to q, direction by direction. It leaves out directions whose stencil nodes do
/// not all take part, and directions whose inverse collision is undefined: a node without gas has a negative weight.
template <class Work>
struct PairCollisions {
  const CollisionSetup& setup;
  const Work* logs;  ///< [nodes³] ln f, used when symmetrized
  Work* q;           ///< [nodes³]
  std::vector<double> rates = {};

  void add(const int* i, const int* j, Work product) {
    const int n = setup.n();
    const Displacement pair{{i[0] - j[0], i[1] - j[1], i[2] - j[2]}};
    const int parity[3] = {pair.parity(0), pair.parity(1), pair.parity(2)};
    const int b[3] = {(i[0] + j[0] - parity[0]) / 2, (i[1] + j[1] - parity[1]) / 2, (i[2] + j[2] - parity[2]) / 2};
    direction_rates(setup, pair, rates);
    for (std::size_t k = 0; k < rates.size(); ++k) {
      const Stencil stencil =
          make_stencil(setup.options.stencil, parity, pair.square(), setup.directions.point[k].data());
      if (!inside(stencil, parity, b)) continue;
      Work transferred = static_cast<Work>(rates[k]) * product;
      if (setup.options.symmetrized) {
        const Work exponent = inverse_exponent(stencil, parity, b);
        if (!(exponent < infinite<Work>)) continue;
        transferred = static_cast<Work>(rates[k]) / 2 * (product - std::exp(exponent));
      }
      q[node(i[0], i[1], i[2], n)] -= transferred;
      q[node(j[0], j[1], j[2], n)] -= transferred;
      for (int t = 0; t < stencil.count; ++t) {
        q[stencil_node(stencil, t, parity, b, false)] += static_cast<Work>(stencil.weight[t]) * transferred;
        q[stencil_node(stencil, t, parity, b, true)] += static_cast<Work>(stencil.weight[t]) * transferred;
      }
    }
  }

 private:
  static std::size_t node(int x, int y, int z, int n) { return static_cast<std::size_t>((z * n + y) * n + x); }

  std::size_t stencil_node(const Stencil& stencil, int t, const int* parity, const int* b, bool mirrored) const {
    int position[3];
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = b[axis] + (mirrored ? parity[axis] - stencil.offset[t][axis] : stencil.offset[t][axis]);
    return node(position[0], position[1], position[2], setup.n());
  }

  bool inside(const Stencil& stencil, const int* parity, const int* b) const {
    if (stencil.count == 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
      const CenterRange range = centers_inside(stencil, parity[axis], axis, setup.n());
      if (b[axis] < range.first || b[axis] > range.last) return false;
    }
    return setup.support().has_stencils(b, parity, stencil.nearest);
  }

  /// Logarithm of Π f^w over the stencil nodes of both molecules.
  Work inverse_exponent(const Stencil& stencil, const int* parity, const int* b) const {
    Work sum = 0;
    for (int t = 0; t < stencil.count; ++t)
      sum += static_cast<Work>(stencil.weight[t]) *
             (logs[stencil_node(stencil, t, parity, b, false)] + logs[stencil_node(stencil, t, parity, b, true)]);
    return sum;
  }
};

/// Adds the collisions of a node with all nodes of smaller numbers to q.
template <class Work, class Real>
void add_node_collisions(PairCollisions<Work>& pairs, const Real* f, int node) {
  const int n = pairs.setup.n();
  const VelocitySupport support = pairs.setup.support();
  if (!support.has(node)) return;
  const int i[3] = {node % n, node / n % n, node / n / n};
  for (int partner = 0; partner < node; ++partner) {
    if (!support.has(partner)) continue;
    const int j[3] = {partner % n, partner / n % n, partner / n / n};
    pairs.add(i, j, static_cast<Work>(f[node]) * static_cast<Work>(f[partner]));
  }
}

}  // namespace shoal::collision
