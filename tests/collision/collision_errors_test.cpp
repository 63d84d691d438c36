// SPDX-License-Identifier: Apache-2.0
#include "collision/collision_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

std::string message_of_plan(const VelocityGrid& grid, const Molecules& molecules,
                            const CollisionOptions& options = {}) {
  return message_of([&] { Collision<double>(Queue::cpu(1), grid, molecules, options); });
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CollisionErrors, OfTheGrid) {
  EXPECT_EQ(message_of_plan({7, 5, {}}, {}),
            "collision: a velocity grid of 7 nodes along each axis, expected 8 to 128.");
  EXPECT_EQ(message_of_plan({129, 5, {}}, {}),
            "collision: a velocity grid of 129 nodes along each axis, expected 8 to 128.");
  EXPECT_EQ(message_of_plan({8, -5, {}}, {}),
            "collision: the half width of the velocity grid is -5 m/s, expected a positive number.");
  EXPECT_EQ(message_of_plan({8, 5, {0, nan, 0}}, {}), "collision: the center of the velocity grid is not finite.");
}

TEST(CollisionErrors, OfMolecules) {
  const VelocityGrid grid{8, 5, {}};
  EXPECT_EQ(message_of([] { from_name<MoleculeModel>("maxwel"); }),
            "unknown name \"maxwel\"; expected one of maxwell, hard_sphere, vhs, vss.");
  EXPECT_EQ(message_of_plan(grid, {.rate = 0}),
            "collision: rate of the molecules is 0, but maxwell needs a positive number.");
  EXPECT_EQ(message_of_plan(grid, {.model = MoleculeModel::hard_sphere}),
            "collision: diameter of the molecules is 0, but hard_sphere needs a positive number.");
  Molecules vhs = every_gas()[2];
  vhs.mass = nan;
  EXPECT_EQ(message_of_plan(grid, vhs), "collision: mass of the molecules is nan, but vhs needs a positive number.");
  vhs = every_gas()[2];
  vhs.viscosity_exponent = 1.1;
  EXPECT_EQ(message_of_plan(grid, vhs),
            "collision: viscosity_exponent of the molecules is 1.1, expected 0.5 (hard spheres) to 1 (Maxwell).");
  Molecules vss = every_gas()[3];
  vss.scattering_exponent = 0.5;
  EXPECT_EQ(message_of_plan(grid, vss),
            "collision: scattering_exponent of the molecules is 0.5, expected 1 (isotropic) to 2.");
}

TEST(CollisionErrors, OfMethods) {
  const VelocityGrid grid{8, 5, {}};
  EXPECT_EQ(message_of_plan(grid, {}, {.method = "sphere"}),
            "collision: method `sphere` is not available on cpu for approach conservative. This build has on cpu: "
            "spheres, pairs, serial.");
  EXPECT_EQ(message_of_plan(grid, every_gas()[3], {.method = "spheres"}),
            "collision: method `spheres` is not available on cpu for approach conservative with vss molecules. This "
            "build has on cpu: pairs, serial.");
  EXPECT_EQ(message_of_plan(grid, every_gas()[3], {.approach = CollisionApproach::spectral}),
            "collision: approach spectral takes isotropic scattering, got vss. Use vhs, or approach conservative or "
            "interpolated.");
  EXPECT_EQ(message_of_plan(grid, {}, {.radii = 1}), "collision: 1 radii, expected 2 to 256.");
  EXPECT_EQ(message_of_plan(grid, {}, {.cutoff = 11}),
            "collision: the cutoff is 11 m/s, expected 0 to 10 m/s, the width of the box.");
}

TEST(CollisionErrors, OfTheSupport) {
  const VelocityGrid grid{8, 5, {}};
  EXPECT_EQ(message_of([] { from_name<CollisionSupport>("sphere"); }),
            "unknown name \"sphere\"; expected one of box, ball.");
  EXPECT_EQ(message_of_plan(grid, {}, {.approach = CollisionApproach::spectral, .support = CollisionSupport::ball}),
            "collision: support ball is for approach interpolated or conservative; spectral transforms all of the box, "
            "and its cutoff is a ball already. Leave support at box.");
  EXPECT_TRUE(
      message_of_plan(grid, {}, {.approach = CollisionApproach::carleman, .support = CollisionSupport::ball})
          .starts_with("collision: support ball is for approach interpolated or conservative; carleman transforms"));
}

class CollisionFaults : public testing::Test {
 protected:
  const VelocityGrid grid{8, 5, {}};
  const Queue queue = Queue::cpu(2);
  std::vector<double> f = Bkw{}.on<double>(grid);
  std::vector<double> q = f;

  std::string message(const CollisionOptions& options = {}) {
    f.insert(f.end(), f.begin(), f.end());
    f[700] = bad;
    f[600] = bad;
    q.resize(f.size());
    Collision<double> collision(queue, grid, {}, options);
    collision.evaluate(f, View<double>(q));
    return message_of([&] { queue.wait(); });
  }
  double bad = 0;
};

