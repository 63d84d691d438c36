// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/geometry/bounding_sphere_item.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "wall_distance/walls/wall_primitives.hpp"
#include "wall_distance/walls.hpp"

namespace shoal {
namespace {

using namespace testing_support;

const double at_zero[3] = {0, 0, 0};

TEST(PieceBall, IsAroundTheMiddleOfASegment) {
  const auto ball = ball_around<double>({{0, 0, 2}, {0, 0, 0}, {1, 1, 1}}, {}, at_zero);
  EXPECT_EQ(ball.x, 1);
  EXPECT_EQ(ball.y, 0);
  EXPECT_EQ(ball.z, 1);
  EXPECT_NEAR(ball.radius, 1, 1e-9);
  EXPECT_GE(ball.radius, 1);
}

TEST(PieceBall, MovesWithItsBody) {
  BodyPose quarter{{0, -1, 0, 1, 0, 0, 0, 0, 1}, {10, 0, 5}, true};
  const auto ball = ball_around<double>({{0, 3, 3}, {0, 0, 3}, {0, 0, 0}}, quarter, at_zero);
  EXPECT_NEAR(ball.x, 9, 1e-12);
  EXPECT_NEAR(ball.y, 2, 1e-12);
  EXPECT_NEAR(ball.z, 5, 1e-12);
  EXPECT_NEAR(ball.radius, std::sqrt(5.0), 1e-9);
}

/// What is not the nearest for certain, by balls, is not: for every case, the nearest piece may be nearest.
template <class Real>
void expect_no_answer_is_lost() {
  for (const auto& [name, all] : every_case()) {
    const WallCase about = thinned(all, 11);
    const WallPieces pieces = wall_pieces(about.mesh, {});
    const double origin[3] = {pieces.shape[0].x[0], pieces.shape[0].y[0], pieces.shape[0].z[0]};
    std::vector<PieceBall<Real>> balls;
    for (const FacePiece& piece : pieces.shape) balls.push_back(ball_around<Real>(piece, {}, origin));
    for (std::size_t i = 0; i < about.x.size(); ++i) {
      const TwofoldVector point{{about.x[i], 0}, {about.y[i], 0}, {about.mesh.dimensions == 3 ? about.z[i] : 0, 0}};
      const BallSight<Real> sight(point, origin, 0);
      NearestFace nearest;
      Real least = no_distance<Real>;
      for (std::size_t k = 0; k < balls.size(); ++k) {
        nearest.see(point, pieces.shape[k], static_cast<std::int64_t>(k));
        least = std::min(least, sight.squared(balls[k]));
      }
      const auto& ball = balls[static_cast<std::size_t>(nearest.piece)];
      ASSERT_TRUE(may_be_nearest(sight.squared(ball), ball.radius, sight.reach(least))) << name << ", point " << i;
    }
  }
}
TEST(PieceBall, NeverLosesTheNearestPieceInDouble) { expect_no_answer_is_lost<double>(); }
TEST(PieceBall, NeverLosesTheNearestPieceInFloat) { expect_no_answer_is_lost<float>(); }

TEST(PieceBall, TellsFarPiecesFromNearOnes) {
  const TwofoldVector point{{0, 0}, {1, 0}, {0, 0}};
  const BallSight<float> sight(point, at_zero, 0);
  const float reach = sight.reach(1.0f);
  EXPECT_FALSE(may_be_nearest(sight.squared({2, 0, 0, 1}), 1.0f, reach));
  EXPECT_TRUE(may_be_nearest(sight.squared({2, 0, 0, 1.5f}), 1.5f, reach));
  const auto nowhere = ball_nowhere<float>();
  EXPECT_FALSE(may_be_nearest(sight.squared(nowhere), nowhere.radius, reach));
}

}  // namespace
}  // namespace shoal
