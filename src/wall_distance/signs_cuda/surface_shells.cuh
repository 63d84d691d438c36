// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/cuda/launch.cuh"
#include "wall_distance/signs_cuda/surface_memory.cuh"
#include "wall_distance/walls/plan_walls.hpp"

namespace shoal::wall_distance {

/// Connected parts of primitives: disjoint sets, whose links lead to smaller numbers. A read may give any earlier link,
/// which leads to the same part.
struct ConnectedParts {
  std::int32_t* link;  ///< [primitives]; of the first primitive of a part: to itself; negative: not in any part

  /// First primitive of the part.
  __device__ std::int32_t first(std::int32_t k) const {
    for (std::int32_t next = __ldcg(link + k); next != k; next = __ldcg(link + k)) k = next;
    return k;
  }

  /// First primitive of the part; halves the number of links up to it.
  __device__ std::int32_t shorten(std::int32_t k) const {
    for (std::int32_t next = __ldcg(link + k); next != k; next = __ldcg(link + k)) {
      const std::int32_t second = __ldcg(link + next);
      if (second != next) link[k] = second;
      k = second;
    }
    return k;
  }

  /// Joins the parts of two primitives.
  __device__ void join(std::int32_t a, std::int32_t b) const {
    a = shorten(a);
    b = shorten(b);
    while (a != b) {
      const std::int32_t low = ::min(a, b), high = ::max(a, b);
      const std::int32_t before = atomicCAS(link + high, high, low);
      if (before == high) return;
      a = shorten(before);  // another thread joined `high` to another part
      b = low;
    }
  }
};

/// The shells of closed walls, ascending by their first primitives. The order of their sums of volumes is not fixed. Empty
/// if it would matter for a decision, or if SurfaceReport::faults is not 0. Waits for the queue twice.
/// @param memory  links of all primitives with area
std::optional<std::vector<Shell>> find_shells(const Queue& queue, const SurfaceMemory& memory, const PlanWalls& walls,
                                              const SurfaceShapes& shapes);

}  // namespace shoal::wall_distance
