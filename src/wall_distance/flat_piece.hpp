// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/face_bound_item.hpp"

namespace shoal {

/// One piece as one of eight.
/// @param origin  [3] m
void put_flat(const FacePiece& piece, const double* origin, FlatPieces<8>& flat, int i);

}  // namespace shoal
