// SPDX-License-Identifier: Apache-2.0
// Points that move, and the lists that are expected of them.
#pragma once
#include <random>

#include "neighbors/host_list.hpp"
#include "neighbors/neighbor_lists.hpp"

namespace shoal::testing_support {

/// Moves every coordinate by up to `step`.
template <class Real>
void shake(Distribution<Real>& points, double step, std::mt19937_64& random) {
  std::uniform_real_distribution<double> shift(-step, step);
  for (auto* axis : {&points.x, &points.y, &points.z})
    for (Real& coordinate : *axis) coordinate = static_cast<Real>(coordinate + shift(random));
}

/// Returns the list without unused room.
template <class Real>
HostList<Real> entries_of(const Queue& queue, const Neighbors<Real>& neighbors) {
  HostList<Real> list = on_host<Real>(queue, {neighbors.offsets(), neighbors.indices(), neighbors.wide_indices(),
                                              neighbors.distances(), neighbors.displacements()});
  const auto entries = static_cast<std::size_t>(list.offsets.back());
  const auto cut = [&](auto& array) {
    if (!array.empty()) array.resize(entries);
  };
  cut(list.indices), cut(list.wide_indices), cut(list.distances);
  cut(list.dx), cut(list.dy), cut(list.dz);
  return list;
}

/// Returns the list of a new plan without a skin.
template <class Real, class... Sets>
HostList<Real> new_list(Search search, const Sets&... sets) {
  search.options.method = "rows";
  search.options.skin = 0;
  const Queue queue = Queue::cpu(1);
  Neighbors<Real> neighbors(queue, search.radius, search.box, search.options);
  neighbors.find(sets.points()...);
  return entries_of(queue, neighbors);
}

}  // namespace shoal::testing_support
