// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "neighbors/list/neighbor_counts.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

template <bool periodic, bool limits, bool half, class Real>
SHOAL_CPU_VARIANTS void count_range(const NeighborPairs<Real>& pairs, Range range, std::int64_t* counts) {
  for (std::int64_t k = range.begin; k < range.end; ++k)
    counts[pairs.destinations.order[k]] = neighbor_count<periodic, limits, half>(pairs, k);
}

template <class Real>
void count_neighbors(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, std::int64_t* counts) {
  const std::int64_t n = pairs.destinations.count;
  with_constants(pairs, periodic, [&]<bool p, bool limits, bool half> {
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic)
    for (std::int64_t begin = 0; begin < n; begin += tuning::cpu_rows)
      count_range<p, limits, half>(pairs, {begin, std::min(n, begin + tuning::cpu_rows)}, counts);
  });
}

}  // namespace

template <class Real>
const CountBackend<Real> CountBackend<Real>::cpu = {.count_neighbors = neighbors::count_neighbors<Real>};
template const CountBackend<float> CountBackend<float>::cpu;
template const CountBackend<double> CountBackend<double>::cpu;

}  // namespace shoal::neighbors
