// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/geometry/hilbert_curve_item.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

namespace shoal::wall_distance {
namespace {

template <int dimensions>
void expect_steps(int bits) {
  const std::size_t side = std::size_t{1} << bits, count = dimensions == 3 ? side * side * side : side * side;
  std::vector<std::array<std::uint32_t, dimensions>> cells(count);
  std::vector<int> visits(count);
  for (std::size_t number = 0; number < count; ++number) {
    std::uint32_t cell[dimensions];
    for (std::size_t axis = 0, rest = number; axis < dimensions; ++axis, rest /= side)
      cell[axis] = static_cast<std::uint32_t>(rest % side);
    const std::uint64_t index = hilbert_index(cell, bits);
    std::copy(std::begin(cell), std::end(cell), cells.at(index).begin());
    ++visits[index];
  }
  for (std::size_t k = 0; k < count; ++k) {
    ASSERT_EQ(visits[k], 1) << bits << " bits, index " << k;
    int steps = 0;
    for (std::size_t axis = 0; k > 0 && axis < dimensions; ++axis)
      steps += std::abs(static_cast<int>(cells[k][axis]) - static_cast<int>(cells[k - 1][axis]));
    ASSERT_EQ(steps, k > 0) << bits << " bits, index " << k;
  }
}

TEST(HilbertCurve, VisitsEveryCellOnceAndStepsToNeighbors) {
  for (const int bits : {1, 2, 4}) {
    expect_steps<2>(bits);
    expect_steps<3>(bits);
  }
}

}  // namespace
}  // namespace shoal::wall_distance
