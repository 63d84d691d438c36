// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/wall_search.hpp"

/// What the files of this folder define.
namespace shoal {

extern const WallDistanceMethod wall_distance_serial;
extern const WallDistanceMethod wall_distance_bvh_cpu;
#ifdef SHOAL_CUDA
extern const WallDistanceMethod wall_distance_block_1a;
extern const WallDistanceMethod wall_distance_block_1b;
extern const WallDistanceMethod wall_distance_block_1c;
extern const WallDistanceMethod wall_distance_thread_2a;
extern const WallDistanceMethod wall_distance_thread_2b;
extern const WallDistanceMethod wall_distance_thread_2c;
extern const WallDistanceMethod wall_distance_combination;
#endif

}  // namespace shoal
