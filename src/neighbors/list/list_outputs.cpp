// SPDX-License-Identifier: Apache-2.0
#include "neighbors/list/list_outputs.hpp"

#include "core/memory/check_views.hpp"

namespace shoal::neighbors {

template <class Real>
void sum_neighbors(Scratch& scratch, const NeighborPairs<Real>& pairs, bool periodic, View<const Real> weights,
                   View<Real> out) {
  const Queue& queue = scratch.queue();
  require_view(queue, "neighbors", "weights", weights, pairs.sources.count);
  require_view(queue, "neighbors", "out", out, pairs.destinations.count);
  const NeighborSum<Real> sum{pairs, {pairs, periodic}, nullptr, out};
  backend<ListBackend<Real>>(queue).sum_neighbors(scratch, sum, weights);
}

template void sum_neighbors(Scratch&, const NeighborPairs<float>&, bool, View<const float>, View<float>);
template void sum_neighbors(Scratch&, const NeighborPairs<double>&, bool, View<const double>, View<double>);

}  // namespace shoal::neighbors
