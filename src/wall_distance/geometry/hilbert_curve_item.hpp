// SPDX-License-Identifier: Apache-2.0
// Index of a cell along a Hilbert curve through a square or a cube. Successive cells are neighbors, so intervals of the
// curve are compact.
//
// Source: Skilling (2004), "Programming the Hilbert curve", AIP Conference Proceedings 707, 381-387.
#pragma once
#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal::wall_distance {

/// @param bits  number of bits of each coordinate; bits × dimensions ≤ 64
template <int dimensions>
SHOAL_HD std::uint64_t hilbert_index(const std::uint32_t (&cell)[dimensions], int bits) {
  std::uint32_t digits[dimensions];
  for (int axis = 0; axis < dimensions; ++axis) digits[axis] = cell[axis];
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (int axis = 0; axis < dimensions; ++axis) {
      const bool is_set = (digits[axis] & bit) != 0;
      const std::uint32_t swapped = is_set ? 0 : (digits[0] ^ digits[axis]) & below;
      digits[0] ^= is_set ? below : swapped;
      digits[axis] ^= swapped;
    }
  }
  for (int axis = 1; axis < dimensions; ++axis) digits[axis] ^= digits[axis - 1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1)
    if ((digits[dimensions - 1] & bit) != 0) flips ^= bit - 1;
  std::uint64_t index = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (int axis = 0; axis < dimensions; ++axis) index = index << 1 | (((digits[axis] ^ flips) >> bit) & 1);
  return index;
}

}  // namespace shoal::wall_distance
