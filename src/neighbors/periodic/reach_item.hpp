// SPDX-License-Identifier: Apache-2.0
// Radius of a search that loses no pair by rounding, and its limits, on host and device; images.hpp has the argument.
#pragma once
#include "neighbors/periodic/images_item.hpp"

namespace shoal::neighbors {

inline constexpr double reach_roundings = 32;
inline constexpr double most_images_to_visit = 0x1p36;

SHOAL_HD double largest_component(const double (&a)[3]) {
  return max(max(std::abs(a[0]), std::abs(a[1])), std::abs(a[2]));
}

/// Returns the radius of the search that finds every pair of a system, without the error of its place.
template <class Real>
SHOAL_HD double system_reach(const SystemCell& cell, const PeriodExtent& extent, double radius) {
  constexpr double roundoff = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
  double shifts = radius;            // r + sum |S_k| |a_k|
  double wrapping = extent.largest;  // X + sum |w_k| |a_k|
  for (int k = 0; k < 3; ++k) {
    const double size = largest_component(cell.vectors[k]);
    if (size == 0) continue;
    shifts += (extent.most_periods[k] - extent.least_periods[k] + 2 + 2 * radius * cell.inverse_height[k]) * size;
    wrapping += max(std::abs(extent.least_periods[k]), std::abs(extent.most_periods[k])) * size;
  }
  return radius + reach_roundings * (roundoff * shifts + 0x1p-53 * wrapping);
}

/// Returns about how many images of the points of a system must be visited.
SHOAL_HD double images_to_visit(const SystemCell& cell, std::int64_t points, double radius) {
  auto images = static_cast<double>(points);
  for (const double inverse_height : cell.inverse_height) images *= 1 + 2 * radius * inverse_height;
  return images;
}

/// Returns true if rounding errors of positions are small against the radius, and periods are numbers of 32 bits.
SHOAL_HD bool is_resolved(const PeriodExtent& extent, double reach, double radius) {
  bool resolved = reach <= 1.5 * radius;
  for (int k = 0; k < 3; ++k)
    resolved = resolved && max(std::abs(extent.least_periods[k]), extent.most_periods[k]) <= max_periods;
  return resolved;
}

}  // namespace shoal::neighbors
