// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "wall_distance/sum_over_chunks.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {

/// A box along the axes, m. Empty at first.
struct Box {
  std::array<double, 3> lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Extends the box to another one.
  Box& operator+=(const Box& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], box.lower[axis]);
      upper[axis] = std::max(upper[axis], box.upper[axis]);
    }
    return *this;
  }
  double middle(std::size_t axis) const { return lower[axis] / 2 + upper[axis] / 2; }
  double edge(std::size_t axis) const { return upper[axis] - lower[axis]; }
  double longest_edge() const { return std::max({edge(0), edge(1), edge(2)}); }
};

inline Box box_of(const Primitive& primitive) {
  Box box;
  for (int i = 0; i < 3; ++i) {
    const std::array<double, 3> corner{primitive.x[i], primitive.y[i], primitive.z[i]};
    box += {corner, corner};
  }
  return box;
}

/// Box around primitives.
/// @param number  number of each; empty: all primitives
inline Box box_around(const WallPrimitives& primitives, const std::vector<std::int32_t>& number, int threads) {
  const auto count = number.empty() ? primitives.count() : std::ssize(number);
  return sum_over_chunks(threads, count, [&](Range range) {
    Box box;
    for (std::int64_t k = range.begin; k < range.end; ++k)
      box +=
          box_of(primitives.shape[static_cast<std::size_t>(number.empty() ? k : number[static_cast<std::size_t>(k)])]);
    return box;
  });
}

}  // namespace shoal::wall_distance
