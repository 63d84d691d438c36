// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "wall_distance/signs/pseudonormal_item.hpp"

namespace shoal {

/// What tells the inside of closed walls from the outside, on the host.
struct WallSides {
  std::vector<std::int32_t> first;    ///< [faces of the mesh + 1] the first piece of each face
  std::vector<PieceSides> piece;      ///< [pieces]
  std::vector<OutwardNormal> corner;  ///< [places]
};

/// Corners are the same if their coordinates are, whatever their numbers. Normals point outwards if corners of faces go
/// around counter-clockwise, seen from outside (in 2-D: with the inside to the left); if a body encloses a negative
/// volume that way, all its faces are turned around.
/// @throws Error  a body is not closed, or has an edge of more than two faces, faces that are turned differently, a
/// face
///                without area whose corners are in different places, or no volume: says how often and names the first
WallSides wall_sides(const WallMesh& mesh, const WallPieces& pieces);

/// Makes distances that were found signed, on the device of a queue.
class WallSigns {
 public:
  virtual ~WallSigns() = default;
  /// @param queries  with views for distances and faces, which hold answers for faces, not for their centers
  virtual void find(const WallQueries& queries) = 0;
  virtual std::int64_t bytes() const = 0;
};

/// @param pieces  outlives it; their poses may change, their shapes may not
std::unique_ptr<WallSigns> wall_signs_cpu(const Queue& queue, const WallPieces& pieces, WallSides sides);
#ifdef SHOAL_CUDA
std::unique_ptr<WallSigns> wall_signs_cuda(const Queue& queue, const WallPieces& pieces, const WallSides& sides);
#endif

}  // namespace shoal
