// SPDX-License-Identifier: Apache-2.0
#include "neighbors/list_outputs.hpp"

#include "core/check_views.hpp"

namespace shoal {

#ifdef SHOAL_CUDA
#define SHOAL_RUN(queue, call) ((queue).on_cpu() ? cpu::call : cuda::call)
#else
#define SHOAL_RUN(queue, call) cpu::call
#endif

template <class Real>
void write_entries(const Queue& queue, const EntryOutputs<Real>& outputs) {
  SHOAL_RUN(queue, write_entries(queue, outputs));
}

void write_matrix(const Queue& queue, const MatrixOutput& output) { SHOAL_RUN(queue, write_matrix(queue, output)); }

template <class Real>
void sum_neighbors(const Queue& queue, const NeighborVisitor<Real>& visitor, std::int64_t sources,
                   View<const Real> weights, View<Real> out) {
  require_view(queue, "neighbors", "weights", weights, sources);
  require_view(queue, "neighbors", "out", out, visitor.count());
  const NeighborSum<Real> sum{visitor, weights, out};
  SHOAL_RUN(queue, sum_neighbors(queue, sum));
}

template void write_entries(const Queue&, const EntryOutputs<float>&);
template void write_entries(const Queue&, const EntryOutputs<double>&);
template void sum_neighbors(const Queue&, const NeighborVisitor<float>&, std::int64_t, View<const float>, View<float>);
template void sum_neighbors(const Queue&, const NeighborVisitor<double>&, std::int64_t, View<const double>,
                            View<double>);

}  // namespace shoal
