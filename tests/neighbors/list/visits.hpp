// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors/visitor.hpp>

#include <array>
#include <vector>

namespace shoal::testing_support {

/// One call of the visitor's function.
template <class Real>
struct Visit {
  std::int32_t source;
  std::array<Real, 3> displacement;
  Real squared;
};

/// All calls for one destination, in their order.
template <class Real>
struct Visits {
  std::array<Real, 3> position{};
  std::vector<Visit<Real>> visits;
  int occurrences = 0;  ///< Number of sorted indices with this destination.
};

/// Runs the loop of a visitor on the host. Returns the calls by the numbers of the destinations.
template <class Real>
std::vector<Visits<Real>> visits_on_host(const NeighborVisitor<Real>& visitor, std::size_t destinations) {
  std::vector<Visits<Real>> result(destinations);
  for (std::int64_t k = 0; k < visitor.count(); ++k) {
    Visits<Real>& destination = result.at(static_cast<std::size_t>(visitor.destination(k)));
    const Position<Real> position = visitor.position(k);
    destination.position = {position.x, position.y, position.z};
    ++destination.occurrences;
    visitor.visit(k, [&](std::int32_t source, const Position<Real>& d, Real squared) {
      destination.visits.push_back({source, {d.x, d.y, d.z}, squared});
    });
  }
  return result;
}

}  // namespace shoal::testing_support
