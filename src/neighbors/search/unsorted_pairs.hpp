// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/neighbors_method.hpp"

namespace shoal {

/// Which pairs are neighbors, over points in their own order: for methods that do not sort. Pointers are on the device
/// that reads them.
template <class Real>
struct UnsortedPairs {
  NeighborPairs<Real> rule;  ///< wants() and the test; its sorted points are empty
  cells::PointReader<Real> destinations{Points<Real>{}};
  cells::PointReader<Real> sources{Points<Real>{}};
  std::int64_t destination_count = 0;
  std::int64_t source_count = 0;
  const Real* destination_limits = nullptr;  ///< m², null: the test's
  const Real* source_limits = nullptr;       ///< m², null: no source has one of its own

  SHOAL_HD Position<Real> destination(std::int64_t i, int dimensions) const {
    return {destinations.at_x(i), destinations.at_y(i, dimensions), destinations.at_z(i, dimensions)};
  }
  SHOAL_HD Position<Real> source(std::int64_t j, int dimensions) const {
    return {sources.at_x(j), sources.at_y(j, dimensions), sources.at_z(j, dimensions)};
  }

  SHOAL_HD Real limit_of(std::int64_t destination) const {
    return destination_limits != nullptr ? destination_limits[destination] : rule.test.limit;
  }
  /// Whether source j, which is at `source`, is near a destination at `at`; `limit` is the destination's.
  template <bool periodic>
  SHOAL_HD bool near(const Position<Real>& at, Real limit, const Position<Real>& source, std::int64_t j) const {
    const Real within = source_limits != nullptr ? max(limit, source_limits[j]) : limit;
    return rule.test.template near<periodic>(at, source, within);
  }
};

template <class Real>
UnsortedPairs<Real> unsorted_pairs(const NeighborSearch<Real>& search) {
  UnsortedPairs<Real> pairs;
  pairs.rule = search.unsorted_pairs();
  pairs.destinations = cells::PointReader<Real>(search.destinations.points());
  pairs.sources = cells::PointReader<Real>(search.sources.points());
  pairs.destination_count = search.destinations.count();
  pairs.source_count = search.sources.count();
  pairs.destination_limits = search.destination_limits().data;
  pairs.source_limits = search.source_limits().data;
  return pairs;
}

}  // namespace shoal
