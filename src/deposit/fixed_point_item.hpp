// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>

#include <shoal/item/host_device.hpp>
#include "core/real.hpp"
#include "deposit/deposit_call.hpp"

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
  SHOAL_HD static FixedPoint for_exponent(int exponent) {
    const int shift = max(-most_exponent, min(bits - exponent, most_exponent));
    return {std::ldexp(1.0, shift), std::ldexp(1.0, -shift)};
  }

  /// The least E with range ≤ 2^E.
  SHOAL_HD static int exponent_of(double range) {
    int exponent = 0;
    return std::frexp(range, &exponent) == 0.5 ? exponent - 1 : exponent;
  }

  SHOAL_HD bool holds(double value) const { return std::abs(value) * scale <= 0x1p62; }
  SHOAL_HD std::int64_t whole(double value) const { return round_to_integer(value * scale); }

  template <class Real>
  SHOAL_HD Real value(std::int64_t whole) const {
    return static_cast<Real>(static_cast<double>(whole) * inverse);
  }

  /// Whether whole numbers of `count` values have more than the range that the unit was made for.
  /// @param range  0: that of the unit
  SHOAL_HD bool is_exceeded(std::uint64_t sizes, double range, std::int64_t count) const {
    const double most = range > 0 ? range * scale : 0x1p61;
    return static_cast<double>(sizes) > most + 0.5 * static_cast<double>(count);
  }
};

/// The size of a value for its range, to which values that are not finite add nothing: they are recorded.
SHOAL_HD double finite_size(double value) { return std::isfinite(value) ? std::abs(value) : 0; }

/// How a bound of a sum of sizes is measured: in steps of 2^-31 of a power of two that is not below the largest one.
/// Each size is rounded up to whole steps, which add up to the same in any order.
struct SizeSteps {
  int exponent = 0;  ///< of the largest size

  static constexpr int bits = 31;  ///< so that the steps of 2^31 sizes fit 64 bits

  SHOAL_HD static SizeSteps for_largest(double largest) { return {FixedPoint::exponent_of(largest)}; }

  SHOAL_HD std::int64_t count(double size) const {
    return static_cast<std::int64_t>(std::ceil(std::ldexp(size, bits - exponent)));
  }
  /// E of sizes with so many steps.
  SHOAL_HD int exponent_of_sum(std::int64_t steps) const {
    return steps == 0 ? 0 : exponent - bits + bit_width(static_cast<std::uint64_t>(steps));
  }
};

/// The shares of a cell's corners in a value that `unit` holds: each weight · value rounded, but the corner with the
/// largest weight (the first of equal ones) takes what is left, so that all add up to the value's own whole number.
template <class Real>
SHOAL_HD void split_whole(const FixedPoint& unit, const CornerWeights<Real>& weights, int corners, double value,
                          std::int64_t (&share)[8]) {
  int largest = 0;
  Real most = weights[0];  // and not weights[largest], which would put the weights into memory
  std::int64_t left = unit.whole(value);
  for (int c = 0; c < corners; ++c) {
    share[c] = unit.whole(rounded_product(static_cast<double>(weights[c]), value));
    left -= share[c];
    if (weights[c] > most) most = weights[c], largest = c;
  }
  for (int c = 0; c < corners; ++c) share[c] += c == largest ? left : 0;  // no index that is not a constant
}

/// Sums of sizes, which stop at 2^63: the same in any order.
SHOAL_HD std::uint64_t add_sizes(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  return a < most && b < most - a ? a + b : most;
}

/// The weights that split whole numbers. Shares that are dropped are split off, too, so that the others are what they
/// were without blocked cells; the caller leaves them out.
template <class Real>
SHOAL_HD CornerWeights<Real> splitting_weights(const DepositSpace<Real>& space, std::int64_t cell,
                                               CornerWeights<Real> open_weights) {
  if (space.redistribute) space.mask(open_weights, cell);
  return open_weights;
}

/// split_whole() and the size of the value. What the unit cannot hold is too much for any range and has no shares.
template <class Real>
SHOAL_HD std::uint64_t split_if_held(const FixedPoint& unit, const CornerWeights<Real>& weights, int corners,
                                     double value, std::int64_t (&share)[8]) {
  if (!unit.holds(value)) {  // NaN, too
    for (std::int64_t& none : share) none = 0;
    return std::uint64_t{1} << 63;
  }
  split_whole(unit, weights, corners, value, share);
  return static_cast<std::uint64_t>(std::abs(unit.whole(value)));
}

}  // namespace shoal
