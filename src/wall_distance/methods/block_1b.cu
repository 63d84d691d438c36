// SPDX-License-Identifier: Apache-2.0
// block_1b: a block a point, faces by way of shared memory.
//
// idea           as `block_1a`, but the block brings coordinates to shared memory first
// source         Wukie, Ganapathy and Park (2014), "Block-per-cell (1B)"
// memory         32 bytes a triangle for centers and radii, besides 88 of the triangle; none a point; 32 KiB of shared
//                memory a block
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      never: no thread reads what another one brought
// loses when     always, against `block_1a`
// differs        exact distances to faces: the paper's distances to centers are a bound here, and a second pass sees
// exactly
//                the faces that may be nearer; chunks of 1,024 faces, for any number of them; all threads copy
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

const WallDistanceMethod wall_distance_block_1b{
    {"block_1b", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    brute_force::open<brute_force::Unit::block, SharedBalls<SeparateBalls<double>>>};

}  // namespace shoal
