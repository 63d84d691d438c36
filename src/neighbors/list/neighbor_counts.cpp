// SPDX-License-Identifier: Apache-2.0
#include "neighbors/list/neighbor_counts.hpp"

namespace shoal {

template <class Real>
void row_lengths(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, View<std::int64_t> lengths) {
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) return cuda::row_lengths(queue, pairs, periodic, lengths.data);
#endif
  cpu::row_lengths(queue, pairs, periodic, lengths.data);
}

template void row_lengths(const Queue&, const NeighborPairs<float>&, bool, View<std::int64_t>);
template void row_lengths(const Queue&, const NeighborPairs<double>&, bool, View<std::int64_t>);

}  // namespace shoal
