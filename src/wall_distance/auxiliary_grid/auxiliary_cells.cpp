// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"

#include <algorithm>
#include <array>

namespace shoal {

namespace {

/// The grid along one axis. Cells are half open, but for the last one: a center on a border is in one cell.
struct Axis {
  double low = no_distance<double>, high = -no_distance<double>;
  std::int64_t cells;

  double width() const { return (high - low) / static_cast<double>(cells); }
  std::int64_t cell(double at) const {
    if (!(width() > 0)) return 0;
    return std::clamp(static_cast<std::int64_t>((at - low) / width()), std::int64_t{0}, cells - 1);
  }
  double center(std::int64_t cell) const { return low + (static_cast<double>(cell) + 0.5) * width(); }
};

using Cell = std::array<std::int64_t, 3>;

/// Makes a ball large enough for another one.
void include(PieceBall<double>& ball, const PieceBall<double>& other) {
  const double along[3] = {other.x - ball.x, other.y - ball.y, other.z - ball.z};
  const double apart = std::sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  ball.radius = std::max(ball.radius, (apart + other.radius) * (1 + 4 * BallRounding<double>::part));
}

/// The paper's 79 cells each axis in 2-D; fewer in 3-D, where the list of cells is a surface.
std::int64_t cells_each_axis_for(const WallPieces& pieces) {
  for (const FacePiece& piece : pieces.shape)
    if (piece.z[0] != 0 || piece.z[2] != 0) return 31;
  return 79;
}

std::vector<PieceBall<double>> balls_of(const WallPieces& pieces, const double* origin, std::int32_t body) {
  std::vector<PieceBall<double>> balls;
  for (std::size_t k = 0; k < pieces.shape.size(); ++k)
    balls.push_back(
        body >= 0 && pieces.body[k] != body
            ? ball_nowhere<double>()
            : ball_around<double>(pieces.shape[k], pieces.pose[static_cast<std::size_t>(pieces.body[k])], origin));
  return balls;
}

}  // namespace

AuxiliaryGrid::AuxiliaryGrid(const WallPieces& pieces, const double* origin, std::int32_t body, std::int64_t most)
    : balls(balls_of(pieces, origin, body)), cells(auxiliary_cells(balls, cells_each_axis_for(pieces), most)) {}

std::vector<AuxiliaryCell> auxiliary_cells(const std::vector<PieceBall<double>>& balls, std::int64_t cells_each_axis,
                                           std::int64_t most) {
  std::array<Axis, 3> axes;
  for (Axis& axis : axes) axis.cells = cells_each_axis;
  std::vector<std::int32_t> somewhere;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (balls[i].x == no_distance<double>) continue;
    somewhere.push_back(static_cast<std::int32_t>(i));
    const std::array<double, 3> at{balls[i].x, balls[i].y, balls[i].z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      axes[axis].low = std::min(axes[axis].low, at[axis]);
      axes[axis].high = std::max(axes[axis].high, at[axis]);
    }
  }
  std::vector<std::pair<Cell, std::int32_t>> placed;
  for (const std::int32_t piece : somewhere) {
    const PieceBall<double>& ball = balls[static_cast<std::size_t>(piece)];
    placed.push_back({{axes[2].cell(ball.z), axes[1].cell(ball.y), axes[0].cell(ball.x)}, piece});
  }
  std::sort(placed.begin(), placed.end());
  std::vector<AuxiliaryCell> cells;
  for (std::size_t k = 0; k < placed.size(); ++k) {
    const auto& [cell, piece] = placed[k];
    if (k == 0 || cell != placed[k - 1].first || static_cast<std::int64_t>(cells.back().pieces.size()) == most)
      cells.push_back({{axes[0].center(cell[2]), axes[1].center(cell[1]), axes[2].center(cell[0]), 0}, {}});
    cells.back().pieces.push_back(piece);
    include(cells.back().ball, balls[static_cast<std::size_t>(piece)]);
  }
  return cells;
}

}  // namespace shoal
