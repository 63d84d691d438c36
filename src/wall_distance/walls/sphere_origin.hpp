// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal {

/// From where balls around pieces are counted, so that numbers are small.
struct PieceOrigin {
  double middle[3];     ///< m, of all corners
  double farthest = 0;  ///< m, the largest coordinate of a corner

  explicit PieceOrigin(const WallPieces& pieces);

  /// m, what rotations of bodies that are not quite so may do to distances, as BallSight takes it.
  double turned(const WallPieces& pieces) const;
};

}  // namespace shoal
