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
// shapes         tsc and pcs in src/deposit/shapes/serial_shape.cpp
#include <algorithm>

#include "deposit/methods/methods.hpp"
#include "deposit/ranks/shared_nodes.hpp"
#include "deposit/ranks/slab_space.hpp"
#include "deposit/shapes/shape_methods.hpp"

namespace shoal::deposit {

namespace {

/// Adds a value of the particles of some cells to those of their nodes that are in a range.
template <class Real>
void add_cells(const DepositCall<Real>& call, int k, Range cells, Range nodes, View<double> sum) {
  const DepositSpace<Real>& space = call.space;
  for (std::int64_t cell = cells.begin; cell < cells.end; ++cell)
    for (std::int64_t p = call.particles.cell_start[cell]; p < call.particles.cell_start[cell + 1]; ++p) {
      const CornerWeights<Real> weights = call.particles.weights(space, cell, p);
      const double value = call.values.at(k, call.particles.number(p));
      for (int c = 0; c < space.corners(); ++c) {
        const std::int64_t node = space.corner_node(space.cell_index(cell), c);
        if (node >= nodes.begin && node < nodes.end) sum.data[node] += weights[c] * value;
      }
    }
}

/// Exchanges the sums of planes with the ranks on their other sides.
/// @param sends_later  true: sends those of planes where the particles of this rank come later, and receives the others
void pass_on(SharedNodes& shared, View<double> sum, bool sends_later) {
  std::array<const double*, 2> sent{};
  std::array<double*, 2> received{};
  for (std::size_t side = 0; side < 2; ++side) {
    const SharedNodes::Plane& plane = shared.planes()[side];
    if (plane.rank < 0) continue;
    double* const sums = sum.data + plane.first_node;
    if (plane.is_later == sends_later)
      sent[side] = sums;
    else
      received[side] = sums;
  }
  shared.exchange(sent, received, shared.plane_nodes());
}

/// Continues the sums at planes where particles of other ranks come first, and returns the results to these ranks.
template <class Real>
void add_after_other_ranks(const DepositCall<Real>& call, int k, View<double> sum) {
  const std::int64_t layer = cells_of_layer(call.space);
  pass_on(*call.shared, sum, false);
  for (const SharedNodes::Plane& plane : call.shared->planes()) {
    if (plane.rank < 0 || !plane.is_later) continue;
    const std::int64_t first_cell = plane.first_node == 0 ? 0 : call.space.cell_count() - layer;
    add_cells(call, k, {first_cell, first_cell + layer},
              {plane.first_node, plane.first_node + call.shared->plane_nodes()}, sum);
  }
  pass_on(*call.shared, sum, true);
}

template <class Real>
void run(const DepositCall<Real>& call) {
  const DepositSpace<Real>& space = call.space;
  ScratchFrame frame(call.scratch);
  const View<double> sum = frame.array<double>(space.node_count());
  for (int k = 0; k < call.value_count(); ++k) {
    std::fill_n(sum.data, sum.count, 0.0);
    add_cells(call, k, {0, space.cell_count()}, {0, sum.count}, sum);
    if (call.shared != nullptr) add_after_other_ranks(call, k, sum);
    for (std::int64_t node = 0; node < sum.count; ++node) call.nodes.at(k, node) = static_cast<Real>(sum.data[node]);
  }
}

}  // namespace

const DepositMethod serial{{"serial", DeviceKind::cpu, true, "the definition"},
                           false,
                           run<float>,
                           run<double>,
                           true,
                           run_serial_shape<float>,
                           run_serial_shape<double>};

}  // namespace shoal::deposit
