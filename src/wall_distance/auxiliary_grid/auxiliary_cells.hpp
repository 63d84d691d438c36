// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "wall_distance/geometry/bounding_sphere_item.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal {

/// A cell of the auxiliary grid that has pieces.
struct AuxiliaryCell {
  PieceBall<double> ball;            ///< around the cell's center and all of its pieces
  std::vector<std::int32_t> pieces;  ///< ascending
};

/// The paper's preprocessor: a uniform grid over the centers of pieces. Every piece belongs to the one cell that has
/// its center, cells without pieces are left out.
/// @param balls  of pieces; those of balls nowhere belong to no cell
/// @param cells_each_axis  the paper: 79
/// @param most  pieces of a cell; one that has more comes several times
std::vector<AuxiliaryCell> auxiliary_cells(const std::vector<PieceBall<double>>& balls, std::int64_t cells_each_axis,
                                           std::int64_t most);

/// The same for the pieces of a plan where its bodies are now.
/// @param origin  m, of the balls
/// @param body    ≥ 0: that one alone
struct AuxiliaryGrid {
  std::vector<PieceBall<double>> balls;  ///< [pieces]
  std::vector<AuxiliaryCell> cells;

  AuxiliaryGrid(const WallPieces& pieces, const double* origin, std::int32_t body, std::int64_t most);
};

/// What an auxiliary grid was made for.
struct AuxiliaryUse {
  std::vector<BodyPose> pose = {};
  std::int32_t body = -1;
  friend bool operator==(const AuxiliaryUse&, const AuxiliaryUse&) = default;
};

}  // namespace shoal
