// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/search/search_backend.hpp"

namespace shoal::neighbors {

/// Pairs of neighbors over points in their own order, for methods that do not sort. Pointers are on the device that
/// reads them.
template <class Real>
struct UnsortedPairs {
  const SearchGrid<Real>* grid = nullptr;
  PairTest<Real> test;
  PairRule rule;
  PointReader<Real> destinations{Points<Real>{}};
  PointReader<Real> sources{Points<Real>{}};
  std::int64_t destination_count = 0;
  std::int64_t source_count = 0;
  const Real* destination_limits = nullptr;  ///< m², [destination_count]; null: the limit of the test
  const Real* source_limits = nullptr;       ///< m², [source_count]; null: no source has its own limit

  SHOAL_HD Position<Real> destination(std::int64_t i, int dimensions) const {
    return {destinations.at_x(i), destinations.at_y(i, dimensions), destinations.at_z(i, dimensions)};
  }
  SHOAL_HD Position<Real> source(std::int64_t j, int dimensions) const {
    return {sources.at_x(j), sources.at_y(j, dimensions), sources.at_z(j, dimensions)};
  }

  SHOAL_HD Real limit_of(std::int64_t destination) const {
    return destination_limits != nullptr ? destination_limits[destination] : test.limit;
  }
  /// Returns true if source j is a neighbor by distance.
  /// @param limit   m², the destination's
  /// @param source  position of source j
  template <bool periodic>
  SHOAL_HD bool near(const Position<Real>& destination, Real limit, const Position<Real>& source,
                     std::int64_t j) const {
    const Real within = source_limits != nullptr ? max(limit, source_limits[j]) : limit;
    return test.template near<periodic>(destination, source, within);
  }
};

}  // namespace shoal::neighbors
