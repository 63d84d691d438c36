// SPDX-License-Identifier: Apache-2.0
// The exact solutions of the tests against their derivatives, the values of the reference and integrals by hand.
#include "collision/collision_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

TEST(ExactCollision, BkwChangesAtTheRateOfItsRightHandSide) {
  for (const double time : {0.0, 1.0, 4.0})
    for (const double v2 : {0.0, 0.7, 3.0, 16.0}) {
      constexpr double step = 1e-4;
      const double difference = (Bkw::at(time + step).f(v2) - Bkw::at(time - step).f(v2)) / (2 * step);
      EXPECT_NEAR(Bkw::at(time).rate(v2), difference, 1e-9) << time << " " << v2;
    }
}

TEST(ExactCollision, BkwHasTheMomentsOfTheReference) {
  // ν t, K, m4, m6, m8
  const double table[][5] = {{0, .6, .84, .648, .4752},
                             {4, .794633, .95782446, .89079629, .81090208},
                             {16, .972207, .99922753, .99772552, .99553513}};
  for (const auto& row : table) {
    const Bkw bkw = Bkw::at(row[0]);
    EXPECT_NEAR(bkw.k, row[1], 1e-6);
    for (int s = 2; s <= 4; ++s) EXPECT_NEAR(bkw.moment(s), row[s], 1e-8) << row[0] << " " << s;
  }
  EXPECT_NEAR(Bkw::at(0).f(0), 0, 1e-15);
}

TEST(ExactCollision, BkwOnAGridHasItsMoments) {
  const VelocityGrid grid{48, 9, {}};
  const Bkw bkw;
  const std::vector<double> f = bkw.on<double>(grid);
  Collision<double> plan(Queue::cpu(2), {48, 9, {}}, {.rate = 1},
                         {.approach = CollisionApproach::carleman, .method = "serial", .directions = {.degree = 1}});
  const VelocityMoments moments = plan.moments(f)[0];
  EXPECT_NEAR(moments.density, 1, 1e-12);
  EXPECT_NEAR(moments.temperature, 1, 1e-12);
  EXPECT_NEAR(moments.stress[0], 1, 1e-12);
  EXPECT_NEAR(moments.heat_flux[1], 0, 1e-12);
  const auto v4 = [](double x, double y, double z) { return std::pow(x * x + y * y + z * z, 2); };
  EXPECT_NEAR(integral(grid, f, v4), 15 * bkw.moment(2), 1e-10);
  // d<v⁴>/dt = (15 − <v⁴>)/3
  EXPECT_NEAR(integral(grid, bkw.rate_on<double>(grid), v4), (15 - 15 * bkw.moment(2)) / 3, 1e-10);
  EXPECT_NEAR(plan.entropy(Bkw::at(8).on<double>(grid))[0], 4.25669097, 1e-8);
}

TEST(ExactCollision, TwoBeamsHaveTheirStress) {
  const VelocityGrid grid{48, 9, {}};
  const BeamPair beams;
  const std::vector<double> f = beams.on<double>(grid);
  EXPECT_NEAR(integral(grid, f, [](double x, double y, double) { return x * y; }), beams.deviator(0, 1), 1e-12);
  EXPECT_NEAR(integral(grid, f, [](double x, double y, double z) { return x * x - (x * x + y * y + z * z) / 3; }),
              beams.deviator(0, 0), 1e-12);
}

}  // namespace
}  // namespace shoal::collision
