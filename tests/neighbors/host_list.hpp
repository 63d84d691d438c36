// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>
#include <shoal/neighbors/list.hpp>

#include <cstdint>
#include <ostream>
#include <vector>

#include "support/same_list.hpp"

namespace shoal::testing_support {

/// List of neighbors with its optional arrays on the host.
template <class Real>
struct HostList {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> indices;
  std::vector<std::int64_t> wide_indices;
  std::vector<Real> distances, dx, dy, dz;
};

template <class Real>
std::string first_difference(const HostList<Real>& list, const HostList<Real>& expected) {
  for (const std::string& difference :
       {first_different_row(list, expected),
        first_different_entry("wide_indices", list.wide_indices, expected.wide_indices),
        first_different_entry("distances", list.distances, expected.distances),
        first_different_entry("dx", list.dx, expected.dx), first_different_entry("dy", list.dy, expected.dy),
        first_different_entry("dz", list.dz, expected.dz)})
    if (!difference.empty()) return difference;
  return "";
}

template <class Real>
void PrintTo(const HostList<Real>& list, std::ostream* out) {
  *out << "a list of " << list.offsets.size() << " offsets and " << list.indices.size() << " indices";
}

template <class Real>
HostList<Real> on_host(const Queue& queue, const NeighborListView<Real>& list) {
  const auto displacement = [&](std::size_t axis) { return to_host(queue, list.displacements[axis]); };
  return {to_host(queue, list.offsets),
          to_host(queue, list.indices),
          to_host(queue, list.wide_indices),
          to_host(queue, list.distances),
          displacement(0),
          displacement(1),
          displacement(2)};
}

/// A search within one set or between two sets, and the list that Neighbors finds.
template <class Real>
struct ReferenceSearch {
  Queue queue;
  double radius;
  Box box;
  NeighborsOptions options;
  Points<Real> destinations;
  Points<Real> sources;  ///< Not read within one set.
  bool one_set;

  HostList<Real> list() const {
    Neighbors<Real> neighbors(queue, radius, box, options);
    one_set ? neighbors.find(destinations) : neighbors.find(destinations, sources);
    return on_host<Real>(queue, {neighbors.offsets(), neighbors.indices(), neighbors.wide_indices(),
                                 neighbors.distances(), neighbors.displacements()});
  }
};

}  // namespace shoal::testing_support
