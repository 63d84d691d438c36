// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "wall_distance/walls.hpp"

namespace shoal {
namespace {

using Ball = PieceBall<double>;

std::vector<std::vector<std::int32_t>> pieces_of(const std::vector<AuxiliaryCell>& cells) {
  std::vector<std::vector<std::int32_t>> pieces;
  for (const AuxiliaryCell& cell : cells) pieces.push_back(cell.pieces);
  return pieces;
}

TEST(AuxiliaryCells, AFaceOnABorderIsInOneCell) {
  std::vector<Ball> balls;
  for (int i = 0; i <= 4; ++i) balls.push_back({static_cast<double>(i), 0, 0, 0.5});
  const std::vector<AuxiliaryCell> cells = auxiliary_cells(balls, 2, 100);
  EXPECT_EQ(pieces_of(cells), (std::vector<std::vector<std::int32_t>>{{0, 1}, {2, 3, 4}}));
  EXPECT_EQ(cells[0].ball.x, 1);
  EXPECT_EQ(cells[1].ball.x, 3);
  EXPECT_NEAR(cells[0].ball.radius, 1.5, 1e-9);
}

TEST(AuxiliaryCells, ACellOfTooManyFacesComesAgain) {
  const std::vector<Ball> balls(5, Ball{1, 2, 3, 0});
  EXPECT_EQ(pieces_of(auxiliary_cells(balls, 79, 2)), (std::vector<std::vector<std::int32_t>>{{0, 1}, {2, 3}, {4}}));
}

TEST(AuxiliaryCells, LeavesOutWhatIsNowhere) {
  EXPECT_EQ(pieces_of(auxiliary_cells({ball_nowhere<double>(), {1, 2, 3, 0}, ball_nowhere<double>()}, 79, 100)),
            (std::vector<std::vector<std::int32_t>>{{1}}));
  EXPECT_TRUE(auxiliary_cells({}, 79, 100).empty());
}

TEST(AuxiliaryCells, HaveEveryFaceOnceAndReachAsFarAsTheirFaces) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> pick(0, 12);  // many centers are on borders of the 12 cells
  std::vector<Ball> balls;
  for (int i = 0; i < 3000; ++i)
    balls.push_back({pick(random) * 1.0, pick(random) * 1.0, pick(random) * 1.0, pick(random) * 0.1});
  std::vector<std::int32_t> seen;
  for (const AuxiliaryCell& cell : auxiliary_cells(balls, 12, 100)) {
    EXPECT_TRUE(std::is_sorted(cell.pieces.begin(), cell.pieces.end()));
    for (const std::int32_t piece : cell.pieces) {
      const Ball& ball = balls[static_cast<std::size_t>(piece)];
      const double apart = std::hypot(ball.x - cell.ball.x, ball.y - cell.ball.y, ball.z - cell.ball.z);
      EXPECT_LE(apart + ball.radius, cell.ball.radius);
      EXPECT_LE(apart, std::sqrt(3) / 2 + 1e-9);  // the center is in the cell
      seen.push_back(piece);
    }
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), balls.size());
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], static_cast<std::int32_t>(i));
}

}  // namespace
}  // namespace shoal
