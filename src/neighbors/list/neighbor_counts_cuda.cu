// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "neighbors/list/neighbor_counts.hpp"

namespace shoal::cuda {

namespace {

template <bool periodic, bool limits, bool half, class Real>
__global__ void count_rows(NeighborPairs<Real> pairs, std::int64_t* lengths) {
  const std::int64_t k = thread_index();
  if (k < pairs.destinations.count) lengths[pairs.destinations.order[k]] = row_length<periodic, limits, half>(pairs, k);
}

}  // namespace

template <class Real>
void row_lengths(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, std::int64_t* lengths) {
  with_constants(pairs, periodic, [&]<bool p, bool limits, bool half> {
    launch(queue, pairs.destinations.count, count_rows<p, limits, half, Real>, pairs, lengths);
  });
}

template void row_lengths(const Queue&, const NeighborPairs<float>&, bool, std::int64_t*);
template void row_lengths(const Queue&, const NeighborPairs<double>&, bool, std::int64_t*);

}  // namespace shoal::cuda
