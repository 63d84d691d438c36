// SPDX-License-Identifier: Apache-2.0
// Bodies do not move: points are brought to where the body sees them, in twice the precision of double, so that heights
// above a moving wall are as exact as above one that stands still.
#pragma once
#include "wall_distance/geometry/double_double_item.hpp"

namespace shoal {

/// Where a body is: R x + t.
struct BodyPose {
  double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double translation[3] = {};
  bool moved = false;  ///< false: R = 1 and t = 0

  friend bool operator==(const BodyPose&, const BodyPose&) = default;

  /// A point as the body sees it: Rᵀ (p − t).
  SHOAL_HD TwofoldVector to_body(const TwofoldVector& p) const {
    if (!moved) return p;
    const Twofold x = p.x - Twofold{translation[0], 0};
    const Twofold y = p.y - Twofold{translation[1], 0};
    const Twofold z = p.z - Twofold{translation[2], 0};
    const auto column = [&](int i) { return rotation[i] * x + (rotation[3 + i] * y + rotation[6 + i] * z); };
    return {column(0), column(1), column(2)};
  }

  /// A difference of places, back from the body: R v.
  SHOAL_HD TwofoldVector from_body(const TwofoldVector& v) const {
    if (!moved) return v;
    const auto row = [&](int i) {
      return rotation[3 * i] * v.x + (rotation[3 * i + 1] * v.y + rotation[3 * i + 2] * v.z);
    };
    return {row(0), row(1), row(2)};
  }
};

}  // namespace shoal
