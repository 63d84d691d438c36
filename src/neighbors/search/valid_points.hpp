// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/backends.hpp"
#include "core/memory/scratch.hpp"
#include "neighbors/search/search_box.hpp"

namespace shoal::neighbors {

/// Device-dependent search for points that a box does not allow.
template <class Real>
struct ValidPointsBackend {
  /// Returns the number of the first invalid point, or the number of points if all are valid. Waits for the queue.
  std::int64_t (*first_invalid)(Scratch& scratch, const SearchSpace<Real>& space, const Points<Real>& points);

  static const ValidPointsBackend cpu, cuda;
};

/// Throws an Error that names the first point with a coordinate that the box does not allow. Waits for the queue.
/// @param points  on the queue's device
/// @param role    name of a point in messages: "point", "source"
template <class Real>
void require_valid_points(Scratch& scratch, const Box& box, const std::string& role, const Points<Real>& points);

}  // namespace shoal::neighbors
