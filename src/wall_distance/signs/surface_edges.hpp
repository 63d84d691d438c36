// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal {

/// How pieces of closed walls join.
struct WallEdges {
  /// [pieces] the place of each corner: corners of one body with the same coordinates have the same one; ascending.
  std::vector<std::array<std::int32_t, 3>> place;
  std::int32_t places = 0;

  /// [pieces] the pieces beyond the edges 0-1, 0-2 and 1-2; in 2-D, beyond the ends 0 and 2. −1: there is none, or the
  /// piece has coinciding corners.
  std::vector<std::array<std::int32_t, 3>> beyond;

  /// [edges] of places a < b (in 2-D: a = b) and of one of the two pieces that share it; ascending.
  struct Edge {
    std::int32_t a, b, piece;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  std::vector<Edge> edges;

  /// In 2-D whether a piece is a segment, in 3-D whether it is a triangle, by the places of its corners.
  bool is_whole(int dimensions, std::size_t piece) const {
    const auto& at = place[piece];
    return dimensions == 2 ? at[0] != at[2] : at[0] != at[1] && at[1] != at[2];
  }
};

/// @throws Error  an edge (in 2-D: an end) has one piece, or more than two, or two that are turned differently: how
/// many
///                there are, and where the first is
WallEdges wall_edges(const WallMesh& mesh, const WallPieces& pieces);

}  // namespace shoal
