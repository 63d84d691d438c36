// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace shoal::wall_distance {

/// A connected part of closed walls.
struct Shell {
  std::int32_t body, first;  ///< first: number of its first primitive
  double volume = 0,
         size = 0;  ///< sum of the signed and of the absolute volumes between a fixed apex and its primitives
  double lower[3] = {infinity, infinity, infinity}, upper[3] = {-infinity, -infinity, -infinity};  ///< bounding box

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  bool is_within(const Shell& outer) const {
    for (int axis = 0; axis < 3; ++axis)
      if (lower[axis] < outer.lower[axis] || upper[axis] > outer.upper[axis]) return false;
    return true;
  }
};

/// [bodies] 1: the faces of the body are oriented inwards; 0: outwards.
/// @param shells  ascending by their first primitives
std::vector<std::uint8_t> reversed_bodies(const std::vector<Shell>& shells, std::size_t bodies);

/// The first shell with the opposite orientation of its body that is not a hole in another shell; null: there is none.
const Shell* misplaced_shell(const std::vector<Shell>& shells, const std::vector<std::uint8_t>& is_reversed);

}  // namespace shoal::wall_distance
