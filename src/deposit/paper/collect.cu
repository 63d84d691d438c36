// SPDX-License-Identifier: Apache-2.0
#include "deposit/paper/collect.cuh"

#include "deposit/sums/sum_tree.hpp"

namespace shoal::deposit::paper {

namespace {

template <class Real>
__global__ void collect_each(DepositSpace<Real> space, const Real* sums, Fields<Real> nodes) {
  const std::int64_t node = thread_index();
  if (node >= space.node_count()) return;
  const GridIndex index = space.node_index(node);
  const NodeRow<Real> row(space, index.y, index.z);
  const int corners = space.corners();
  const std::int64_t width = static_cast<std::int64_t>(nodes.count) * corners;
  for (int k = 0; k < nodes.count; ++k)
    nodes.at(k, node) = row.template sum<Real>(
        index.x, [&](std::int64_t cell, int corner) { return sums[cell * width + k * corners + corner]; });
}

}  // namespace

template <class Real>
void collect_sums(const DepositCall<Real>& call, const Real* sums) {
  launch(call.queue(), call.space.node_count(), collect_each<Real>, call.space, sums, call.nodes);
}

template void collect_sums(const DepositCall<float>&, const float*);
template void collect_sums(const DepositCall<double>&, const double*);

}  // namespace shoal::deposit::paper