TEST_F(CollisionFaults, NegativeValues) {
  bad = -1e-9;
  EXPECT_EQ(message(), "collision: f is negative at node 88 of cell 1. Repair it or set negative = \"accept\".");
}
TEST_F(CollisionFaults, NegativeValuesMayBeAccepted) {
  bad = -1e-9;
  EXPECT_EQ(message({.negative = NegativeDistribution::accept}), "no error");
  for (const double value : q) ASSERT_TRUE(std::isfinite(value));
}
TEST_F(CollisionFaults, NotANumber) {
  bad = nan;
  EXPECT_EQ(message({.negative = NegativeDistribution::accept}),
            "collision: f is not finite at node 88 of cell 1. Repair it.");
}

TEST_F(CollisionFaults, CountsAndDevices) {
  Collision<double> collision(queue, grid, {});
  f.resize(500);
  EXPECT_EQ(message_of([&] { collision.evaluate(f, View<double>(f)); }),
            "collision: f has 500 elements, expected a multiple of 512, the nodes of the velocity grid.");
  f.resize(512);
  q.resize(511);
  EXPECT_EQ(message_of([&] { collision.evaluate(f, View<double>(q)); }),
            "collision: q has 511 elements, expected 512.");
  const View<const double> elsewhere(f.data(), 512, {DeviceKind::cuda, 1});
  EXPECT_EQ(message_of([&] { collision.moments(elsewhere); }),
            "collision: f is on cuda:1, the queue works on cpu. Copy it there first.");
}

TEST_F(CollisionFaults, StepsAboveTheBound) {
  Collision<double> collision(queue, grid, {.rate = 2});
  const double bound = collision.step_bound(f);
  EXPECT_NEAR(bound, 0.5, 0.01);  // 1 / (rate n), n = 1 on this coarse grid to 1 %
  EXPECT_NO_THROW(collision.require_step(f, bound));
  EXPECT_TRUE(message_of([&] {
                collision.require_step(f, 0.7);
              }).starts_with("collision: a time step of 0.7 s is above the stability bound 1 / max ν = 0."));
  EXPECT_EQ(message_of([&] { collision.require_step(f, 0); }),
            "collision: a time step of 0 s, expected a positive one.");
}

TEST_F(CollisionFaults, WarningsSayWhichGridWouldDo) {
  const auto warnings_on = [&](const VelocityGrid& on) {
    Collision<double> collision(queue, on, {});
    return collision.warnings(TwoBeams{}.on<double>(on));
  };
  EXPECT_TRUE(warnings_on({16, 5.5, {}}).empty());
  const std::vector<std::string> narrow = warnings_on({16, 2.5, {}});
  ASSERT_EQ(narrow.size(), 2u);
  EXPECT_NE(narrow[0].find("the box ends 2."), std::string::npos) << narrow[0];
  EXPECT_NE(narrow[1].find("of the density lies at the edge of the box"), std::string::npos) << narrow[1];
  const std::vector<std::string> coarse = warnings_on({8, 5.5, {}});
  ASSERT_EQ(coarse.size(), 1u);
  EXPECT_NE(coarse[0].find("Use a half width of 5."), std::string::npos) << coarse[0];
  EXPECT_NE(coarse[0].find("and 14 nodes or more."), std::string::npos) << coarse[0];
}

TEST_F(CollisionFaults, WarningsOfABallSeeWhatLiesInTheCorners) {
  const VelocityGrid on{16, 5.5, {}};
  const auto warnings_of = [&](CollisionSupport support, const std::vector<double>& of) {
    return Collision<double>(queue, on, {}, {.support = support}).warnings(of);
  };
  std::vector<double> beams = TwoBeams{}.on<double>(on);
  EXPECT_TRUE(warnings_of(CollisionSupport::ball, beams).empty());
  beams[(2 * 16 + 2) * 16 + 2] = 0.01;  // in a corner, not at the edge of the box
  EXPECT_TRUE(warnings_of(CollisionSupport::box, beams).empty());
  const std::vector<std::string> ball = warnings_of(CollisionSupport::ball, beams);
  ASSERT_EQ(ball.size(), 1u);
  EXPECT_NE(ball[0].find("of the density lies at the edge of the ball or beyond, expected 0.0001 or less."),
            std::string::npos)
      << ball[0];
}

TEST_F(CollisionFaults, FrequencyOfHardSpheresByHand) {
  Collision<double> collision(queue, grid, {.model = MoleculeModel::hard_sphere, .diameter = 1});
  std::vector<double> spike(512), rate(512);
  spike[3] = 2;  // n = 2 h³ at one node
  collision.frequency(spike, View<double>(rate));
  const double h = grid.spacing();
  EXPECT_NEAR(rate[3], 0, 1e-12);
  EXPECT_NEAR(rate[5], std::numbers::pi * 2 * h * 2 * h * h * h, 1e-12);
  EXPECT_NEAR(rate[3 + 8 + 64], std::numbers::pi * std::sqrt(2.0) * h * 2 * h * h * h, 1e-12);
}

}  // namespace
}  // namespace shoal
