// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors/periodic.hpp>

#include <ostream>

#include "neighbors/periodic/cell_item.hpp"

namespace shoal::neighbors {

/// Returns the vectors of a cell, rounded to `Real`.
template <class Real>
CellVectors cell_vectors(const PeriodicCell& cell);

/// Returns a cell with its inverse.
/// @param system  number in messages; −1 for a search in one system
/// @throws Error  a vector is not finite, or the vectors are linearly dependent
template <class Real>
SystemCell system_cell(const PeriodicCell& cell, std::int64_t system);

/// Start of a message: "neighbors: system 3: ", or "neighbors: " for a search in one system (−1).
struct MessageStart {
  std::int64_t system;
};
std::ostream& operator<<(std::ostream& out, MessageStart start);

}  // namespace shoal::neighbors
