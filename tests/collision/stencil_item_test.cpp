// SPDX-License-Identifier: Apache-2.0
#include "collision/conservative/stencil_item.hpp"

#include <gtest/gtest.h>

#include "support/exact_collision.hpp"

namespace shoal {
namespace {

constexpr CollisionStencil stencils[] = {CollisionStencil::five, CollisionStencil::seven, CollisionStencil::ten,
                                         CollisionStencil::two_pair};

TEST(Stencils, KeepMassAndEnergyAndAreNearThePoint) {
  const Directions directions = shoal::directions({.degree = 9});
  for (const CollisionStencil stencil : stencils)
    for (const Displacement pair : {Displacement{{1, 0, 0}}, Displacement{{3, -2, 5}}, Displacement{{8, 7, -4}}})
      for (const auto& n : directions.at) {
        const int parity[3] = {pair.parity(0), pair.parity(1), pair.parity(2)};
        const StencilTaps taps = stencil_of(stencil, parity, pair.square(), n.data());
        ASSERT_GT(taps.count, 0);
        const LatticePoint point = point_after(parity, pair.length(), n.data(), 1);
        double mass = 0, energy = 0, mean[3] = {};
        for (int t = 0; t < taps.count; ++t) {
          mass += taps.weight[t];
          const double center[3] = {parity[0] * 0.5, parity[1] * 0.5, parity[2] * 0.5};
          energy += taps.weight[t] * square_distance(taps.offset[t], center);
          for (int axis = 0; axis < 3; ++axis) mean[axis] += taps.weight[t] * taps.offset[t][axis];
          EXPECT_LE(square_distance(taps.offset[t], point.y), 6.75);
          EXPECT_GE(taps.weight[t], stencil == CollisionStencil::two_pair ? 0 : -0.5);
        }
        EXPECT_NEAR(mass, 1, 1e-14);
        EXPECT_NEAR(energy, pair.square() * 0.25, 1e-12);
        if (stencil == CollisionStencil::two_pair) continue;  // its mean is near the point, not there
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(mean[axis], point.y[axis], 1e-13);
      }
}

TEST(Stencils, TenKeepsAllSecondMoments) {
  const LatticePoint point{{0.3, -1.2, 4.45}};
  const StencilTaps taps = stencil_ten(NearestNode(point));
  double moment[3][3] = {};
  for (int t = 0; t < taps.count; ++t)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) moment[a][b] += taps.weight[t] * taps.offset[t][a] * taps.offset[t][b];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) EXPECT_NEAR(moment[a][b], point.y[a] * point.y[b], 1e-13);
}

TEST(Stencils, APointOnANodeHasOneTap) {
  const double along_x[] = {1, 0, 0};
  const int even[] = {0, 0, 0};
  for (const CollisionStencil stencil : stencils) {
    const StencilTaps taps = stencil_of(stencil, even, 16, along_x);
    ASSERT_EQ(taps.count, 1) << to_name(stencil);
    EXPECT_EQ(taps.offset[0][0], 2);
    EXPECT_EQ(taps.offset[0][1], 0);
    EXPECT_EQ(taps.weight[0], 1);
  }
}

TEST(Stencils, SevenByHand) {
  const StencilTaps taps =
      stencil_seven(NearestNode(LatticePoint{{0.5, 0, 0}}));  // nearest node 1, half a step below it
  ASSERT_EQ(taps.count, 3);
  EXPECT_EQ(taps.weight[0], 0.75);
  EXPECT_EQ(taps.offset[1][0], 0);
  EXPECT_EQ(taps.weight[1], 0.375);
  EXPECT_EQ(taps.offset[2][0], 2);
  EXPECT_EQ(taps.weight[2], -0.125);
}

}  // namespace
}  // namespace shoal
