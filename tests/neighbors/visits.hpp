// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbor_visitor.hpp>

#include <array>
#include <vector>

namespace shoal::testing_support {

/// One call of the user's function.
template <class Real>
struct Visit {
  std::int32_t source;
  std::array<Real, 3> displacement;
  Real squared;
};

/// All calls for one destination, in their order.
template <class Real>
struct Visits {
  std::array<Real, 3> at{};
  std::vector<Visit<Real>> visits;
  int times = 0;  ///< that the destination came
};

/// What a plan of the CPU visits, by the numbers of the destinations.
template <class Real>
std::vector<Visits<Real>> visits_on_host(const NeighborVisitor<Real>& visitor, std::size_t destinations) {
  std::vector<Visits<Real>> all(destinations);
  for (std::int64_t k = 0; k < visitor.count(); ++k) {
    Visits<Real>& of = all.at(static_cast<std::size_t>(visitor.destination(k)));
    const Position<Real> at = visitor.position(k);
    of.at = {at.x, at.y, at.z};
    ++of.times;
    visitor.visit(k, [&](std::int32_t source, const Position<Real>& d, Real squared) {
      of.visits.push_back({source, {d.x, d.y, d.z}, squared});
    });
  }
  return all;
}

}  // namespace shoal::testing_support
