// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <numeric>
#include <vector>

namespace shoal::wall_distance {

/// First primitive of each face of a mesh, [faces + 1].
/// @param face  [primitives] number of the face of each primitive, ascending
inline std::vector<std::int32_t> first_primitives(std::int64_t faces, const std::vector<std::int64_t>& face) {
  std::vector<std::int32_t> first(static_cast<std::size_t>(faces) + 1);
  for (const std::int64_t number : face) ++first[static_cast<std::size_t>(number) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

}  // namespace shoal::wall_distance
