// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <cstdint>

#include "core/real.hpp"
#include "deposit/deposit_method.hpp"

/// Values as integer multiples of a power of two, whose sum does not depend on the order.
namespace shoal::deposit {

/// The unit of one value. Sizes |value| with a sum of at most 2^E become integers with a sum of at most 2^61 plus one half
/// per particle, so sums of up to 2^31 particles fit 64 bits. The unit is at least 2^-1000.
struct FixedPoint {
  double scale = 1;    ///< Integers per unit of the value: 2^(61 − E)
  double inverse = 1;  ///< 1/scale, exact

  static constexpr int bits = 61;
  static constexpr int max_exponent = 1000;  ///< Keeps scale and inverse normal numbers

  /// The unit for sizes with a sum of at most 2^exponent.
  SHOAL_HD static FixedPoint for_exponent(int exponent) {
    const int shift = max(-max_exponent, min(bits - exponent, max_exponent));
    return {std::ldexp(1.0, shift), std::ldexp(1.0, -shift)};
  }

  /// The least E with range ≤ 2^E.
  SHOAL_HD static int exponent_of(double range) {
    int exponent = 0;
    return std::frexp(range, &exponent) == 0.5 ? exponent - 1 : exponent;
  }

  SHOAL_HD bool holds(double value) const { return std::abs(value) * scale <= 0x1p62; }
  SHOAL_HD std::int64_t to_integer(double value) const { return round_to_integer(value * scale); }

  /// The integer of weight · value.
  template <class Real>
  SHOAL_HD std::int64_t share(Real weight, double value) const {
    return to_integer(rounded_product(static_cast<double>(weight), value));
  }

  template <class Real>
  SHOAL_HD Real value(std::int64_t integer) const {
    return static_cast<Real>(static_cast<double>(integer) * inverse);
  }

  /// Returns true if the integers of `count` values add up to more than the range of the unit.
  /// @param range  upper bound of the sum of sizes; 0: 2^E
  SHOAL_HD bool is_exceeded(std::uint64_t sizes, double range, std::int64_t count) const {
    const double bound = range > 0 ? range * scale : 0x1p61;
    return static_cast<double>(sizes) > bound + 0.5 * static_cast<double>(count);
  }
};

/// Size |value| of a finite value; 0 for a value that is not finite, which is recorded as a fault.
SHOAL_HD double finite_size(double value) { return std::isfinite(value) ? std::abs(value) : 0; }

/// Steps in which a bound of a sum of sizes is measured: 2^-31 of a power of two that is not below the largest size. Each
/// size is rounded up to integer steps, whose sum does not depend on the order.
struct SizeSteps {
  int exponent = 0;  ///< Exponent of the largest size

  static constexpr int bits = 31;  ///< The steps of 2^31 sizes fit 64 bits

  SHOAL_HD static SizeSteps for_largest(double largest) { return {FixedPoint::exponent_of(largest)}; }

  SHOAL_HD std::int64_t count(double size) const {
    return static_cast<std::int64_t>(std::ceil(std::ldexp(size, bits - exponent)));
  }
  /// Exponent E of a sum of sizes of this many steps.
  SHOAL_HD int exponent_of_sum(std::int64_t steps) const {
    return steps == 0 ? 0 : exponent - bits + bit_width(static_cast<std::uint64_t>(steps));
  }
};

/// Splits a value that `unit` holds into shares of a cell's corners, or of the nodes of a shape. Each share is weight · value, rounded. The corner with
/// the largest weight (the first of equal ones) takes the remainder, so the shares add up to the value's integer.
template <class Weights, int size>
SHOAL_HD void split_value(const FixedPoint& unit, const Weights& weights, int corners, double value,
                          std::int64_t (&share)[size]) {
  int largest = 0;
  auto max_weight = weights[0];  // not weights[largest], which would put the weights into memory
  std::int64_t remainder = unit.to_integer(value);
  for (int c = 0; c < corners; ++c) {
    share[c] = unit.share(weights[c], value);
    remainder -= share[c];
    if (weights[c] > max_weight) max_weight = weights[c], largest = c;
  }
  for (int c = 0; c < corners; ++c) share[c] += c == largest ? remainder : 0;  // a constant index
}

/// Sum of two sums of sizes, saturated at 2^63; it does not depend on the order.
SHOAL_HD std::uint64_t add_sizes(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 63;
  return a < limit && b < limit - a ? a + b : limit;
}

/// Weights for split_value(). Dropped shares are split off, too, so the other shares equal those without blocked cells; the
/// caller omits the dropped ones.
template <class Real>
SHOAL_HD CornerWeights<Real> splitting_weights(const DepositSpace<Real>& space, std::int64_t cell,
                                               CornerWeights<Real> open_weights) {
  if (space.redistribute) space.mask(open_weights, cell);
  return open_weights;
}

/// split_value() and the size of the value. A value that the unit cannot hold exceeds any range and has
/// no shares.
template <class Weights, int size>
SHOAL_HD std::uint64_t split_if_held(const FixedPoint& unit, const Weights& weights, int corners, double value,
                                     std::int64_t (&share)[size]) {
  if (!unit.holds(value)) {  // also NaN
    for (std::int64_t& none : share) none = 0;
    return std::uint64_t{1} << 63;
  }
  split_value(unit, weights, corners, value, share);
  return static_cast<std::uint64_t>(std::abs(unit.to_integer(value)));
}

}  // namespace shoal::deposit
