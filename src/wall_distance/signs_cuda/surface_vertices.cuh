// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"
#include "core/memory/scratch.hpp"
#include "wall_distance/walls/plan_walls.hpp"

namespace shoal::wall_distance {

/// Vertices of primitives. Corner c is corner c % 3 of primitive c / 3; corners of one body with equal coordinates are one
/// vertex. Vertices are numbered by their first corners.
struct SurfaceVertices {
  std::int32_t count = 0;         ///< number of vertices
  double largest_coordinate = 0;  ///< m, largest absolute coordinate of a corner
  View<std::uint32_t> vertex;     ///< [corners] vertex of each corner
  View<std::int32_t> corners;     ///< [corners] vertex after vertex; the corners of each ascend
  View<std::uint32_t> sorted;     ///< [corners] vertices of `corners`
  View<std::int32_t> start;       ///< [vertices + 1] position of the first corner of each vertex in `corners`
};

/// Finds the vertices by a hash table, and sorts the corners by them. Waits for the queue once.
/// @param frame  of `scratch`; owns the result
SurfaceVertices find_vertices(Scratch& scratch, ScratchFrame& frame, const PrimitiveArrays& primitives);

}  // namespace shoal::wall_distance
