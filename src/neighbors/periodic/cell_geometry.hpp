// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors/periodic.hpp>

#include "core/vector.hpp"

namespace shoal::neighbors {

/// Vector in double precision, m or 1/m.
using Vector = std::array<double, 3>;

/// Vectors of a cell, and those that measure positions in units of them.
struct CellGeometry {
  std::array<Vector, 3> vectors{};     ///< m; 0 for open directions
  std::array<Vector, 3> reciprocal{};  ///< 1/m, in the span of the vectors; 0 for open directions
  Vector inverse_height{};             ///< 1/m, 1 / distance of opposite faces: the lengths of `reciprocal`

  /// Coordinate of a position along vector k, in units of that vector.
  double fraction(int k, const Vector& position) const {
    return dot(reciprocal[static_cast<std::size_t>(k)], position);
  }
};

/// Returns the geometry of a cell whose vectors are rounded to `Real`, as the test of pairs reads them.
/// @param system  number in messages; −1 for a search in one system
/// @throws Error  a vector is not finite, or the vectors are linearly dependent
template <class Real>
CellGeometry cell_geometry(const PeriodicCell& cell, std::int64_t system);

/// "neighbors: system 3: ", or "neighbors: " for a search in one system (−1).
std::string message_start(std::int64_t system);

}  // namespace shoal::neighbors
