// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <array>
#include <cstdint>

namespace shoal::neighbors {

/// List of neighbors: the sources of destination i are indices[offsets[i]] ... indices[offsets[i + 1] − 1], ascending.
/// Arrays that the options do not enable are empty. The plan owns the memory of the views.
template <class Real>
struct NeighborListView {
  View<const std::int64_t> offsets;       ///< [destinations + 1] first entry of each row
  View<const std::int32_t> indices;       ///< [room] numbers of sources; the list uses the first offsets[destinations]
  View<const std::int64_t> wide_indices;  ///< [room] indices as 64-bit numbers
  View<const Real> distances;             ///< [room] m, d of each entry: the root of d², rounded once
  std::array<View<const Real>, 3> displacements{};  ///< [room] each, m: x_i − x_j of each entry, of the nearest image
  View<const std::int64_t> edge_index{};  ///< [2 · room] destination of each entry, then source of each entry
  View<const std::int32_t> shifts{};  ///< [3 · room] periods along x, y and z that the source is shifted by, by entry
};

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::NeighborListView;
}  // namespace shoal
