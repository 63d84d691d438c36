// SPDX-License-Identifier: Apache-2.0
// Method `serial` with the shapes `tsc` and `pcs`: each particle adds to its nodes in double, by cell, then by number.
#include <algorithm>

#include "deposit/shapes/shape_methods.hpp"
#include "deposit/shapes/shape_stencil.hpp"

namespace shoal::deposit {

namespace {

template <class Shape, class Real>
void add_particles(const DepositCall<Real>& call, int k, View<double> sum) {
  for (std::int64_t cell = 0; cell < call.space.cell_count(); ++cell) {
    const Range of_cell = call.particles.of_cell(cell);
    if (of_cell.count() == 0) continue;
    const auto stencil = CellStencil<Real>::of_cell(call.space, cell);
    for (std::int64_t p = of_cell.begin; p < of_cell.end; ++p) {
      const StencilWeights<Shape, Real> weights(call.particles, stencil, p);
      const double value = call.values.at(k, call.particles.number(p));
      weights.for_each_node(stencil, [&](std::int64_t node, Real weight) { sum.data[node] += weight * value; });
    }
  }
}

}  // namespace

template <class Real>
void run_serial_shape(const DepositCall<Real>& call) {
  ScratchFrame frame(call.scratch);
  const View<double> sum = frame.array<double>(call.space.node_count());
  for (int k = 0; k < call.value_count(); ++k) {
    std::fill_n(sum.data, sum.count, 0.0);
    with_shape(call.shape, [&]<class Shape>(Shape) { add_particles<Shape>(call, k, sum); });
    for (std::int64_t node = 0; node < sum.count; ++node) call.nodes.at(k, node) = static_cast<Real>(sum.data[node]);
  }
}
template void run_serial_shape(const DepositCall<float>&);
template void run_serial_shape(const DepositCall<double>&);

}  // namespace shoal::deposit
