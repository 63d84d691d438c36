// SPDX-License-Identifier: Apache-2.0
// serial: each particle adds to its nodes in double; the reference for all other methods.
//
// idea           the definition
// source         the definition; the CPU code that Larson, Carver and Zhao (2015) compare with
// memory         one double per node
// atomics        none
// deterministic  yes: one thread, in the order of cells and particles
// wins when      there is one thread and about one particle per cell
// loses when     there are several particles per cell, or several threads
// deviations     sums in double for both types, so not the canonical sum
#include <algorithm>

#include "deposit/methods/methods.hpp"

namespace shoal::deposit {

namespace {

template <class Real>
void run(const DepositCall<Real>& call) {
  const DepositSpace<Real>& space = call.space;
  ScratchFrame frame(call.scratch);
  const View<double> sum = frame.array<double>(space.node_count());
  for (int k = 0; k < call.value_count(); ++k) {
    std::fill_n(sum.data, sum.count, 0.0);
    for (std::int64_t cell = 0; cell < space.cell_count(); ++cell)
      for (std::int64_t p = call.particles.cell_start[cell]; p < call.particles.cell_start[cell + 1]; ++p) {
        const CornerWeights<Real> weights = call.particles.weights(space, cell, p);
        const double value = call.values.at(k, call.particles.number(p));
        for (int c = 0; c < space.corners(); ++c)
          sum.data[space.corner_node(space.cell_index(cell), c)] += weights[c] * value;
      }
    for (std::int64_t node = 0; node < sum.count; ++node) call.nodes.at(k, node) = static_cast<Real>(sum.data[node]);
  }
}

}  // namespace

const DepositMethod serial{{"serial", DeviceKind::cpu, true, "the definition"}, false, run<float>, run<double>};

}  // namespace shoal::deposit
