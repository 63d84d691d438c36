// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "neighbors/nearest/point_tree_item.hpp"

namespace shoal::neighbors {

/// Key of a position along the Z-order curve through a cube: 42 bits of each coordinate, one of each in turn. Points in a
/// cluster of 10^-12 of the cube's edge still have keys of their own.
struct CurveKey {
  static constexpr int bits = 63;  ///< Number of bits of each half.
  std::uint64_t upper, lower;
};

/// Returns a number of 21 bits with two zeros above each bit.
SHOAL_HD std::uint64_t spread_bits(std::uint64_t a) {
  a = (a | a << 32) & 0x001f00000000ffff;
  a = (a | a << 16) & 0x001f0000ff0000ff;
  a = (a | a << 8) & 0x100f00f00f00f00f;
  a = (a | a << 4) & 0x10c30c30c30c30c3;
  return (a | a << 2) & 0x1249249249249249;
}

/// Returns the key of a position in the cube whose edge is the longest edge of a box, from the box's lower corner on.
template <class Real>
SHOAL_HD CurveKey curve_key(const NodeBounds<Real>& box, const Position<Real>& position) {
  const Real x[] = {position.x, position.y, position.z};
  double edge = 0;
  for (int axis = 0; axis < 3; ++axis)
    edge = max(edge, static_cast<double>(box.upper[axis]) - static_cast<double>(box.lower[axis]));
  CurveKey key{};
  for (int axis = 0; axis < 3; ++axis) {
    const double fraction =
        edge > 0 ? (static_cast<double>(x[axis]) - static_cast<double>(box.lower[axis])) / edge : 0.0;
    const auto steps = static_cast<std::uint64_t>(min(fraction * 0x1p42, 0x1p42 - 1));
    key.upper |= spread_bits(steps >> 21) << axis;
    key.lower |= spread_bits(steps & 0x1fffff) << axis;
  }
  return key;
}

}  // namespace shoal::neighbors
