// SPDX-License-Identifier: Apache-2.0
// tiles: all pairs, a tile of faces in shared memory at a time.
//
// idea           a thread a point. The block brings balls around faces to shared memory, in float; threads go over them
//                for the smallest distance to a centre, and again for the faces that may be nearer than that, which are
//                seen exactly
// source         shoal; tiles after Nyland, Harris and Prins (2007), "Fast N-body simulation with CUDA"
// memory         16 bytes a triangle; 16 KiB of shared memory a block
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      there are some hundred faces
// loses when     there are more: the cost is the product of the numbers of points and faces
// differs        -
#include "wall_distance/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

const WallDistanceMethod wall_distance_tiles_cuda{
    {"tiles", DeviceKind::cuda, true, "shoal"},
    brute_force::open<brute_force::Unit::thread, SharedBalls<InterleavedBalls<float>>>};

}  // namespace shoal
