// SPDX-License-Identifier: Apache-2.0
// thread_2b: a thread a point, faces by way of shared memory.
//
// idea           as `thread_2a`, but the block brings coordinates to shared memory first
// source         Wukie, Ganapathy and Park (2014), "Thread-per-cell (2B)"
// memory         32 bytes a triangle for centers and radii, besides 88 of the triangle; none a point; 32 KiB of shared
//                memory a block
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      caches are small
// loses when     caches serve all threads of a warp with one read, as they do today
// differs        exact distances to faces: the paper's distances to centers are a bound here, and a second pass sees
// exactly
//                the faces that may be nearer; chunks of 1,024 faces that all threads copy, where the paper has
//                one thread copy them
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

const WallDistanceMethod wall_distance_thread_2b{
    {"thread_2b", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    brute_force::open<brute_force::Unit::thread, SharedBalls<SeparateBalls<double>>>};

}  // namespace shoal
