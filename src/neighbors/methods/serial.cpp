// SPDX-License-Identifier: Apache-2.0
// serial: tests all pairs. The oracle of all other methods.
//
// idea           for every destination, for every source: test, append
// source         the definition
// memory         the list twice
// atomics        none
// deterministic  yes
// wins when      there are at most some hundred points
// loses when     there are more: the cost is the product of the numbers of points
// differs        -
#include <algorithm>
#include <vector>

#include "neighbors/methods/methods.hpp"

namespace shoal {

namespace {

template <class Real>
Real limit_of_pair(const NeighborSearch<Real>& search, std::int64_t i, std::int64_t j) {
  const View<const Real> of_destination = search.destination_limits();
  const View<const Real> of_source = search.source_limits();
  const Real limit = of_destination.empty() ? search.test.limit : of_destination.data[i];
  return of_source.empty() ? limit : std::max(limit, of_source.data[j]);
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const int dimensions = search.grid->cells.dimensions;
  const NeighborPairs<Real> pairs = search.unsorted_pairs();
  const SurveySet<Real> destinations = search.destinations.survey_set();
  const SurveySet<Real> sources = search.sources.survey_set();
  std::vector<std::int32_t> indices;
  search.list.offsets.data()[0] = 0;
  for (std::int64_t i = 0; i < destinations.count; ++i) {
    const Position<Real> at = destinations.at(i, dimensions);
    for (std::int64_t j = 0; j < sources.count; ++j)
      if (pairs.wants(i, j) &&
          search.test.template near<true>(at, sources.at(j, dimensions), limit_of_pair(search, i, j)))
        indices.push_back(static_cast<std::int32_t>(j));
    search.list.offsets.data()[i + 1] = static_cast<std::int64_t>(indices.size());
  }
  if (!search.make_room(static_cast<std::int64_t>(indices.size()))) return;
  std::copy(indices.begin(), indices.end(), search.list.indices.data());
}

}  // namespace

const NeighborsMethod neighbors_serial{
    {"serial", DeviceKind::cpu, true, "the definition"}, true, run<float>, run<double>};

}  // namespace shoal
