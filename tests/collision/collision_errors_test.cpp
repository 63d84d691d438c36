// SPDX-License-Identifier: Apache-2.0
#include "collision/collision_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

std::string plan_message(const VelocityGrid& grid, const Molecules& molecules, const CollisionOptions& options = {}) {
  return message_of([&] { Collision<double>(Queue::cpu(1), grid, molecules, options); });
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CollisionErrors, NameTheMemberOfTheGrid) {
  EXPECT_EQ(plan_message({7, 5, {}}, {}), "collision: a velocity grid of 7 nodes along each axis, expected 8 to 128.");
  EXPECT_EQ(plan_message({129, 5, {}}, {}),
            "collision: a velocity grid of 129 nodes along each axis, expected 8 to 128.");
  EXPECT_EQ(plan_message({8, -5, {}}, {}),
            "collision: the half width of the velocity grid is -5 m/s, expected a positive number.");
  EXPECT_EQ(plan_message({8, 5, {0, nan, 0}}, {}), "collision: the center of the velocity grid is not finite.");
}

TEST(CollisionErrors, NameTheMemberOfTheMolecules) {
  const VelocityGrid grid{8, 5, {}};
  EXPECT_EQ(message_of([] { from_name<MoleculeModel>("maxwel"); }),
            "unknown name \"maxwel\"; expected one of maxwell, hard_sphere, vhs, vss.");
  EXPECT_EQ(plan_message(grid, {.rate = 0}),
            "collision: rate of the molecules is 0, but maxwell needs a positive number.");
  EXPECT_EQ(plan_message(grid, {.model = MoleculeModel::hard_sphere}),
            "collision: diameter of the molecules is 0, but hard_sphere needs a positive number.");
  Molecules vhs = every_gas()[2];
  vhs.mass = nan;
  EXPECT_EQ(plan_message(grid, vhs), "collision: mass of the molecules is nan, but vhs needs a positive number.");
  vhs = every_gas()[2];
  vhs.viscosity_exponent = 1.1;
  EXPECT_EQ(plan_message(grid, vhs),
            "collision: viscosity_exponent of the molecules is 1.1, expected 0.5 (hard spheres) to 1 (Maxwell).");
  Molecules vss = every_gas()[3];
  vss.scattering_exponent = 0.5;
  EXPECT_EQ(plan_message(grid, vss),
            "collision: scattering_exponent of the molecules is 0.5, expected 1 (isotropic) to 2.");
}

TEST(CollisionErrors, ListTheMethodsThatSupportTheApproach) {
  const VelocityGrid grid{8, 5, {}};
  EXPECT_EQ(plan_message(grid, {}, {.method = "sphere"}),
            "collision: method `sphere` is not available on cpu for approach conservative. This build has on cpu: "
            "spheres, pairs, serial.");
  EXPECT_EQ(plan_message(grid, every_gas()[3], {.method = "spheres"}),
            "collision: method `spheres` is not available on cpu for approach conservative with vss molecules. This "
            "build has on cpu: pairs, serial.");
  EXPECT_EQ(plan_message(grid, every_gas()[3], {.approach = CollisionApproach::carleman}),
            "collision: approach carleman supports isotropic scattering only, got vss. Use vhs, or approach spectral, "
            "conservative or interpolated.");
  EXPECT_EQ(plan_message(grid, {}, {.radii = 1}), "collision: 1 radii, expected 2 to 256.");
  EXPECT_EQ(plan_message(grid, {}, {.cutoff = 11}),
            "collision: the cutoff is 11 m/s, expected 0 to 10 m/s, the width of the box.");
}

TEST(CollisionErrors, NameTheApproachesWithASupport) {
  const VelocityGrid grid{8, 5, {}};
  EXPECT_EQ(message_of([] { from_name<CollisionSupport>("sphere"); }),
            "unknown name \"sphere\"; expected one of box, ball.");
  EXPECT_EQ(plan_message(grid, {}, {.approach = CollisionApproach::spectral, .support = CollisionSupport::ball}),
            "collision: support ball is for approach interpolated or conservative; spectral transforms the whole box, "
            "and its cutoff is a ball already. Leave support at box.");
  EXPECT_TRUE(
      plan_message(grid, {}, {.approach = CollisionApproach::carleman, .support = CollisionSupport::ball})
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
    f[700] = invalid;
    f[600] = invalid;
    q.resize(f.size());
    Collision<double> plan(queue, grid, {}, options);
    plan.evaluate(f, View<double>(q));
    return message_of([&] { queue.wait(); });
  }
  double invalid = 0;
};

TEST_F(CollisionFaults, NegativeValues) {
  invalid = -1e-9;
  EXPECT_EQ(message(), "collision: f is negative at node 88 of cell 1. Repair it or set negative = \"accept\".");
}
TEST_F(CollisionFaults, NegativeValuesMayBeAccepted) {
  invalid = -1e-9;
  EXPECT_EQ(message({.negative = NegativeDistribution::accept}), "no error");
  for (const double value : q) ASSERT_TRUE(std::isfinite(value));
}
TEST_F(CollisionFaults, NotANumber) {
  invalid = nan;
  EXPECT_EQ(message({.negative = NegativeDistribution::accept}),
            "collision: f is not finite at node 88 of cell 1. Repair it.");
}

