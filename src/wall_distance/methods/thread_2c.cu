// SPDX-License-Identifier: Apache-2.0
// thread_2c: a thread a point, faces from global memory, coordinates side by side.
//
// idea           as `thread_2a`, with x, y and z of a face next to each other: two loads instead of four
// source         Wukie, Ganapathy and Park (2014), "Thread-per-cell (2C)"
// memory         32 bytes a triangle for centers and radii, besides 88 of the triangle; none a point
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      as `thread_2a`; the paper's best brute force
// loses when     as `thread_2a`
// differs        exact distances to faces: the paper's distances to centers are a bound here, and a second pass sees
// exactly
//                the faces that may be nearer; checks the number of points, beyond which the paper's
//                code reads and writes
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

const WallDistanceMethod wall_distance_thread_2c{
    {"thread_2c", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    brute_force::open<brute_force::Unit::thread, GlobalBalls<InterleavedBalls<double>>>};

}  // namespace shoal
