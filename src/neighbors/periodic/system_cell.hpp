// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors/periodic.hpp>

#include "neighbors/periodic/images_item.hpp"

namespace shoal::neighbors {

/// Vector in double precision, m or 1/m.
using Vector = std::array<double, 3>;

/// Returns a cell with its inverse. The vectors are rounded to `Real`, as the test of pairs reads them.
/// @param system  number in messages; −1 for a search in one system
/// @throws Error  a vector is not finite, or the vectors are linearly dependent
template <class Real>
SystemCell system_cell(const PeriodicCell& cell, std::int64_t system);

/// "neighbors: system 3: ", or "neighbors: " for a search in one system (−1).
std::string message_start(std::int64_t system);

}  // namespace shoal::neighbors
