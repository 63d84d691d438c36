// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/real.hpp"
#include "deposit/deposit_method.hpp"
#include "deposit/shapes/shape_item.hpp"

/// Nodes that the particles of a cell reach with the shapes `tsc` and `pcs`, and the weights of one particle.
namespace shoal::deposit {

/// Nodes c − 1 to c + 2 of a cell along one axis. A missing one, whose weight is 0, is the last one at its end.
struct NodesAround {
  std::int32_t node[4] = {};
  MissingNodes missing;

  SHOAL_HD bool exists(int i) const { return !(i == 0 && missing.below) && !(i == 3 && missing.above); }
};

/// Node at a number from −1 to the number of nodes + 1: wrapped on a periodic axis, else the last one at the end.
template <class Real>
SHOAL_HD std::int32_t node_at(const DepositAxis<Real>& axis, std::int32_t node) {
  const std::int32_t count = axis.node_count();
  if (node >= 0 && node < count) return node;
  return axis.cells.periodic ? (node + count) % count : min(max(node, 0), count - 1);
}

template <class Real>
SHOAL_HD MissingNodes missing_around(const DepositAxis<Real>& axis, std::int32_t cell) {
  return {!axis.cells.periodic && cell == 0, !axis.cells.periodic && cell == axis.cell_count() - 1};
}

template <class Real>
SHOAL_HD NodesAround nodes_around(const DepositAxis<Real>& axis, std::int32_t cell) {
  NodesAround around;
  for (int i = 0; i < 4; ++i) around.node[i] = node_at(axis, cell - 1 + i);
  around.missing = missing_around(axis, cell);
  return around;
}

/// Nodes around a cell as a table, for loops over its particles. Rows are numbered as nodes are: row z · ny + y has the nodes row · nx + x.
template <class Real>
struct CellStencil {
  NodesAround along[3];
  std::int64_t row[4][4] = {};  ///< [z][y]; in 2-D z is 0
  std::int64_t row_nodes = 0;   ///< nx

  /// Stencil of the cells at (y, z), without their nodes along x.
  SHOAL_HD static CellStencil of_row(const DepositSpace<Real>& space, std::int32_t y, std::int32_t z) {
    CellStencil stencil;
    stencil.row_nodes = space.axes[0].node_count();
    stencil.along[1] = nodes_around(space.axes[1], y);
    if (space.dimensions > 2) stencil.along[2] = nodes_around(space.axes[2], z);
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 4; ++j)
        stencil.row[k][j] =
            static_cast<std::int64_t>(stencil.along[2].node[k]) * space.axes[1].node_count() + stencil.along[1].node[j];
    return stencil;
  }
  SHOAL_HD static CellStencil of_cell(const DepositSpace<Real>& space, std::int64_t cell) {
    const GridIndex index = space.cell_index(cell);
    CellStencil stencil = of_row(space, index.y, index.z);
    stencil.along[0] = nodes_around(space.axes[0], index.x);
    return stencil;
  }

  SHOAL_HD const MissingNodes& missing(int axis) const { return along[axis].missing; }
  SHOAL_HD std::int64_t row_number(int z, int y) const { return row[z][y]; }
  SHOAL_HD std::int64_t node(std::int64_t row_of_node, int x) const {
    return row_of_node * row_nodes + along[0].node[x];
  }
};

/// The same nodes, each computed where it is used, for threads of a GPU: the table would be in memory.
template <class Real>
struct ComputedStencil {
  const DepositSpace<Real>& space;
  GridIndex cell;

  SHOAL_HD MissingNodes missing(int axis) const {
    return missing_around(space.axes[axis], axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z);
  }
  SHOAL_HD std::int64_t row_number(int z, int y) const {
    const std::int64_t node_z = space.dimensions > 2 ? node_at(space.axes[2], cell.z - 1 + z) : 0;
    return node_z * space.axes[1].node_count() + node_at(space.axes[1], cell.y - 1 + y);
  }
  SHOAL_HD std::int64_t node(std::int64_t row_of_node, int x) const {
    return row_of_node * space.axes[0].node_count() + node_at(space.axes[0], cell.x - 1 + x);
  }
};

/// Weights of a particle, or factors of their derivatives, along each axis. A weight is (wy · wz) · wx.
template <class Shape, class Real>
struct StencilWeights {
  AxisWeights<Real> along[3];  ///< elements from Shape::nodes on are not used
  int rows_z = Shape::nodes;   ///< number of rows along z; 1 in 2-D

  /// Weights of the k-th particle.
  template <class Stencil>
  SHOAL_HD StencilWeights(const BinnedParticles<Real>& particles, const Stencil& stencil, std::int64_t k) {
    for (int axis = 0; axis < 3; ++axis) {
      if (particles.offset[axis] == nullptr) continue;
      const AxisWeights<Real> weights = Shape::weights(particles.offset[axis][k], stencil.missing(axis));
      along[axis].first = weights.first;  // one by one, since a copy of the struct would pass through memory
      for (int i = 0; i < Shape::nodes; ++i) along[axis].weight[i] = weights.weight[i];
    }
    if (particles.offset[2] != nullptr) return;
    along[2].weight[0] = 1;
    rows_z = 1;
  }

  /// Calls visit(row, weight) for each row of nodes that the particle reaches, in ascending order along y, then z.
  SHOAL_CALLS_ARGUMENT
  template <class Stencil, class Visit>
  SHOAL_HD void for_each_row(const Stencil& stencil, Visit&& visit) const {
    for (int k = 0; k < Shape::nodes && k < rows_z; ++k)  // the first bound lets compilers unroll the loop
      for (int j = 0; j < Shape::nodes; ++j)
        visit(stencil.row_number(along[2].first + k, along[1].first + j),
              rounded_product(along[1].weight[j], along[2].weight[k]));
  }

  /// Calls visit(node, weight) for each node that the particle reaches.
  SHOAL_CALLS_ARGUMENT
  template <class Stencil, class Visit>
  SHOAL_HD void for_each_node(const Stencil& stencil, Visit&& visit) const {
    for_each_row(stencil, [&](std::int64_t row, Real row_weight) {
      for (int i = 0; i < Shape::nodes; ++i)
        visit(stencil.node(row, along[0].first + i), rounded_product(row_weight, along[0].weight[i]));
    });
  }
};

}  // namespace shoal::deposit
