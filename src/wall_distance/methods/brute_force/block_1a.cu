// SPDX-License-Identifier: Apache-2.0
// block_1a: one block for each point, faces in global memory.
//
// idea           each thread computes distances to the centers of its share of the faces; a tree reduction finds the
//                smallest
// source         Wukie, Ganapathy and Park (2014), "Block-per-cell (1A)"
// memory         32 bytes a triangle for its center and radius, 88 for itself; none for the points
// atomics        none
// deterministic  yes: the result does not depend on the order of the faces
// wins when      there are fewer points than the device has threads
// loses when     there are many points: each waits for two reductions
// deviations     exact distances to faces, in a second pass over the faces that may be nearer than the nearest center;
//                256 threads in steps, for any number of faces, where the paper has one thread a face and at most 1,024
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

const WallDistanceMethod wall_distance_block_1a{
    {"block_1a", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    open_brute_force<Unit::block, GlobalSpheres<SphereArrays<double>>>};

}  // namespace shoal::wall_distance
