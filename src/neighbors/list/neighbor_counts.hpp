// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

#include "core/memory/scratch.hpp"

/// How many neighbors every destination has, without a list: src/neighbors/row_lengths_cpu.cpp and
/// row_lengths_cuda.cu.
namespace shoal {

/// Number of neighbors of destination k of the sorted order. What the pairs are is known when this is compiled, so
/// that the loop over sources takes vector instructions.
template <bool periodic, bool limits, bool half, class Real>
SHOAL_HD std::int64_t row_length(const NeighborPairs<Real>& pairs, std::int64_t k) {
  const PackedPoint<Real> destination = pairs.destinations.point(k);
  if (!pairs.has_cell(destination.at)) return 0;
  const Real limit = pairs.limit_of(k);
  std::int64_t found = 0;
  for_each_run(*pairs.grid, destination.at, pairs.bound_of(limit), [&](std::int32_t first_cell, std::int32_t end_cell) {
    const std::int64_t end = pairs.sources.start(end_cell);
    std::int32_t in_run = 0;
    for (std::int64_t j = pairs.sources.start(first_cell); j < end; ++j) {
      const PackedPoint<Real> source = pairs.sources.point(j);
      Real within = limit;
      if constexpr (limits) within = pairs.sources.limits[j] > limit ? pairs.sources.limits[j] : limit;
      bool counts = pairs.test.template near<periodic>(destination.at, source.at, within);
      if constexpr (half) counts = counts & pairs.wants(destination.number, source.number);
      in_run += counts ? 1 : 0;
    }
    found += in_run;
  });
  return !half && pairs.excludes_self() ? found - 1 : found;  // it is always found: d = 0
}

/// lengths[i] = number of neighbors of destination i. Nothing waits.
/// @param lengths  [destinations] contiguous, on the queue's device
template <class Real>
void row_lengths(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, View<std::int64_t> lengths);

/// Calls run with the three answers as compile-time constants: run.operator()<periodic, limits, half>().
template <class Real, class Run>
void with_constants(const NeighborPairs<Real>& pairs, bool periodic, Run&& run) {
  const auto with_half = [&]<bool p, bool l> {
    pairs.half ? run.template operator()<p, l, true>() : run.template operator()<p, l, false>();
  };
  const auto with_limits = [&]<bool p> {
    pairs.sources.limits != nullptr ? with_half.template operator()<p, true>()
                                    : with_half.template operator()<p, false>();
  };
  periodic ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

namespace cpu {
template <class Real>
void row_lengths(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, std::int64_t* lengths);
}  // namespace cpu

namespace cuda {
template <class Real>
void row_lengths(const Queue& queue, const NeighborPairs<Real>& pairs, bool periodic, std::int64_t* lengths);
}  // namespace cuda

}  // namespace shoal
