// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/nearest/point_tree_item.hpp"

namespace shoal::neighbors {

/// Source and its squared distance, ordered by distance, then by number.
template <class Real>
struct NearestSource {
  static constexpr std::int32_t none = 0x7fffffff;  ///< Number of a missing source, after all others in the order.

  Real squared;  ///< m²
  std::int32_t number;

  SHOAL_HD bool operator<(const NearestSource& source) const {
    return squared < source.squared || (squared == source.squared && number < source.number);
  }
};

/// Search of the nearest sources of each destination, in arrays on the queue's device.
template <class Real>
struct NearestSearch {
  TreeView<Real> sources;
  PairTest<Real> test;
  Real slack[3] = {};       ///< m, rounding error of distances on periodic axes
  bool skips_self = false;  ///< Sources with the number of the destination are left out.
  std::int64_t count = 0;   ///< k
  std::int32_t* indices = nullptr;
  Real* distances = nullptr;  ///< m

  /// Adds the sources that may be among the nearest of a destination to a collection of the k nearest so far.
  /// @tparam periodic  false only if no axis is periodic: the result is the same at less cost
  template <bool periodic, class Collection>
  SHOAL_HD void collect(const PackedPoint<Real>& destination, Collection& nearest) const {
    const auto bound = [&] { return nearest.bound(); };
    sources.visit(test, destination.position, slack, bound, [&](const PackedPoint<Real>& source) {
      if (skips_self && source.number == destination.number) return;
      const Position<Real> d = test.template displacement<periodic>(destination.position, source.position);
      nearest.add({PairTest<Real>::squared(d), static_cast<std::int32_t>(source.number)});
    });
  }

  /// Writes entry c of the row of a destination.
  SHOAL_HD void write(std::int64_t row, std::int64_t c, const NearestSource<Real>& source) const {
    const bool is_missing = source.number == NearestSource<Real>::none;
    indices[row * count + c] = is_missing ? -1 : source.number;
    distances[row * count + c] = std::sqrt(source.squared);
  }
};

}  // namespace shoal::neighbors
