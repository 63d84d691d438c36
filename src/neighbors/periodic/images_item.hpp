// SPDX-License-Identifier: Apache-2.0
// Wrapping of points into their cells, and the images near a system, on host and device.
#pragma once
#include <shoal/item/arithmetic_item.hpp>

#include <cmath>
#include <cstdint>

#include "core/range.hpp"
#include "core/real.hpp"
#include "neighbors/periodic/cell_item.hpp"

namespace shoal::neighbors {

/// Periods that a point may be away from its cell.
inline constexpr double max_periods = 0x1p29;

/// Point moved into its cell by whole periods, then into the place of its system.
struct WrappedPoint {
  double position[3];       ///< m
  double fraction[3];       ///< [0, 1] along periodic vectors, 0 along others
  std::int32_t periods[3];  ///< Periods by which the point was moved back.
};

/// Position of an image in the place of its system, as the search reads it.
struct ImagePlace {
  double position[3];  ///< m
};

/// Point of an image, as the test of a pair reads it. A GPU reads pairs at random, in sectors of 32 bytes.
template <class Real>
struct alignas(sizeof(Real) == 4 ? 32 : 16) ImagePoint {
  Real position[3];       ///< m, as given
  std::int32_t point;     ///< Number of the point.
  std::int32_t shift[3];  ///< S of the pair with a point i, less the periods of i.
};

/// Image of a point near its system.
struct PointImage {
  ImagePlace place;
  std::int32_t shift[3];  ///< Shift as ImagePoint has it.
};

/// Place of a system among others, and the bounds of its points there.
struct SystemPlace {
  double move = 0;                                       ///< m, along x
  double lower[3] = {}, upper[3] = {};                   ///< m, bounding box of the wrapped points in their place
  double least_fraction[3] = {}, most_fraction[3] = {};  ///< Range of the fractions of the wrapped points.
};

/// Part of the points of one system, for one thread of a CPU or one block of a GPU.
struct SystemBlock {
  std::int64_t system;  ///< Number of the system.
  Range points;
};

/// Periods of points of one system, and their largest coordinate.
struct PeriodExtent {
  static constexpr double far = 0x1.fffffffffffffp1023;
  double least_periods[3] = {far, far, far}, most_periods[3] = {-far, -far, -far};
  double largest = 0;  ///< m, largest coordinate before wrapping

  SHOAL_HD void add(const PeriodExtent& extent) {
    for (int k = 0; k < 3; ++k) {
      least_periods[k] = min(least_periods[k], extent.least_periods[k]);
      most_periods[k] = max(most_periods[k], extent.most_periods[k]);
    }
    largest = max(largest, extent.largest);
  }
};

/// Least and largest values over points of one system, before systems have places.
struct BlockExtent : PeriodExtent {
  double lower[3] = {far, far, far}, upper[3] = {-far, -far, -far};  ///< m
  double least_fraction[3] = {far, far, far}, most_fraction[3] = {-far, -far, -far};

  SHOAL_HD void add(const BlockExtent& extent) {
    PeriodExtent::add(extent);
    for (int k = 0; k < 3; ++k) {
      lower[k] = min(lower[k], extent.lower[k]);
      upper[k] = max(upper[k], extent.upper[k]);
      least_fraction[k] = min(least_fraction[k], extent.least_fraction[k]);
      most_fraction[k] = max(most_fraction[k], extent.most_fraction[k]);
    }
  }
};

/// Returns the place of a position along vector k of its cell, in periods.
SHOAL_HD double periods_along(const SystemCell& cell, int k, const double (&position)[3]) {
  const double(&reciprocal)[3] = cell.reciprocal[k];
  return rounded_product(reciprocal[0], position[0]) + rounded_product(reciprocal[1], position[1]) +
         rounded_product(reciprocal[2], position[2]);
}

/// Returns the point at a position, moved into the cell, and adds it to the extent. Too many periods are stored as 0; the
/// extent has them.
SHOAL_HD WrappedPoint wrapped(const SystemCell& cell, const double (&position)[3], BlockExtent& extent) {
  WrappedPoint point{};
  for (int c = 0; c < 3; ++c) point.position[c] = position[c];
  for (int k = 0; k < 3; ++k) {
    const double fraction = periods_along(cell, k, position);
    const double periods = std::floor(fraction);
    point.fraction[k] = fraction - periods;
    if (std::abs(periods) <= max_periods) point.periods[k] = static_cast<std::int32_t>(periods);
    for (int c = 0; c < 3; ++c) point.position[c] -= rounded_product(periods, cell.vectors[k][c]);
    extent.least_fraction[k] = min(extent.least_fraction[k], point.fraction[k]);
    extent.most_fraction[k] = max(extent.most_fraction[k], point.fraction[k]);
    extent.least_periods[k] = min(extent.least_periods[k], periods);
    extent.most_periods[k] = max(extent.most_periods[k], periods);
    extent.largest = max(extent.largest, std::abs(position[k]));
  }
  for (int c = 0; c < 3; ++c) {
    extent.lower[c] = min(extent.lower[c], point.position[c]);
    extent.upper[c] = max(extent.upper[c], point.position[c]);
  }
  return point;
}

/// Calls use(image) for each image of a point that is within `reach` of the bounds of its system, by ascending shift.
SHOAL_CALLS_ARGUMENT
template <class Use>
SHOAL_HD void for_each_image(const SystemCell& cell, const SystemPlace& place, double reach, const WrappedPoint& point,
                             Use&& use) {
  std::int32_t first[3], last[3];
  for (int k = 0; k < 3; ++k) {
    const double margin = rounded_product(reach, cell.inverse_height[k]);
    first[k] = static_cast<std::int32_t>(std::ceil(place.least_fraction[k] - margin - point.fraction[k]));
    last[k] = static_cast<std::int32_t>(std::floor(place.most_fraction[k] + margin - point.fraction[k]));
  }
  std::int32_t s[3];
  for (s[0] = first[0]; s[0] <= last[0]; ++s[0])
    for (s[1] = first[1]; s[1] <= last[1]; ++s[1])
      for (s[2] = first[2]; s[2] <= last[2]; ++s[2]) {
        PointImage image{};
        bool is_near = true;
        for (int axis = 0; axis < 3; ++axis) {
          const double shift = rounded_product(static_cast<double>(s[0]), cell.vectors[0][axis]) +
                               rounded_product(static_cast<double>(s[1]), cell.vectors[1][axis]) +
                               rounded_product(static_cast<double>(s[2]), cell.vectors[2][axis]);
          image.place.position[axis] = point.position[axis] + shift;
          image.shift[axis] = s[axis] - point.periods[axis];
          is_near = is_near && image.place.position[axis] >= place.lower[axis] - reach &&
                    image.place.position[axis] <= place.upper[axis] + reach;
        }
        if (is_near) use(image);
      }
}

}  // namespace shoal::neighbors
