// SPDX-License-Identifier: Apache-2.0
// Bins of equal size into which the vectors of a cell divide it, on host and device.
#pragma once
#include <cstdint>

#include "neighbors/periodic/direct/shifts_item.hpp"

// Why no pair is lost
//
// A pair has places that differ by at most the margin M of shifts_item.hpp along each vector, with the shift: it is exact in
// multiples of 2^-32 periods. With n bins along the vector, floor(n a) - floor(n b) is at most ceil(n M) for a - b <= M.
namespace shoal::neighbors {

/// Number of a bin along each vector, also in other periods: bin + n t is the bin in period t of n bins.
struct Bin {
  std::int32_t along[3];
};

/// Bins of a cell.
struct BinGrid {
  std::int32_t count[3];    ///< Number of bins along each vector.
  std::int32_t reach[3];    ///< Number of bins to each side that can have neighbors.
  std::int32_t periods[3];  ///< Largest period, to each side, of such a bin.
  bool equal_periods;       ///< All points are in the same period.

  /// Number of combinations of periods that a neighbor can have.
  SHOAL_HD std::int32_t combinations() const {
    return (2 * periods[0] + 1) * (2 * periods[1] + 1) * (2 * periods[2] + 1);
  }
  /// Number of a combination of periods; it ascends as the shifts do.
  SHOAL_HD std::int32_t combination(const std::int32_t (&period)[3]) const {
    return ((period[0] + periods[0]) * (2 * periods[1] + 1) + period[1] + periods[1]) * (2 * periods[2] + 1) +
           period[2] + periods[2];
  }
  /// Periods of a combination.
  SHOAL_HD void set_periods(std::int32_t combination, std::int32_t (&period)[3]) const {
    const std::int32_t upper = combination / (2 * periods[2] + 1);
    period[2] = combination - upper * (2 * periods[2] + 1) - periods[2];
    period[0] = upper / (2 * periods[1] + 1);
    period[1] = upper - period[0] * (2 * periods[1] + 1) - periods[1];
    period[0] -= periods[0];
  }

  SHOAL_HD std::int32_t number(const Bin& bin) const {
    return (bin.along[0] * count[1] + bin.along[1]) * count[2] + bin.along[2];
  }
  SHOAL_HD Bin bin(std::int32_t number) const {
    const std::int32_t row = number / count[2];
    return {{row / count[1], row % count[1], number - row * count[2]}};
  }

  /// Bin of a place in a cell.
  SHOAL_HD Bin bin_of(const FixedPeriods& place) const {
    Bin result{};
    for (int k = 0; k < 3; ++k) {
      const auto fraction = static_cast<std::uint64_t>(place.along[k]) & 0xffffffffu;
      result.along[k] = static_cast<std::int32_t>(fraction * static_cast<std::uint64_t>(count[k]) >> 32);
    }
    return result;
  }
};

/// Period of a bin along vector k, which becomes a bin of the cell.
SHOAL_HD std::int32_t take_period(const BinGrid& grid, int k, std::int32_t& bin) {
  std::int32_t period = bin / grid.count[k];
  if (bin < period * grid.count[k]) --period;
  bin -= period * grid.count[k];
  return period;
}

/// Makes bins at least as wide as the margins, but not more than `most` of them. Returns false if there are too many
/// combinations of periods.
SHOAL_HD bool make_bins(const SystemCell& cell, const PeriodExtent& extent, const FixedPeriods& margins,
                        std::int64_t points, std::int64_t most, BinGrid& grid) {
  constexpr double period = 0x1p32;
  constexpr double most_combinations = 4096;
  constexpr double rounding = 0x1p-50;  // of the products below
  double count[3];
  double product = 1;
  for (int k = 0; k < 3; ++k) {
    const double margin = static_cast<double>(margins.along[k]);
    count[k] = cell.inverse_height[k] > 0 ? max(1.0, std::floor(period / margin)) : 1.0;
    product *= count[k];
  }
  while (product > static_cast<double>(most)) {
    int widest = 0;
    for (int k = 1; k < 3; ++k)
      if (count[k] > count[widest]) widest = k;
    const double fewer = std::floor(count[widest] / 2);
    product *= fewer / count[widest];
    count[widest] = fewer;
  }
  double combinations = 1;
  grid.equal_periods = true;
  for (int k = 0; k < 3; ++k) {
    grid.count[k] = static_cast<std::int32_t>(count[k]);
    grid.reach[k] = grid.periods[k] = 0;
    grid.equal_periods = grid.equal_periods && extent.least_periods[k] == extent.most_periods[k];
    if (!(cell.inverse_height[k] > 0)) continue;
    const double reach = std::ceil((1 + rounding) * count[k] * (static_cast<double>(margins.along[k]) / period));
    const double periods = std::ceil(reach / count[k]);
    combinations *= 2 * periods + 1;
    if (!(combinations <= most_combinations)) return false;
    grid.reach[k] = static_cast<std::int32_t>(reach);
    grid.periods[k] = static_cast<std::int32_t>(periods);
  }
  return combinations * static_cast<double>(points) < 0x1p31;  // a key has 31 bits
}

/// Largest mean number of points in the bin of a point. Searches with more of them, as in a cluster, take another way.
inline constexpr std::int64_t most_points_of_bin = 128;

}  // namespace shoal::neighbors
