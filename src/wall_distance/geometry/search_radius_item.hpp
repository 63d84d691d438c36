// SPDX-License-Identifier: Apache-2.0
// Search radius of a traversal that may return a face somewhat farther than the nearest one.
#pragma once
#include <shoal/wall_distance.hpp>

#include "core/real.hpp"

namespace shoal::wall_distance {

/// Search radius after a face at distance d was found, for results that need not be exact far away.
///
/// A traversal skips everything at a distance of at least radius(d), and nothing nearer. As radius() does not decrease
/// with d, the true distance is at least radius() of the result. The result is exact if the true distance is less than
/// `beyond`, since radius(d) is d or at least `beyond`.
struct SearchRadius {
  double share = 1;   ///< 1 / (1 + tolerance), rounded down; 1: every result is exact
  double beyond = 0;  ///< m

  SearchRadius() = default;
  explicit SearchRadius(const FarField& far)
      : share(far.tolerance > 0 ? 1 / (1 + far.tolerance) * (1 - 0x1p-50) : 1), beyond(far.beyond) {}

  SHOAL_HD bool is_exact() const { return share == 1; }

  /// Search radius, m, at most `distance`.
  SHOAL_HD double radius(double distance) const { return max(share * distance, min(distance, beyond)); }
};

}  // namespace shoal::wall_distance
