// SPDX-License-Identifier: Apache-2.0
// Shifts with which two points can be a pair, on host and device.
#pragma once
#include <cstdint>

#include "neighbors/periodic/reach_item.hpp"

// Why no pair is lost
//
// Let v be the unit roundoff of double, g the reciprocal vector of an axis, |g| = 1/h, and e the bound of its relative
// error. A pair (i, j, S) that passes the test has |D| <= R, the radius of system_reach(). Exactly, with f = g · x,
//
//     |f_j - f_i + S| = |g · D| <= R / h.
//
// 1. The computed g errs by e |g|. This changes f_j - f_i by at most e |g| |x_j - x_i| <= 4 e |g| X, X the largest
//    coordinate, and 1/h by the factor 1 + e.
// 2. The products and sums of f_i and f_j err by at most 14 v |g| X together. R has 32 v X.
// 3. Rounding to multiples of 2^-32 changes the difference by 2^-32, and the margin is rounded upward.
//
// So |f_j - f_i + S| <= (1 + 2e) (R + 4 e X) / h + 2 · 2^-32, and the integers between the bounds are found exactly.
namespace shoal::neighbors {

/// Multiples of 2^-32 periods along the vectors of a cell.
struct FixedPeriods {
  std::int64_t along[3];
};

/// Largest whole number of periods that is not above a number.
SHOAL_HD std::int32_t whole_periods(std::int64_t fixed) {
  return static_cast<std::int32_t>(static_cast<std::uint64_t>(fixed) >> 32);
}

/// Places of a point along the vectors of its cell. Its periods are at most `max_periods`.
SHOAL_HD FixedPeriods fixed_periods(const SystemCell& cell, const double (&position)[3]) {
  FixedPeriods fixed{};
  for (int k = 0; k < 3; ++k) fixed.along[k] = round_to_integer(0x1p32 * periods_along(cell, k, position));
  return fixed;
}

/// Computes by how much the places of the points of a pair can differ. Returns false if rounding errors or the number of
/// shifts are too large for this search.
template <class Real>
SHOAL_HD bool shift_margins(const SystemCell& cell, const PeriodExtent& extent, std::int64_t points, double radius,
                            FixedPeriods& margins) {
  constexpr double most_shifts = 0x1p20;
  const double reach = system_reach<Real>(cell, extent, radius);
  if (!(images_to_visit(cell, points, radius) <= most_images_to_visit && is_resolved(extent, reach, radius)))
    return false;
  const double error = cell.inverse_error;
  double shifts = 1;
  double margin[3];
  for (int k = 0; k < 3; ++k) {
    margin[k] = (1 + 2 * error) * (reach + 4 * error * extent.largest) * cell.inverse_height[k];
    shifts *= 1 + std::floor(2 * margin[k]);
  }
  if (!(shifts <= most_shifts)) return false;
  for (int k = 0; k < 3; ++k) margins.along[k] = static_cast<std::int64_t>(std::ceil(0x1p32 * margin[k])) + 2;
  return true;
}

/// First shift that brings the place of a point j along a vector near that of a point i.
/// @param difference  place of j less place of i, in units of 2^-32 periods
/// @param margin      of FixedPeriods
SHOAL_HD std::int32_t first_shift(std::int64_t difference, std::int64_t margin) {
  return -whole_periods(margin + difference);
}

/// Number of such shifts, which follow each other; no shift if it is not positive.
SHOAL_HD std::int32_t shift_count(std::int64_t difference, std::int64_t margin) {
  return whole_periods(margin - difference) - first_shift(difference, margin) + 1;
}

/// Shifts of a point j along each vector, with which it can be near a point i.
struct ShiftRange {
  std::int32_t first[3];
  std::int32_t count[3];

  SHOAL_HD ShiftRange(const FixedPeriods& i, const FixedPeriods& j, const FixedPeriods& margins) {
    for (int k = 0; k < 3; ++k) {
      const std::int64_t difference = j.along[k] - i.along[k];
      first[k] = first_shift(difference, margins.along[k]);
      count[k] = shift_count(difference, margins.along[k]);
    }
  }

  /// Number of shifts.
  SHOAL_HD std::int32_t total() const {
    return count[0] > 0 && count[1] > 0 && count[2] > 0 ? count[0] * count[1] * count[2] : 0;
  }
};

}  // namespace shoal::neighbors
