// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/deposit_item.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "core/real.hpp"

/// Values as whole multiples of a power of two, which add up to the same in any order.
namespace shoal {

/// The unit of one value. Sizes that add up to at most 2^E make whole numbers that add up to at most 2^61 and one half
/// a particle, so sums of up to 2^31 particles stay far from the ends of 64 bits. The unit is at least 2^-1000.
struct FixedPoint {
  double scale = 1;    ///< whole numbers a unit of the value: 2^(61 − E)
  double inverse = 1;  ///< exact

  static constexpr int bits = 61;
  static constexpr int most_exponent = 1000;  ///< so that scale and inverse are normal numbers

  /// For sizes that add up to at most 2^E.
  static FixedPoint for_exponent(int exponent) {
    const int shift = std::clamp(bits - exponent, -most_exponent, most_exponent);
    return {std::ldexp(1.0, shift), std::ldexp(1.0, -shift)};
  }

  /// The least E with range ≤ 2^E.
  static int exponent_of(double range) {
    int exponent = 0;
    return std::frexp(range, &exponent) == 0.5 ? exponent - 1 : exponent;
  }

  SHOAL_HD bool holds(double value) const { return std::abs(value) * scale <= 0x1p62; }
  SHOAL_HD std::int64_t whole(double value) const { return round_to_integer(value * scale); }

  template <class Real>
  SHOAL_HD Real value(std::int64_t whole) const {
    return static_cast<Real>(static_cast<double>(whole) * inverse);
  }
};

/// The shares of a cell's corners in a value that `unit` holds: each weight · value rounded, but the corner with the
/// largest weight (the first of equal ones) takes what is left, so that all add up to the value's own whole number.
template <class Real>
SHOAL_HD void split_whole(const FixedPoint& unit, const CornerWeights<Real>& weights, int corners, double value,
                          std::int64_t (&share)[8]) {
  int largest = 0;
  std::int64_t left = unit.whole(value);
  for (int c = 0; c < corners; ++c) {
    share[c] = unit.whole(rounded_product(static_cast<double>(weights[c]), value));
    left -= share[c];
    if (weights[c] > weights[largest]) largest = c;
  }
  for (int c = 0; c < corners; ++c) share[c] += c == largest ? left : 0;  // no index that is not a constant
}

/// Sums of sizes, which stop at 2^63: the same in any order.
SHOAL_HD std::uint64_t add_sizes(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  return a < most && b < most - a ? a + b : most;
}

}  // namespace shoal
