// SPDX-License-Identifier: Apache-2.0
// Sums of doubles whose bits do not depend on the order of the terms, so that threads, devices and ranks may share the
// terms out in any way. A first pass finds the largest magnitude of the terms. A second pass adds each term as three
// whole numbers, its upper, middle and lower bits. docs/decisions/0018 has the reasons.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal {

/// Magnitude of a term as the bits of a double: the larger magnitude has the larger bits, NaN has the largest. The
/// largest of several has no order.
SHOAL_HD std::uint64_t magnitude_bits(double term) {
#ifdef __CUDA_ARCH__
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(term));
#else
  const auto bits = std::bit_cast<std::uint64_t>(term);
#endif
  return bits & ~(std::uint64_t{1} << 63);
}

/// Unit of the whole numbers of a sum: a power of two, so that no term has more than `fold_bits` bits in it.
class SumUnit {
 public:
  /// At most 2^40 terms of so many bits have a sum of 63 bits.
  static constexpr int fold_bits = 22;

  SumUnit() = default;

  /// @param magnitude  largest magnitude_bits() of the terms
  SHOAL_HD explicit SumUnit(std::uint64_t magnitude) {
    constexpr int mantissa_bits = 52, bias = 1023, special = 2047, smallest = -900;
    const int exponent = static_cast<int>(magnitude >> mantissa_bits) - bias + 1;  // the magnitude is below 2^exponent
    is_finite_ = exponent + bias - 1 != special;
    const int power = (exponent < smallest ? smallest : is_finite_ ? exponent : 0) - fold_bits;
    unit_ = std::ldexp(1.0, power);
    inverse_ = std::ldexp(1.0, -power);
  }

  SHOAL_HD bool is_finite() const { return is_finite_; }  ///< false: the sum is not a number
  SHOAL_HD double unit() const { return unit_; }
  SHOAL_HD double inverse() const { return inverse_; }

 private:
  bool is_finite_ = true;
  double unit_ = 1;
  double inverse_ = 1;
};

/// A sum of doubles as whole numbers of a unit, of 2^-22 units and of 2^-44 units.
struct ExactSum {
  static constexpr int folds = 3;
  std::int64_t fold[folds] = {};

  SHOAL_HD void add(double term, const SumUnit& unit) {
    if (term == 0 || !unit.is_finite()) return;
    constexpr double next_fold = 1 << SumUnit::fold_bits;
    double rest = term * unit.inverse();
    for (std::int64_t& sum : fold) {
      const double whole = std::rint(rest);
      sum += static_cast<std::int64_t>(whole);
      rest = (rest - whole) * next_fold;  // exact
    }
  }
  SHOAL_HD void add(const ExactSum& part) {
    for (int k = 0; k < folds; ++k) fold[k] += part.fold[k];
  }

  /// The sum, rounded; NaN if a term is not finite.
  SHOAL_HD double value(const SumUnit& unit) const {
    if (!unit.is_finite()) return std::nan("");
    constexpr double next_fold = 1.0 / (1 << SumUnit::fold_bits);
    double sum = 0, scale = next_fold * next_fold * unit.unit();
    for (int k = folds - 1; k >= 0; --k) {
      sum += static_cast<double>(fold[k]) * scale;
      scale /= next_fold;
    }
    return sum;
  }
};

}  // namespace shoal
