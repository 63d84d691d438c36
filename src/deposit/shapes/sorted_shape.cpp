// SPDX-License-Identifier: Apache-2.0
// Method `sorted` with the shapes `tsc` and `pcs`: threads share the rows of nodes, and weights serve all values. Nodes
// add in double in the order of `serial`, so the bits are those of `serial`.
#include "core/cpu_variants.hpp"
#include "deposit/shapes/cells_around.hpp"
#include "deposit/shapes/row_blocks.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/tuning.hpp"

namespace shoal::deposit {

namespace {

/// Sums of all values at the nodes: [values][nodes].
struct NodeSums {
  double* data = nullptr;
  std::int64_t nodes = 0;  ///< Number of nodes
};

/// Adds a particle's values to the nodes of a block of rows.
template <class Shape, class Real>
SHOAL_HD void add_particle(const DepositCall<Real>& call, const CellStencil<Real>& stencil, std::int64_t p, Range rows,
                           const NodeSums& sums) {
  const StencilWeights<Shape, Real> weights(call.particles, stencil, p);
  const std::int64_t number = call.particles.number(p);
  double value[Fields<Real>::max_count];
  for (int k = 0; k < call.value_count(); ++k) value[k] = call.values.at(k, number);
  const std::int32_t* const x = stencil.along[0].node + weights.along[0].first;
  weights.for_each_row(stencil, [&](std::int64_t row, Real row_weight) {
    if (row < rows.begin || row >= rows.end) return;
    Real weight[Shape::nodes];
    for (int i = 0; i < Shape::nodes; ++i) weight[i] = rounded_product(row_weight, weights.along[0].weight[i]);
    for (int k = 0; k < call.value_count(); ++k) {
      double* const sum = sums.data + k * sums.nodes + row * stencil.row_nodes;
      for (int i = 0; i < Shape::nodes; ++i) sum[x[i]] += weight[i] * value[k];
    }
  });
}

/// Sums of the nodes around a cell, side by side, while its particles are added. A cell's particles reach each node once.
template <class Real>
struct CellSums {
  double sum[Fields<Real>::max_count][4][4][4];
  bool is_own[4][4] = {};  ///< true: the row of nodes exists and is in the block of rows

  SHOAL_HD CellSums(const CellStencil<Real>& stencil, int values, int rows_z, Range rows, const NodeSums& sums) {
    for (int z = 0; z < rows_z; ++z)
      for (int y = 0; y < 4; ++y) {
        const std::int64_t row = stencil.row[z][y];
        is_own[z][y] = row >= rows.begin && row < rows.end && stencil.along[1].exists(y) && stencil.along[2].exists(z);
        if (!is_own[z][y]) continue;
        for (int k = 0; k < values; ++k)
          for (int i = 0; i < 4; ++i) sum[k][z][y][i] = sums.data[k * sums.nodes + stencil.node(row, i)];
      }
  }
  SHOAL_HD void write(const CellStencil<Real>& stencil, int values, int rows_z, const NodeSums& sums) const {
    for (int z = 0; z < rows_z; ++z)
      for (int y = 0; y < 4; ++y)
        for (int k = 0; is_own[z][y] && k < values; ++k)
          for (int i = 0; i < 4; ++i)
            if (stencil.along[0].exists(i))
              sums.data[k * sums.nodes + stencil.node(stencil.row[z][y], i)] = sum[k][z][y][i];
  }
};

/// Adds the particles of a cell to the nodes of a block of rows.
/// @tparam width  number of values, 0: any
template <class Shape, int width, class Real>
SHOAL_HD void add_cell(const DepositCall<Real>& call, const CellStencil<Real>& stencil, Range of_cell, Range rows,
                       const NodeSums& sums) {
  const int values = width > 0 ? width : call.value_count();
  const int rows_z = call.space.dimensions > 2 ? 4 : 1;
  CellSums<Real> cell(stencil, values, rows_z, rows, sums);
  for (std::int64_t p = of_cell.begin; p < of_cell.end; ++p) {
    const StencilWeights<Shape, Real> weights(call.particles, stencil, p);
    const AxisWeights<Real>(&along)[3] = weights.along;
    const std::int64_t number = call.particles.number(p);
    double value[Fields<Real>::max_count];
    for (int k = 0; k < values; ++k) value[k] = call.values.at(k, number);
    for (int z = 0; z < weights.rows_z; ++z)
      for (int y = 0; y < Shape::nodes; ++y) {
        if (!cell.is_own[along[2].first + z][along[1].first + y]) continue;
        const Real row_weight = rounded_product(along[1].weight[y], along[2].weight[z]);
        double weight[Shape::nodes];
        for (int i = 0; i < Shape::nodes; ++i) weight[i] = rounded_product(row_weight, along[0].weight[i]);
        for (int k = 0; k < values; ++k) {
          double* const sum = cell.sum[k][along[2].first + z][along[1].first + y] + along[0].first;
          for (int i = 0; i < Shape::nodes; ++i) sum[i] += weight[i] * value[k];
        }
      }
  }
  cell.write(stencil, values, rows_z, sums);
}

template <class Shape, class Real>
SHOAL_CPU_VARIANTS void add_row(const DepositCall<Real>& call, const CellStencil<Real>& row_stencil,
                                std::int64_t first_cell, Range rows, const NodeSums& sums) {
  const bool reaches_nodes_once = !repeats_nodes(call.space);
  for (FilledCells<Real> cells(call, row_stencil, first_cell); cells.next();) {
    const Range of_cell = cells.particles;
    if (!reaches_nodes_once || of_cell.count() <= tuning::max_direct_particles) {
      for (std::int64_t p = of_cell.begin; p < of_cell.end; ++p)
        add_particle<Shape>(call, cells.stencil, p, rows, sums);
    } else if (call.value_count() == 1) {
      add_cell<Shape, 1>(call, cells.stencil, of_cell, rows, sums);
    } else {
      add_cell<Shape, 0>(call, cells.stencil, of_cell, rows, sums);
    }
  }
}

}  // namespace

template <class Real>
void run_sorted_shape(const DepositCall<Real>& call) {
  ScratchFrame frame(call.scratch);
  const std::int64_t nodes = call.space.node_count();
  const NodeSums sums{frame.array<double>(nodes * call.value_count()).data, nodes};
  const std::vector<Range> blocks = row_blocks(call);
  with_shape(call.shape, [&]<class Shape>(Shape) {
    compute_blocks(call, blocks, sums.data,
                   [&](const CellStencil<Real>& stencil, std::int64_t first_cell, std::int64_t block) {
                     add_row<Shape>(call, stencil, first_cell, blocks[static_cast<std::size_t>(block)], sums);
                   });
  });
  for (int k = 0; k < call.value_count(); ++k)
#pragma omp parallel for num_threads(call.queue().threads())
    for (std::int64_t node = 0; node < nodes; ++node)
      call.nodes.at(k, node) = static_cast<Real>(sums.data[k * nodes + node]);
}
template void run_sorted_shape(const DepositCall<float>&);
template void run_sorted_shape(const DepositCall<double>&);

}  // namespace shoal::deposit
