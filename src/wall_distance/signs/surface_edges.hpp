// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "wall_distance/signs/surface_item.hpp"
#include "wall_distance/walls/mesh_summary.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {

/// Topology of closed walls.
struct SurfaceEdges {
  /// [primitives] vertices of the corners. Corners of one body with equal coordinates are one vertex.
  std::vector<std::array<std::int32_t, 3>> vertex;
  std::int32_t vertices = 0;  ///< number of vertices

  /// [primitives] neighbors across the edges 0-1, 0-2 and 1-2; in 2-D, neighbors at the ends 0 and 2. −1: none, or the
  /// primitive has no area.
  std::vector<std::array<std::int32_t, 3>> neighbor;

  /// An edge between the vertices a and b, in the order of the corners (in 2-D: an end, a = b), and one of the two primitives that share it.
  struct Edge {
    std::int32_t a, b, primitive;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  std::vector<Edge> edges;  ///< ascending

  /// Returns true if the corners of a primitive are different vertices: a triangle, in 2-D a segment.
  bool has_area(int dimensions, std::size_t primitive) const {
    return wall_distance::has_area(dimensions, vertex[primitive].data());
  }
};

/// Joins the primitives at their edges (in 2-D: at their ends).
/// @throws Error  an edge has one primitive, more than two, or two of inconsistent orientation: reports their number
///                and the first one
SurfaceEdges surface_edges(const MeshSummary& mesh, const WallPrimitives& primitives);

}  // namespace shoal::wall_distance
