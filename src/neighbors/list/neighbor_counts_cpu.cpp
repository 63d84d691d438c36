// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "neighbors/list/neighbor_counts.hpp"

namespace shoal::cpu {

namespace {

constexpr std::int64_t chunk = 512;  ///< destinations that a thread takes at a time

template <bool periodic, bool limits, bool half, class Real>
SHOAL_CPU_VARIANTS void count_rows(const NeighborPairs<Real>& pairs, Range range, std::int64_t* lengths) {
  for (std::int64_t k = range.begin; k < range.end; ++k)
    lengths[pairs.destinations.order[k]] = row_length<periodic, limits, half>(pairs, k);
}

}  // namespace

template <class Real>
void row_lengths(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, std::int64_t* lengths) {
  const std::int64_t n = pairs.destinations.count;
  with_constants(pairs, periodic, [&]<bool p, bool limits, bool half> {
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic)
    for (std::int64_t begin = 0; begin < n; begin += chunk)
      count_rows<p, limits, half>(pairs, {begin, std::min(n, begin + chunk)}, lengths);
  });
}

template void row_lengths(const Queue&, const NeighborPairs<float>&, bool, std::int64_t*);
template void row_lengths(const Queue&, const NeighborPairs<double>&, bool, std::int64_t*);

}  // namespace shoal::cpu
