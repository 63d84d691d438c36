// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "wall_distance/signs/pseudonormal_item.hpp"

namespace shoal::wall_distance {

/// Pseudonormals of closed walls in the memory of a GPU: the arrays of ClosedSurface.
struct SurfaceOnDevice {
  Array<std::int32_t> first;
  Array<PrimitiveNormals> normals;
  Array<OutwardNormal> vertex_normal;
};

/// Computes on a GPU what closed_surface() computes, with the same bits. Empty if closed_surface() has to decide: it refuses
/// these walls, or sums of volumes are so close to 0 that their order matters.
///
/// Memory: some 180 bytes a primitive while it runs.
/// @param walls  of a plan on a GPU
std::optional<SurfaceOnDevice> closed_surface_on_device(const Queue& queue, const PlanWalls& walls);

}  // namespace shoal::wall_distance
