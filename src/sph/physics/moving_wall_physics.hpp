// SPDX-License-Identifier: Apache-2.0
// Model of cases that are plain but for walls that move: rigid bodies, paddles, walls with a motion. Pairs are those of plain
// physics. Only the passes over wall particles and the update of these know that they move.
#pragma once
#include "sph/physics/plain_physics.hpp"

namespace shoal::sph {

template <Kernel kernel>
struct MovingWallPhysics : PlainPhysics<kernel> {
  static constexpr bool may_move_walls = true;
};

}  // namespace shoal::sph
