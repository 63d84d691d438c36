// SPDX-License-Identifier: Apache-2.0
// How far a search has to look once it has found something, if the answer may be somewhat too far.
#pragma once
#include <shoal/wall_distance.hpp>

#include "core/real.hpp"

namespace shoal {

/// Far away a search may leave out what is nearer than its answer by less than the tolerance.
///
/// A search that has found a face at distance d leaves out what is at least reach(d) away, never anything that is
/// nearer. As reach() does not decrease with d, the true distance is then at least reach() of the last answer; and that
/// answer is exact if the true distance is less than `beyond`, since reach(d) is d or at least `beyond`.
struct FarReach {
  double share = 1;   ///< 1 / (1 + tolerance), rounded down; 1: every answer is exact
  double beyond = 0;  ///< m

  FarReach() = default;
  explicit FarReach(const FarField& far)
      : share(far.tolerance > 0 ? 1 / (1 + far.tolerance) * (1 - 0x1p-50) : 1), beyond(far.beyond) {}

  SHOAL_HD bool is_exact() const { return share == 1; }

  /// m; at most `distance`.
  SHOAL_HD double reach(double distance) const { return max(share * distance, min(distance, beyond)); }
};

}  // namespace shoal
