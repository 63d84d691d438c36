// SPDX-License-Identifier: Apache-2.0
// block_1c: one block for each point, faces in shared memory, interleaved coordinates.
//
// idea           `block_1b` with x, y and z of a face next to each other
// source         Wukie, Ganapathy and Park (2014), "Block-per-cell (1C)"
// memory         32 bytes a triangle for its center and radius, 88 for itself; none for the points;
//                32 KiB of shared memory a block
// atomics        none
// deterministic  yes: the result does not depend on the order of the faces
// wins when      never: no thread reads the copies of another thread
// loses when     always, against `block_1a`
// deviations     exact distances to faces, in a second pass over the faces that may be nearer than the nearest center;
//                chunks of 1,024 faces, for any number of faces; all threads copy
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

const WallDistanceMethod wall_distance_block_1c{
    {"block_1c", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
    open_brute_force<Unit::block, SharedSpheres<InterleavedSpheres<double>>>};

}  // namespace shoal::wall_distance