TEST_F(CollisionFaults, CountsAndDevices) {
  Collision<double> plan(queue, grid, {});
  f.resize(500);
  EXPECT_EQ(message_of([&] { plan.evaluate(f, View<double>(f)); }),
            "collision: f has 500 elements, expected a multiple of 512, the nodes of the velocity grid.");
  f.resize(512);
  q.resize(511);
  EXPECT_EQ(message_of([&] { plan.evaluate(f, View<double>(q)); }), "collision: q has 511 elements, expected 512.");
  const View<const double> other_device(f.data(), 512, {DeviceKind::cuda, 1});
  EXPECT_EQ(message_of([&] { plan.moments(other_device); }),
            "collision: f is on cuda:1, the queue works on cpu. Copy it there first.");
}

TEST_F(CollisionFaults, StepsAboveTheBound) {
  Collision<double> plan(queue, grid, {.rate = 2});
  const double bound = plan.step_bound(f);
  EXPECT_NEAR(bound, 0.5, 0.01);  // 1 / (rate n), n = 1 on this coarse grid to 1 %
  EXPECT_NO_THROW(plan.require_step(f, bound));
  EXPECT_TRUE(message_of([&] {
                plan.require_step(f, 0.7);
              }).starts_with("collision: a time step of 0.7 s is above the stability bound 1 / max ν = 0."));
  EXPECT_EQ(message_of([&] { plan.require_step(f, 0); }), "collision: a time step of 0 s, expected a positive one.");
}

TEST_F(CollisionFaults, WarningsNameASuitableGrid) {
  const auto grid_warnings = [&](const VelocityGrid& velocity_grid) {
    Collision<double> plan(queue, velocity_grid, {});
    return plan.warnings(BeamPair{}.on<double>(velocity_grid));
  };
  EXPECT_TRUE(grid_warnings({16, 5.5, {}}).empty());
  const std::vector<Warning> narrow = grid_warnings({16, 2.5, {}});
  ASSERT_EQ(narrow.size(), 2u);
  EXPECT_NE(narrow[0].text().find("the box ends 2."), std::string::npos) << narrow[0].text();
  EXPECT_NE(narrow[1].text().find("of the density lies at the edge of the box"), std::string::npos) << narrow[1].text();
  const std::vector<Warning> coarse = grid_warnings({8, 5.5, {}});
  ASSERT_EQ(coarse.size(), 1u);
  EXPECT_NE(coarse[0].text().find("Use a half width of 5."), std::string::npos) << coarse[0].text();
  EXPECT_NE(coarse[0].text().find("and 14 nodes or more."), std::string::npos) << coarse[0].text();
}

TEST_F(CollisionFaults, AnOracleThatAutoSelectsIsWarnedAbout) {
  const auto warning = [&](CollisionApproach approach, const std::string& method) {
    return Collision<double>(queue, grid, {}, {.approach = approach, .method = method}).method_warning();
  };
  EXPECT_FALSE(warning(CollisionApproach::conservative, "auto"));
  EXPECT_FALSE(warning(CollisionApproach::spectral, "serial")) << "asked for";
#ifdef SHOAL_FAST_FOURIER
  EXPECT_FALSE(warning(CollisionApproach::spectral, "auto"));
#else
  ASSERT_TRUE(warning(CollisionApproach::spectral, "auto"));
  EXPECT_EQ(warning(CollisionApproach::spectral, "auto")->text(),
            "collision: the only method of this build for approach spectral on cpu is serial, the slow oracle of the "
            "tests, so auto selects it. Build shoal with a library for Fourier transforms, FFTW or kissfft, or choose "
            "another approach.");
#endif
}

TEST_F(CollisionFaults, WarningsOfABallIncludeTheCorners) {
  const VelocityGrid fine{16, 5.5, {}};
  const auto support_warnings = [&](CollisionSupport support, const std::vector<double>& values) {
    return Collision<double>(queue, fine, {}, {.support = support}).warnings(values);
  };
  std::vector<double> beams = BeamPair{}.on<double>(fine);
  EXPECT_TRUE(support_warnings(CollisionSupport::ball, beams).empty());
  beams[(2 * 16 + 2) * 16 + 2] = 0.01;  // in a corner, not at the edge of the box
  EXPECT_TRUE(support_warnings(CollisionSupport::box, beams).empty());
  const std::vector<Warning> ball = support_warnings(CollisionSupport::ball, beams);
  ASSERT_EQ(ball.size(), 1u);
  EXPECT_NE(ball[0].text().find("of the density lies at the edge of the ball or beyond, expected 0.0001 or less."),
            std::string::npos)
      << ball[0].text();
}

TEST_F(CollisionFaults, FrequencyOfHardSpheresByHand) {
  Collision<double> plan(queue, grid, {.model = MoleculeModel::hard_sphere, .diameter = 1});
  std::vector<double> spike(512), rate(512);
  spike[3] = 2;  // n = 2 h³ at one node
  plan.frequency(spike, View<double>(rate));
  const double h = grid.spacing();
  EXPECT_NEAR(rate[3], 0, 1e-12);
  EXPECT_NEAR(rate[5], std::numbers::pi * 2 * h * 2 * h * h * h, 1e-12);
  EXPECT_NEAR(rate[3 + 8 + 64], std::numbers::pi * std::sqrt(2.0) * h * 2 * h * h * h, 1e-12);
}

}  // namespace
}  // namespace shoal::collision
