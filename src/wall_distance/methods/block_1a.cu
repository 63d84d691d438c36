// SPDX-License-Identifier: Apache-2.0
// block_1a: a block a point, faces from global memory.
//
// idea           every thread takes the distances to the centers of its share of the faces; a tree of pairs in shared
// memory
//                finds the smallest
// source         Wukie, Ganapathy and Park (2014), "Block-per-cell (1A)"
// memory         32 bytes a triangle for centers and radii, besides 88 of the triangle; none a point
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      there are fewer points than the device has threads
// loses when     there are many points: each waits for two trees
// differs        exact distances to faces: the paper's distances to centers are a bound here, and a second pass sees
// exactly
//                the faces that may be nearer; 256 threads in steps, for any number of faces, where the paper
//                has one thread a face and at most 1,024; centers of triangles in 3-D, too
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

const WallDistanceMethod wall_distance_block_1a{
    {"block_1a", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    brute_force::open<brute_force::Unit::block, GlobalBalls<SeparateBalls<double>>>};

}  // namespace shoal
