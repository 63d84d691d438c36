// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <array>
#include <cstdint>

namespace shoal {

/// A list of neighbors as its plan gives it out: the sources of destination i are indices[offsets[i]] ...
/// indices[offsets[i + 1] − 1], ascending. What options do not ask for is empty. Views of memory that the plan keeps.
template <class Real>
struct NeighborListView {
  View<const std::int64_t> offsets;                 ///< [destinations + 1]
  View<const std::int32_t> indices;                 ///< [room] numbers of sources; offsets[destinations] are written
  View<const std::int64_t> wide_indices;            ///< [room] the same as 64-bit numbers
  View<const Real> distances;                       ///< [room] m, d of each entry: the root of d², rounded once
  std::array<View<const Real>, 3> displacements{};  ///< [room] each, m: x_i − x_j of each entry, of the nearest image
};

}  // namespace shoal
