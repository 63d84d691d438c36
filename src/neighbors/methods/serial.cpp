// SPDX-License-Identifier: Apache-2.0
// serial: tests all pairs. It is the reference of all other methods.
//
// idea           for every destination, for every source: test, append
// source         the definition
// memory         the list twice
// atomics        none
// deterministic  yes
// wins when      there are at most some hundred points
// loses when     there are more: the cost is the product of the numbers of points
// deviations     none
#include <algorithm>
#include <vector>

#include "neighbors/methods/methods.hpp"
#include "neighbors/search/visit_order.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const UnsortedPairs<Real> pairs = search.plan.unsorted_pairs(search.sets);
  const int dimensions = search.plan.box().dimensions;
  std::vector<std::int32_t> indices;
  std::int64_t* offsets = search.list.offsets.data();
  offsets[0] = 0;
  for (std::int64_t i = 0; i < pairs.destination_count; ++i) {
    const Position<Real> position = pairs.destination(i, dimensions);
    const std::size_t begin = indices.size();
    for (std::int64_t j = 0; j < pairs.source_count; ++j)
      if (pairs.rule.wants(i, j) &&
          pairs.template near<true>(position, pairs.limit_of(i), pairs.source(j, dimensions), j))
        indices.push_back(static_cast<std::int32_t>(j));
    if (!search.plan.is_ascending())
      VisitOrder<Real>(*pairs.grid, position)
          .sort(indices.data() + begin, indices.data() + indices.size(),
                [&](std::int32_t j) { return pairs.source(j, dimensions); });
    offsets[i + 1] = static_cast<std::int64_t>(indices.size());
  }
  if (!search.make_room(static_cast<std::int64_t>(indices.size()))) return;
  std::copy(indices.begin(), indices.end(), search.list.indices.data());
}

}  // namespace

const NeighborsMethod serial_cpu{
    {"serial", DeviceKind::cpu, true, "the definition"}, true, true, run<float>, run<double>};

}  // namespace shoal::neighbors
