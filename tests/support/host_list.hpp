// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <cstdint>
#include <vector>

namespace shoal::testing_support {

/// All that a list of neighbors has, on the host.
template <class Real>
struct HostList {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> indices;
  std::vector<std::int64_t> wide_indices;
  std::vector<Real> distances, dx, dy, dz;

  bool operator==(const HostList&) const = default;
};

template <class Real>
HostList<Real> on_host(const Queue& queue, const NeighborListView<Real>& list) {
  const auto d = [&](std::size_t axis) { return to_host(queue, list.displacements[axis]); };
  return {to_host(queue, list.offsets),
          to_host(queue, list.indices),
          to_host(queue, list.wide_indices),
          to_host(queue, list.distances),
          d(0),
          d(1),
          d(2)};
}

/// A search of one set, or of two, and what Neighbors finds.
template <class Real>
struct Question {
  Queue queue;
  double radius;
  Box box;
  NeighborsOptions options;
  Points<Real> destinations;
  Points<Real> sources;  ///< of two sets
  bool one_set;

  HostList<Real> answer() const {
    Neighbors<Real> neighbors(queue, radius, box, options);
    one_set ? neighbors.find(destinations) : neighbors.find(destinations, sources);
    return on_host<Real>(queue, {neighbors.offsets(), neighbors.indices(), neighbors.wide_indices(),
                                 neighbors.distances(), neighbors.displacements()});
  }
};

}  // namespace shoal::testing_support
