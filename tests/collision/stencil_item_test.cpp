// SPDX-License-Identifier: Apache-2.0
#include "collision/conservative/stencil_item.hpp"

#include <gtest/gtest.h>

#include "support/exact_collision.hpp"

namespace shoal::collision {
namespace {

constexpr CollisionStencil stencils[] = {CollisionStencil::five, CollisionStencil::seven, CollisionStencil::ten,
                                         CollisionStencil::two_pair};

TEST(Stencils, ConserveMassAndEnergyNearThePoint) {
  const Directions rule = shoal::directions({.degree = 9});
  for (const CollisionStencil kind : stencils)
    for (const Displacement pair : {Displacement{{1, 0, 0}}, Displacement{{3, -2, 5}}, Displacement{{8, 7, -4}}})
      for (const auto& n : rule.point) {
        const int parity[3] = {pair.parity(0), pair.parity(1), pair.parity(2)};
        const Stencil stencil = make_stencil(kind, parity, pair.square(), n.data());
        ASSERT_GT(stencil.count, 0);
        const LatticePoint point = velocity_after(parity, pair.length(), n.data(), 1);
        double mass = 0, energy = 0, mean[3] = {};
        for (int t = 0; t < stencil.count; ++t) {
          mass += stencil.weight[t];
          const double center[3] = {parity[0] * 0.5, parity[1] * 0.5, parity[2] * 0.5};
          energy += stencil.weight[t] * square_distance(stencil.offset[t], center);
          for (int axis = 0; axis < 3; ++axis) mean[axis] += stencil.weight[t] * stencil.offset[t][axis];
          EXPECT_LE(square_distance(stencil.offset[t], point.y), 6.75);
          EXPECT_GE(stencil.weight[t], kind == CollisionStencil::two_pair ? 0 : -0.5);
        }
        EXPECT_NEAR(mass, 1, 1e-14);
        EXPECT_NEAR(energy, pair.square() * 0.25, 1e-12);
        if (kind == CollisionStencil::two_pair) continue;  // the mean is near the point, not at it
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(mean[axis], point.y[axis], 1e-13);
      }
}

TEST(Stencils, TenConservesAllSecondMoments) {
  const LatticePoint point{{0.3, -1.2, 4.45}};
  const Stencil stencil = stencil_ten(NearestNode(point));
  double moment[3][3] = {};
  for (int t = 0; t < stencil.count; ++t)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) moment[a][b] += stencil.weight[t] * stencil.offset[t][a] * stencil.offset[t][b];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) EXPECT_NEAR(moment[a][b], point.y[a] * point.y[b], 1e-13);
}

TEST(Stencils, APointOnANodeHasOneStencilNode) {
  const double along_x[] = {1, 0, 0};
  const int even[] = {0, 0, 0};
  for (const CollisionStencil kind : stencils) {
    const Stencil stencil = make_stencil(kind, even, 16, along_x);
    ASSERT_EQ(stencil.count, 1) << to_name(kind);
    EXPECT_EQ(stencil.offset[0][0], 2);
    EXPECT_EQ(stencil.offset[0][1], 0);
    EXPECT_EQ(stencil.weight[0], 1);
  }
}

TEST(Stencils, SevenByHand) {
  const Stencil stencil = stencil_seven(
      NearestNode(LatticePoint{{0.5, 0, 0}}));  // the nearest node is 1, the point lies half a spacing below it
  ASSERT_EQ(stencil.count, 3);
  EXPECT_EQ(stencil.weight[0], 0.75);
  EXPECT_EQ(stencil.offset[1][0], 0);
  EXPECT_EQ(stencil.weight[1], 0.375);
  EXPECT_EQ(stencil.offset[2][0], 2);
  EXPECT_EQ(stencil.weight[2], -0.125);
}

}  // namespace
}  // namespace shoal::collision
