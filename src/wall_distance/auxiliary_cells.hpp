// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "wall_distance/piece_ball_item.hpp"

namespace shoal {

/// A cell of the auxiliary grid that has pieces.
struct AuxiliaryCell {
  PieceBall<double> ball;            ///< around the cell's centre and all of its pieces
  std::vector<std::int32_t> pieces;  ///< ascending
};

/// The paper's preprocessor: a uniform grid over the centres of pieces. Every piece belongs to the one cell that has
/// its centre, cells without pieces are left out.
/// @param balls  of pieces; those of balls nowhere belong to no cell
/// @param cells_each_axis  the paper: 79
/// @param most  pieces of a cell; one that has more comes several times
std::vector<AuxiliaryCell> auxiliary_cells(const std::vector<PieceBall<double>>& balls, std::int64_t cells_each_axis,
                                           std::int64_t most);

}  // namespace shoal
