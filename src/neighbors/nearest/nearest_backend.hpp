// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/memory/scratch.hpp"
#include "neighbors/nearest/nearest_item.hpp"
#include "neighbors/nearest/point_tree.hpp"

namespace shoal::neighbors {

/// Device-dependent search of the nearest sources.
template <class Real>
struct NearestBackend {
  /// Writes the rows of destinations, which are the points of the tree.
  void (*search_tree)(const Queue& queue, const NearestSearch<Real>& search);

  /// Writes the rows of other destinations.
  void (*search_points)(Scratch& scratch, const NearestSearch<Real>& search, const Points<Real>& destinations,
                        int dimensions);

  static const NearestBackend cpu, cuda;
};

}  // namespace shoal::neighbors
