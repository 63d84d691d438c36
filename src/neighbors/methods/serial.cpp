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

#include "cells/assign_cells.hpp"
#include "neighbors/methods/methods.hpp"

namespace shoal {

namespace {

template <class Real>
Position<Real> position(const Points<Real>& points, int dimensions, std::int64_t i) {
  const PointReader<Real> reader(points);
  return {reader.at_x(i), reader.at_y(i), reader.at_z(i, dimensions)};
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const Points<Real>& destinations = search.destinations.points;
  const Points<Real>& sources = search.sources.points;
  const int dimensions = search.formula.dimensions;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> indices;
  for (std::int64_t i = 0; i < destinations.count(); ++i) {
    const Position<Real> at = position(destinations, dimensions, i);
    for (std::int64_t j = 0; j < sources.count(); ++j)
      if (!(search.excludes_self() && i == j) && search.test.template near<true>(at, position(sources, dimensions, j)))
        indices.push_back(static_cast<std::int32_t>(j));
    offsets.push_back(static_cast<std::int64_t>(indices.size()));
  }
  search.list.offsets.resize(static_cast<std::int64_t>(offsets.size()));
  search.list.indices.resize(static_cast<std::int64_t>(indices.size()));
  std::copy(offsets.begin(), offsets.end(), search.list.offsets.data());
  std::copy(indices.begin(), indices.end(), search.list.indices.data());
}

}  // namespace

const NeighborsMethod neighbors_serial{{"serial", DeviceKind::cpu, true, "the definition"}, run<float>, run<double>};

}  // namespace shoal
