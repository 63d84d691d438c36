// SPDX-License-Identifier: Apache-2.0
// Method `sorted` with the shapes `tsc` and `pcs`: threads share the rows of nodes, and weights serve all values. Nodes
// add in double in the order of `serial`, so the bits are those of `serial`.
#include "core/cpu_variants.hpp"
#include "deposit/shapes/row_blocks.hpp"
#include "deposit/shapes/shape_methods.hpp"

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

template <class Shape, class Real>
SHOAL_CPU_VARIANTS void add_row(const DepositCall<Real>& call, CellStencil<Real> stencil, std::int64_t first_cell,
                                Range rows, const NodeSums& sums) {
  for (std::int32_t x = 0; x < call.space.axes[0].cell_count(); ++x) {
    const Range of_cell = call.particles.of_cell(first_cell + x);
    if (of_cell.count() == 0) continue;
    stencil.along[0] = nodes_around(call.space.axes[0], x);
    for (std::int64_t p = of_cell.begin; p < of_cell.end; ++p) add_particle<Shape>(call, stencil, p, rows, sums);
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
