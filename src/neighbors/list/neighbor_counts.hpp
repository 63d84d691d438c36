// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

#include "core/backends.hpp"
#include "core/inlined.hpp"
#include "core/memory/scratch.hpp"

/// Numbers of neighbors of all destinations, without a list.
namespace shoal::neighbors {

/// Returns the number of neighbors of the destination with sorted index k. The kind of pairs is a compile-time
/// constant, so that the loop over sources vectorizes.
template <bool periodic, bool limits, bool half, class Real>
SHOAL_HD std::int64_t neighbor_count(const NeighborPairs<Real>& pairs, std::int64_t k) {
  const PackedPoint<Real> destination = pairs.destinations.point(k);
  if (!pairs.has_cell(destination.position)) return 0;
  const Real limit = pairs.limit_of(k);
  std::int64_t total = 0;
  for_each_run(*pairs.grid, destination.position, pairs.bound_of(limit),
               [&](std::int32_t first_cell, std::int32_t end_cell) SHOAL_INLINED {
                 const std::int64_t end = pairs.sources.start(end_cell);
                 std::int32_t in_run = 0;
                 for (std::int64_t j = pairs.sources.start(first_cell); j < end; ++j) {
                   const PackedPoint<Real> source = pairs.sources.point(j);
                   Real within = limit;
                   if constexpr (limits) within = pairs.sources.limits[j] > limit ? pairs.sources.limits[j] : limit;
                   bool counts = pairs.test.template near<periodic>(destination.position, source.position, within);
                   if constexpr (half) counts = counts & pairs.rule.wants(destination.number, source.number);
                   in_run += counts ? 1 : 0;
                 }
                 total += in_run;
               });
  return !half && pairs.rule.excludes_self() ? total - 1 : total;  // d = 0 always passes the test
}

/// Calls run.operator()<periodic, limits, half>() with the kind of the pairs as compile-time constants.
template <class Real, class Run>
void with_constants(const NeighborPairs<Real>& pairs, bool periodic, Run&& run) {
  const auto with_half = [&]<bool p, bool l> {
    pairs.rule.half ? run.template operator()<p, l, true>() : run.template operator()<p, l, false>();
  };
  const auto with_limits = [&]<bool p> {
    pairs.sources.limits != nullptr ? with_half.template operator()<p, true>()
                                    : with_half.template operator()<p, false>();
  };
  periodic ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

/// Device-dependent count of neighbors. It does not wait.
template <class Real>
struct CountBackend {
  /// @param counts  [destinations] out, by number, on the queue's device
  void (*count_neighbors)(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, std::int64_t* counts);

  static const CountBackend cpu, cuda;
};

}  // namespace shoal::neighbors
