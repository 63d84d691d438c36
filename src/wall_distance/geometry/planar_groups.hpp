// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "wall_distance/geometry/planar_primitive_item.hpp"

namespace shoal {

/// Eight pieces that follow each other, and where they are.
struct FlatGroup {
  static constexpr int width = 8;
  double origin[3];
  float size;  ///< m, the largest coordinate of a corner from the origin
  FlatPieces<width> flat;
};

/// Piece k is number k mod 8 of group k / 8.
std::vector<FlatGroup> flat_groups(const std::vector<FacePiece>& pieces);

}  // namespace shoal
