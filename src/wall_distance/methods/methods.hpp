// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/wall_search.hpp"

/// What the files of this folder define.
namespace shoal {

extern const WallDistanceMethod wall_distance_serial;
extern const WallDistanceMethod wall_distance_bvh_cpu;

}  // namespace shoal
