// SPDX-License-Identifier: Apache-2.0
// thread_2b: one thread for each point, faces in shared memory.
//
// idea           `thread_2a`, but the block copies coordinates to shared memory first
// source         Wukie, Ganapathy and Park (2014), "Thread-per-cell (2B)"
// memory         32 bytes a triangle for its center and radius, 88 for itself; none for the points;
//                32 KiB of shared memory a block
// atomics        none
// deterministic  yes: the result does not depend on the order of the faces
// wins when      caches are small
// loses when     caches serve all threads of a warp with one read, like those of present GPUs
// deviations     exact distances to faces, in a second pass over the faces that may be nearer than the nearest center;
//                chunks of 1,024 faces that all threads copy, where one thread of the paper's code copies all
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

const WallDistanceMethod wall_distance_thread_2b{
    {"thread_2b", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    open_brute_force<Unit::thread, SharedSpheres<SphereArrays<double>>>};

}  // namespace shoal::wall_distance
