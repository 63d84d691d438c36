// SPDX-License-Identifier: Apache-2.0
// thread_2a: a thread a point, faces from global memory.
//
// idea           every thread goes over all faces and keeps the smallest distance; threads of a warp read the same face
// source         Wukie, Ganapathy and Park (2014), "Thread-per-cell (2A)"
// memory         32 bytes a triangle for centers and radii, besides 88 of the triangle; none a point
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      there are some hundred faces
// loses when     there are more, or too few points to fill the device
// differs        exact distances to faces: the paper's distances to centers are a bound here, and a second pass sees
// exactly
//                the faces that may be nearer; checks the number of points, beyond which the paper's
//                code reads and writes
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

const WallDistanceMethod wall_distance_thread_2a{
    {"thread_2a", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    brute_force::open<brute_force::Unit::thread, GlobalBalls<SeparateBalls<double>>>};

}  // namespace shoal
