// SPDX-License-Identifier: Apache-2.0
// The place of a cell on a Hilbert curve through a cube: cells that follow each other are neighbours, so pieces of the
// curve are compact.
//
// Source: Skilling (2004), "Programming the Hilbert curve", AIP Conference Proceedings 707, 381-387.
#pragma once
#include <cstdint>

#include "core/host_device.hpp"

namespace shoal {

/// @param bits  of each coordinate, at most 21
SHOAL_HD std::uint64_t place_on_curve(std::uint32_t x, std::uint32_t y, std::uint32_t z, int bits) {
  std::uint32_t at[3] = {x, y, z};
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t swapped = (at[axis] & bit) != 0 ? 0 : (at[0] ^ at[axis]) & below;
      at[0] ^= (at[axis] & bit) != 0 ? below : swapped;
      at[axis] ^= swapped;
    }
  }
  at[1] ^= at[0];
  at[2] ^= at[1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1)
    if ((at[2] & bit) != 0) flips ^= bit - 1;
  std::uint64_t place = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (const std::uint32_t coordinate : at) place = place << 1 | (((coordinate ^ flips) >> bit) & 1);
  return place;
}

}  // namespace shoal
