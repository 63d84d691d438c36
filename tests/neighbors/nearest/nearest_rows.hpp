// SPDX-License-Identifier: Apache-2.0
// The k nearest sources on the host, and their definition in plain loops.
#pragma once
#include <shoal/neighbors/nearest.hpp>

#include <algorithm>
#include <limits>

#include "neighbors/brute_force.hpp"

namespace shoal::testing_support {

/// Rows of numbers and distances on the host.
template <class Real>
struct Nearest {
  std::vector<std::int32_t> indices;
  std::vector<Real> distances;

  bool operator==(const Nearest&) const = default;
};

/// Rows of a plan on the device of a queue.
template <class Real>
Nearest<Real> host_result(const NearestNeighbors<Real>& nearest, const Queue& queue = Queue::cpu(1)) {
  return {to_host(queue, nearest.indices()), to_host(queue, nearest.distances())};
}

template <class Real, class... Sets>
Nearest<Real> find_nearest(int count, const Box& box, const NearestOptions& options, int threads,
                           const Distribution<Real>& points, const Sets&... sources) {
  NearestNeighbors<Real> nearest(Queue::cpu(threads), count, box, options);
  nearest.find(points.points(), sources.points()...);
  return host_result(nearest);
}

/// The definition: all sources of each destination, sorted. Searches within one set if both are the same object.
template <class Real>
Nearest<Real> brute_force_nearest(int count, const Box& box, bool include_self, const Distribution<Real>& destinations,
                                  const Distribution<Real>& sources) {
  const Search search{.radius = 1, .box = box};
  const BruteForce<Real> pairs(search, destinations, sources);
  Nearest<Real> result;
  for (std::size_t i = 0; i < destinations.x.size(); ++i) {
    std::vector<std::pair<Real, std::int32_t>> row;
    for (std::size_t j = 0; j < sources.x.size(); ++j)
      if (include_self || &destinations != &sources || i != j)
        row.emplace_back(pairs.squared(i, j), static_cast<std::int32_t>(j));
    std::sort(row.begin(), row.end());
    row.resize(static_cast<std::size_t>(count), {std::numeric_limits<Real>::infinity(), -1});
    for (const auto& [squared, j] : row) {
      result.indices.push_back(j);
      result.distances.push_back(std::sqrt(squared));
    }
  }
  return result;
}

}  // namespace shoal::testing_support
