// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/curve_item.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

namespace shoal {
namespace {

TEST(Curve, GoesThroughEveryCellAndFromNeighbourToNeighbour) {
  for (const int bits : {1, 2, 4}) {
    const auto side = 1u << bits;
    std::vector<std::array<std::uint32_t, 3>> cells(side * side * side, {side, side, side});
    for (std::uint32_t x = 0; x < side; ++x)
      for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t z = 0; z < side; ++z) cells.at(place_on_curve(x, y, z, bits)) = {x, y, z};
    for (std::size_t k = 1; k < cells.size(); ++k) {
      int steps = 0;
      for (std::size_t axis = 0; axis < 3; ++axis)
        steps += std::abs(static_cast<int>(cells[k][axis]) - static_cast<int>(cells[k - 1][axis]));
      ASSERT_EQ(steps, 1) << bits << " bits, place " << k;
    }
  }
}

TEST(Curve, TakesSixteenBitsOfEachCoordinate) {
  EXPECT_EQ(place_on_curve(0, 0, 0, 16), 0);
  std::uint64_t largest = 0;
  for (const std::uint32_t x : {0u, 0xffffu})
    for (const std::uint32_t y : {0u, 0xffffu})
      for (const std::uint32_t z : {0u, 0xffffu}) largest = std::max(largest, place_on_curve(x, y, z, 16));
  EXPECT_EQ(largest, (std::uint64_t{1} << 48) - 1);
}

}  // namespace
}  // namespace shoal
