// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/memory/scratch.hpp"
#include "wall_distance/bvh_cuda/device_bvh.cuh"

namespace shoal {

/// Orders the pieces of each body so that ranges of any power of two from four on, from multiples of it on, are
/// compact: larger ones are halved across the longest edge of the box around the pieces' middles.
/// @param largest  pieces of the largest body
/// @param order    [pieces] out
void order_pieces(Scratch& scratch, const DevicePieces& pieces, View<const BodyTree> trees, std::int32_t largest,
                  View<std::int32_t> order);

}  // namespace shoal
