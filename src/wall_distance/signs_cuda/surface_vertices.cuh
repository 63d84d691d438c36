// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"
#include "core/memory/scratch.hpp"
#include "wall_distance/signs_cuda/surface_memory.cuh"
#include "wall_distance/walls/plan_walls.hpp"

namespace shoal::wall_distance {

/// Findings of find_vertices().
struct SurfaceVertices {
  std::int32_t count;         ///< number of vertices
  double largest_coordinate;  ///< m, largest absolute coordinate of a corner
};

/// Numbers vertices by their first corners, which a hash table finds, and sorts the corners by them. Waits for the queue once.
/// @param scratch  memory of CUB
/// @param memory   output: the arrays of the vertices
SurfaceVertices find_vertices(Scratch& scratch, const SurfaceMemory& memory, const PrimitiveArrays& primitives);

}  // namespace shoal::wall_distance
