// SPDX-License-Identifier: Apache-2.0
// thread_2c: one thread for each point, faces in global memory, interleaved coordinates.
//
// idea           `thread_2a` with x, y and z of a face next to each other: two loads instead of four
// source         Wukie, Ganapathy and Park (2014), "Thread-per-cell (2C)"
// memory         32 bytes a triangle for its center and radius, 88 for itself; none for the points
// atomics        none
// deterministic  yes: the result does not depend on the order of the faces
// wins when      there are some hundred faces; the paper's best brute force
// loses when     there are more faces, or too few points to fill the device
// deviations     exact distances to faces, in a second pass over the faces that may be nearer than the nearest center;
//                checks the number of points, beyond which the paper's code reads and writes
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

const WallDistanceMethod wall_distance_thread_2c{
    {"thread_2c", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    open_brute_force<Unit::thread, GlobalSpheres<InterleavedSpheres<double>>>};

}  // namespace shoal::wall_distance
