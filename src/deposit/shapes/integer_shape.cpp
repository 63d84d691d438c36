// SPDX-License-Identifier: Apache-2.0
// Method `integer` with the shapes `tsc` and `pcs`: threads share the rows of nodes. The node with the largest weight
// takes the remainder, so a particle's shares add up to its integer.
#include "core/cpu_variants.hpp"
#include "deposit/shapes/row_blocks.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/sums/cpu_units.hpp"

namespace shoal::deposit {

namespace {

/// Integer sums of all values at the nodes. Unsigned: sums beyond a range, which are faults, wrap.
struct IntegerSums {
  const Units& units;
  std::uint64_t* data = nullptr;  ///< [values][nodes]
  std::int64_t nodes = 0;         ///< Number of nodes
};

/// Adds a particle's shares to the nodes of a block of rows. The block that has the particle's own row adds its sizes.
template <class Shape, class Real>
SHOAL_HD void add_particle(const DepositCall<Real>& call, const CellStencil<Real>& stencil, std::int64_t p, Range rows,
                           const IntegerSums& sums, std::uint64_t* sizes) {
  constexpr int most_nodes = Shape::nodes * Shape::nodes * Shape::nodes;
  const StencilWeights<Shape, Real> weights(call.particles, stencil, p);
  const Range nodes{rows.begin * stencil.row_nodes, rows.end * stencil.row_nodes};
  Real weight[most_nodes];
  std::int64_t node[most_nodes];
  int count = 0;
  weights.for_each_node(stencil, [&](std::int64_t node_of_weight, Real weight_of_node) {
    node[count] = node_of_weight;
    weight[count++] = weight_of_node;
  });
  const std::int64_t row_of_cell = stencil.row[call.space.dimensions > 2 ? 1 : 0][1];
  const bool is_counted_here = row_of_cell >= rows.begin && row_of_cell < rows.end;
  const std::int64_t number = call.particles.number(p);
  for (int k = 0; k < call.value_count(); ++k) {
    const auto value = static_cast<double>(call.values.at(k, number));
    std::int64_t share[most_nodes];
    const std::uint64_t size = split_if_held(sums.units[static_cast<std::size_t>(k)], weight, count, value, share);
    std::uint64_t* const sum = sums.data + k * sums.nodes;
    for (int c = 0; c < count; ++c)
      if (node[c] >= nodes.begin && node[c] < nodes.end) sum[node[c]] += static_cast<std::uint64_t>(share[c]);
    if (!is_counted_here) continue;
    sizes[k] = add_sizes(sizes[k], size);
    if (!std::isfinite(value)) record(call.status, number, DepositFault::not_finite + k);
  }
}

template <class Shape, class Real>
SHOAL_CPU_VARIANTS void add_row(const DepositCall<Real>& call, const CellStencil<Real>& row_stencil,
                                std::int64_t first_cell, Range rows, const IntegerSums& sums, std::uint64_t* sizes) {
  for (FilledCells<Real> cells(call, row_stencil, first_cell); cells.next();)
    for (std::int64_t p = cells.particles.begin; p < cells.particles.end; ++p)
      add_particle<Shape>(call, cells.stencil, p, rows, sums, sizes);
}

}  // namespace

template <class Real>
void run_integer_shape(const DepositCall<Real>& call) {
  const Units units = find_units(call);
  ScratchFrame frame(call.scratch);
  const std::int64_t nodes = call.space.node_count();
  const IntegerSums sums{units, frame.array<std::uint64_t>(nodes * call.value_count()).data, nodes};
  const std::vector<Range> blocks = row_blocks(call);
  constexpr std::int64_t width = Fields<Real>::max_count;
  const View<std::uint64_t> sizes = frame.array<std::uint64_t>(static_cast<std::int64_t>(blocks.size()) * width);
  std::fill_n(sizes.data, sizes.count, 0);
  with_shape(call.shape, [&]<class Shape>(Shape) {
    compute_blocks(call, blocks, sums.data,
                   [&](const CellStencil<Real>& stencil, std::int64_t first_cell, std::int64_t block) {
                     add_row<Shape>(call, stencil, first_cell, blocks[static_cast<std::size_t>(block)], sums,
                                    sizes.data + block * width);
                   });
  });
  check_ranges(call, units, call.particles.count, sizes.data, static_cast<std::int64_t>(blocks.size()));
  for (int k = 0; k < call.value_count(); ++k)
#pragma omp parallel for num_threads(call.queue().threads())
    for (std::int64_t node = 0; node < nodes; ++node)
      call.nodes.at(k, node) = units[static_cast<std::size_t>(k)].template value<Real>(
          static_cast<std::int64_t>(sums.data[k * nodes + node]));
}
template void run_integer_shape(const DepositCall<float>&);
template void run_integer_shape(const DepositCall<double>&);

}  // namespace shoal::deposit
