// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/assign_cells.hpp"
#include "core/backends.hpp"

namespace shoal::neighbors {

/// Bounds of the points of a rank, and the distance from them within which others are its ghosts.
struct GhostRegion {
  double center[3] = {};      ///< m; 0 on axes that the space does not have
  double half_width[3] = {};  ///< m
  double period[3] = {};      ///< m, 0 on open axes
  double reach = 0;           ///< m
  int dimensions = 3;

  /// Distance of two intervals along an axis, or of their nearest images, m.
  /// @param from       center of the other interval
  /// @param other_half its half width
  SHOAL_HD double gap(int axis, double from, double other_half) const {
    double distance = from - center[axis];
    if (period[axis] > 0) distance -= period[axis] * std::rint(distance / period[axis]);
    const double between = std::abs(distance) - half_width[axis] - other_half;
    return between > 0 ? between : 0;
  }

  /// Returns true if a point is near the bounds.
  SHOAL_HD bool contains(double x, double y, double z) const {
    const double dx = gap(0, x, 0);
    const double dy = gap(1, y, 0);
    const double dz = gap(2, z, 0);
    return dx * dx + dy * dy + dz * dz <= reach * reach;
  }
};

/// Device-dependent steps of GhostPoints.
template <class Real>
struct GhostBackend {
  /// Flags the points near a region: 1, else 0.
  void (*flag_near)(const Queue& queue, const cells::PointReader<Real>& points, const GhostRegion& region,
                    View<std::uint8_t> flags);

  /// numbers[i] = first + index[i], or first + i without indices.
  void (*fill_numbers)(const Queue& queue, const std::int32_t* index, std::int64_t first, View<std::int64_t> numbers);

  static const GhostBackend cpu, cuda;
};

}  // namespace shoal::neighbors
