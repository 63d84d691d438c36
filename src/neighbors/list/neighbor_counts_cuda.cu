// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "neighbors/list/neighbor_counts.hpp"

namespace shoal::neighbors {

namespace {

template <bool periodic, bool limits, bool half, class Real>
__global__ void count_each(NeighborPairs<Real> pairs, std::int64_t* counts) {
  const std::int64_t k = thread_index();
  if (k < pairs.destinations.count)
    counts[pairs.destinations.order[k]] = neighbor_count<periodic, limits, half>(pairs, k);
}

template <class Real>
void count_neighbors(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, std::int64_t* counts) {
  with_constants(pairs, periodic, [&]<bool p, bool limits, bool half> {
    launch(queue, pairs.destinations.count, count_each<p, limits, half, Real>, pairs, counts);
  });
}

}  // namespace

template <class Real>
const CountBackend<Real> CountBackend<Real>::cuda = {.count_neighbors = neighbors::count_neighbors<Real>};
template const CountBackend<float> CountBackend<float>::cuda;
template const CountBackend<double> CountBackend<double>::cuda;

}  // namespace shoal::neighbors
