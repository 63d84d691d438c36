// SPDX-License-Identifier: Apache-2.0
// Points are transformed into the frame of a body, in double-double arithmetic, so that distances to a moving wall are
// as exact as to a fixed one. The primitives of a body never move.
#pragma once
#include "wall_distance/geometry/double_double_item.hpp"

namespace shoal::wall_distance {

/// Pose of a body: a point x of the mesh is at R x + t.
struct BodyPose {
  double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double translation[3] = {};
  bool moved = false;  ///< false: R is the identity and t = 0

  friend bool operator==(const BodyPose&, const BodyPose&) = default;

  /// A point in the frame of the body: Rᵀ (p − t).
  SHOAL_HD DoubleDoubleVector to_body(const DoubleDoubleVector& p) const {
    if (!moved) return p;
    const DoubleDouble x = p.x - DoubleDouble{translation[0], 0};
    const DoubleDouble y = p.y - DoubleDouble{translation[1], 0};
    const DoubleDouble z = p.z - DoubleDouble{translation[2], 0};
    const auto column = [&](int i) { return rotation[i] * x + (rotation[3 + i] * y + rotation[6 + i] * z); };
    return {column(0), column(1), column(2)};
  }

  /// A vector in the frame of the mesh: R v.
  SHOAL_HD DoubleDoubleVector from_body(const DoubleDoubleVector& v) const {
    if (!moved) return v;
    const auto row = [&](int i) {
      return rotation[3 * i] * v.x + (rotation[3 * i + 1] * v.y + rotation[3 * i + 2] * v.z);
    };
    return {row(0), row(1), row(2)};
  }
};

}  // namespace shoal::wall_distance
