// SPDX-License-Identifier: Apache-2.0
// The place of a cell on a Hilbert curve through a square or a cube: cells that follow each other are neighbors, so
// parts of the curve are compact.
//
// Source: Skilling (2004), "Programming the Hilbert curve", AIP Conference Proceedings 707, 381-387.
#pragma once
#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal {

/// @param bits  of each coordinate; at most 64 in all
template <int dimensions>
SHOAL_HD std::uint64_t place_on_curve(const std::uint32_t (&cell)[dimensions], int bits) {
  std::uint32_t at[dimensions];
  for (int axis = 0; axis < dimensions; ++axis) at[axis] = cell[axis];
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (int axis = 0; axis < dimensions; ++axis) {
      const bool is_set = (at[axis] & bit) != 0;
      const std::uint32_t swapped = is_set ? 0 : (at[0] ^ at[axis]) & below;
      at[0] ^= is_set ? below : swapped;
      at[axis] ^= swapped;
    }
  }
  for (int axis = 1; axis < dimensions; ++axis) at[axis] ^= at[axis - 1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1)
    if ((at[dimensions - 1] & bit) != 0) flips ^= bit - 1;
  std::uint64_t place = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (int axis = 0; axis < dimensions; ++axis) place = place << 1 | (((at[axis] ^ flips) >> bit) & 1);
  return place;
}

}  // namespace shoal
