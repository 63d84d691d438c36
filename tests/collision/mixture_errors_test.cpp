// SPDX-License-Identifier: Apache-2.0
#include "collision/mixture_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

constexpr VelocityGrid coarse_grid{8, 5, {}};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string plan_message(const Mixture& mixture, const CollisionOptions& options = spectral_options(3, 4)) {
  return message_of([&] { Collision<double>(Queue::cpu(1), coarse_grid, mixture, options); });
}

Mixture maxwell() { return every_mixture()[0]; }
Mixture spheres() { return every_mixture()[1]; }

TEST(MixtureErrors, NameTheMemberOfTheMixture) {
  EXPECT_EQ(plan_message(maxwell()), "no error");
  Mixture mixture = maxwell();
  mixture.species[1].mass = 0;
  EXPECT_EQ(plan_message(mixture),
            "collision: the mass of the molecules of species 1 is 0, but a mixture needs a positive number.");
  mixture = maxwell();
  mixture.species[1].rate = -1;
  EXPECT_EQ(plan_message(mixture), "collision: rate of the molecules is -1, but maxwell needs a positive number.");
  mixture = maxwell();
  mixture.cross_rate = 0;
  EXPECT_EQ(plan_message(mixture),
            "collision: cross_rate of the mixture is 0 m3/s, but maxwell needs a positive number.");
  mixture = spheres();
  mixture.cross_diameter = nan;
  EXPECT_EQ(plan_message(mixture),
            "collision: cross_diameter of the mixture is nan m, expected a positive number, or 0 for the mean of both "
            "diameters.");
  mixture = spheres();
  mixture.species[0].diameter = 0;
  EXPECT_EQ(plan_message(mixture),
            "collision: diameter of the molecules is 0, but hard_sphere needs a positive number.");
  mixture = spheres();
  mixture.support_radius[1] = -1;
  EXPECT_EQ(plan_message(mixture),
            "collision: support_radius of species 1 is -1 m/s, expected a positive number, or 0 for half of the "
            "cutoff.");
  mixture.support_radius = {6, 6};
  EXPECT_EQ(plan_message(mixture), "collision: the cutoff is 12 m/s, expected 0 to 10 m/s, the width of the box.");
}

TEST(MixtureErrors, NameTheModels) {
  EXPECT_EQ(plan_message(Mixture(maxwell().species[0], spheres().species[1])),
            "collision: a mixture of maxwell and hard_sphere molecules, expected one model for both species.");
  EXPECT_EQ(plan_message(Mixture(every_gas()[2], every_gas()[2])),
            "collision: the molecules of species 0 of the mixture are vhs, expected maxwell or hard_sphere.");
  EXPECT_EQ(plan_message(spheres(), {}),
            "collision: a mixture needs approach spectral, got conservative. Set approach = \"spectral\".");
}

TEST(MixtureErrors, CheckDistributions) {
  const Queue queue = Queue::cpu(1);
  Collision<double> plan(queue, coarse_grid, maxwell(), spectral_options(3, 4));
  EXPECT_EQ(plan.species(), 2);
  std::vector<double> f = different_states().on(coarse_grid, maxwell()), q = f;
  f.resize(3 * 512);
  EXPECT_EQ(
      message_of([&] { plan.evaluate(f, View<double>(q)); }),
      "collision: f has 1536 elements, expected a multiple of 1024, the nodes of the velocity grid for each of two "
      "species.");
  f.resize(2 * 512);
  f[512 + 7] = -1;
  plan.evaluate(f, View<double>(q));
  EXPECT_EQ(message_of([&] { queue.wait(); }),
            "collision: f is negative at node 7 of cell 1. Repair it or set negative = \"accept\".");
}

}  // namespace
}  // namespace shoal::collision
