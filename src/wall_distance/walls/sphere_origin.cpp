// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/sphere_origin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

PieceOrigin::PieceOrigin(const WallPieces& pieces) {
  const auto take_axis = [&](int axis, const double(FacePiece::*at)[3]) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const FacePiece& piece : pieces.shape)
      for (const double coordinate : piece.*at) {
        low = std::min(low, coordinate);
        high = std::max(high, coordinate);
      }
    middle[axis] = low / 2 + high / 2;
    farthest = std::max(farthest, std::max(-low, high));
  };
  take_axis(0, &FacePiece::x);
  take_axis(1, &FacePiece::y);
  take_axis(2, &FacePiece::z);
}

double PieceOrigin::turned(const WallPieces& pieces) const {
  double reach = farthest;
  bool any_moved = false;
  for (const BodyPose& pose : pieces.pose) {
    any_moved = any_moved || pose.moved;
    for (const double along : pose.translation) reach = std::max(reach, std::abs(along));
  }
  return any_moved ? 0x1p-36 * reach : 0;
}

}  // namespace shoal
