// SPDX-License-Identifier: Apache-2.0
// Warnings about cases that can be computed, but not well; all numbers by hand.
#include <gmock/gmock.h>
#include <shoal/sph/warnings.hpp>

#include <cmath>
#include <functional>

#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const std::vector<Warning>& list) {
  std::vector<std::string> names;
  for (const Warning& warning : list) names.push_back(warning.name);
  return names;
}

std::vector<Warning> warnings_with(const std::function<void(Case&)>& change) {
  Case simulation = dam_break(1);
  change(simulation);
  return warnings(simulation);
}

TEST(CaseWarnings, TheDamBreakHasNone) { EXPECT_THAT(names(warnings(dam_break(1))), ElementsAre()); }

// The tank with its layers is 5.5 m long and 1.68 m high.
TEST(CaseWarnings, ACaseThatIsLongAlongAnotherAxisThanRanksCut) {
  const std::vector<Warning> list = warnings(dam_break(1), 4);
  ASSERT_THAT(names(list), ElementsAre("slab_axis"));
  EXPECT_NEAR(list[0].value, 5.5 / 1.68, 1e-12);
  EXPECT_EQ(list[0].limit, 2);
  EXPECT_EQ(list[0].text(),
            "4 ranks share layers across y, where the bodies and walls are 1.68 m long, and 5.5 m along x: ranks have "
            "few layers and exchange many particles. Turn the case so that it is longest along y, or use one rank.");
}

TEST(CaseWarnings, ACaseMayBeTwiceAsLongAlongAnotherAxis) {
  EXPECT_THAT(names(warnings(block_of_water(20, 10), 2)), ElementsAre());
  EXPECT_THAT(names(warnings(block_of_water(21, 10), 2)), ElementsAre("slab_axis"));
  EXPECT_THAT(names(warnings(block_of_water(10, 90), 2)), ElementsAre());
  EXPECT_THAT(names(warnings(block_of_water(4, 21, 10), 2)), ElementsAre("slab_axis"));
}

// The column is 1.02 m high: g H = 10.0062 m²/s².
TEST(CaseWarnings, ASoftLiquidIsNamedWithItsDensityChange) {
  const std::vector<Warning> list = warnings_with([](Case& c) { c.materials[0].sound_speed = 2; });
  ASSERT_THAT(names(list), ElementsAre("sound_speed"));
  EXPECT_DOUBLE_EQ(list[0].value, 10.0062 / 4);
  EXPECT_EQ(list[0].limit, 0.03);
  EXPECT_EQ(list[0].text(),
            "material.water.sound_speed = 2 m/s lets the density change by about 250 %, expected at most 3 %: the "
            "flow reaches about 3.16 m/s. Set it to 31.7 m/s or more, or leave it out.");
}

TEST(CaseWarnings, TheLimitOfTheDensityChangeIsThreePercent) {
  const double speed = std::sqrt(10.0062 / 0.03);
  EXPECT_THAT(names(warnings_with([&](Case& c) { c.materials[0].sound_speed = 1.001 * speed; })), ElementsAre());
  EXPECT_THAT(names(warnings_with([&](Case& c) { c.materials[0].sound_speed = 0.999 * speed; })),
              ElementsAre("sound_speed"));
}

// Physical liquids are compressible.
TEST(CaseWarnings, OnlyNumericalSoundSpeedsAreInDoubt) {
  EXPECT_THAT(names(warnings_with([](Case& c) {
                c.materials[0].sound_speed = 2;
                c.scheme.energy = true;
              })),
              ElementsAre());
}

// h = 0.024 m, c + U = 53.163 m/s: a Courant number of 1 is a step of 0.000451439 s.
TEST(CaseWarnings, AFixedStepBeyondTheStabilityLimitIsNamed) {
  const double unit = 0.024 / (50 + std::sqrt(10.0062));
  EXPECT_THAT(names(warnings_with([&](Case& c) { c.scheme.dt = 1.499 * unit; })), ElementsAre());
  const std::vector<Warning> list = warnings_with([&](Case& c) { c.scheme.dt = 2 * unit; });
  ASSERT_THAT(names(list), ElementsAre("time_step"));
  EXPECT_NEAR(list[0].value, 2, 1e-12);
  EXPECT_EQ(list[0].limit, 1.5);
  EXPECT_EQ(list[0].text(),
            "scheme.dt = 0.000903 s is a Courant number of 2, beyond the stability limit of tvd_rk3, about 1.5. Set "
            "it to at most 0.000361 s, or set scheme.time_step = \"cfl\".");
}

TEST(CaseWarnings, EveryIntegratorHasItsLimit) {
  const auto with = [](Integrator integrator, double cfl) {
    return names(warnings_with([&](Case& c) {
      c.scheme.integrator = integrator;
      c.scheme.time_step = TimeStep::cfl;
      c.scheme.cfl = cfl;
    }));
  };
  const std::pair<Integrator, double> limits[] = {
      {Integrator::tvd_rk3, 1.5}, {Integrator::symplectic, 0.9}, {Integrator::verlet, 0.25}};
  for (const auto& [integrator, limit] : limits) {
    EXPECT_THAT(with(integrator, limit), ElementsAre()) << to_name(integrator);
    EXPECT_THAT(with(integrator, 1.01 * limit), ElementsAre("time_step")) << to_name(integrator);
  }
}

// 0.125 h²/ν = 0.125 · 0.024² / 0.36 = 0.0002 s.
TEST(CaseWarnings, ViscosityLimitsAFixedStep) {
  const std::vector<Warning> list = warnings_with([](Case& c) {
    c.scheme.laminar_viscosity = true;
    c.materials[0].kinematic_viscosity = 0.36;
  });
  ASSERT_THAT(names(list), ElementsAre("time_step"));
  EXPECT_DOUBLE_EQ(list[0].limit, 0.0002);
  EXPECT_EQ(list[0].value, 4e-4);
}

// wendland_c2 with 1.2 spacings reaches 2.4 spacings: a second layer is within reach, a third is not.
TEST(CaseWarnings, AWallHasAsManyLayersAsTheKernelReaches) {
  EXPECT_THAT(names(warnings_with([](Case& c) { c.walls[0].layers = 2; })), ElementsAre());
  const std::vector<Warning> thin = warnings_with([](Case& c) { c.walls[0].layers = 1; });
  ASSERT_THAT(names(thin), ElementsAre("wall_layers"));
  EXPECT_EQ(
      thin[0].text(),
      "wall \"tank\" has 1 layers of particles, expected 2 or more, since the kernel reaches 2.4 spacings. Set its "
      "layers = 2 or more.");
  // 2 spacings: layers at 1, 2 and 3 spacings are within a reach of 4.
  EXPECT_THAT(names(warnings_with([](Case& c) { c.smoothing = 2; })), ElementsAre());
  EXPECT_THAT(names(warnings_with([](Case& c) { c.smoothing = 2.1; })), ElementsAre("wall_layers"));
  EXPECT_THAT(names(warnings_with([](Case& c) {
                c.walls[0].layers = 1;
                c.scheme.walls = Walls::repulsive;
              })),
              ElementsAre());
}

TEST(CaseWarnings, AThinPlateNeedsAFinerSpacing) {
  const std::vector<Warning> list = warnings_with([](Case& c) {
    c.walls.push_back({"plate", {{3, 0, 0}, {3.02, 0.5, 0}}, {}, 3, ""});
    c.walls[1].solid = true;
  });
  ASSERT_THAT(names(list), ElementsAre("wall_layers"));
  EXPECT_EQ(list[0].value, 1);
  EXPECT_EQ(list[0].remedy, "Set particles.spacing to at most 0.01 m.");
}

// The middle one of four rows is 2.5 spacings from both walls, beyond the reach of 2.4.
TEST(CaseWarnings, ANarrowChannelNeedsAFinerSpacing) {
  const auto with_width = [](double width) { return warnings_with([&](Case& c) { c.walls[0].box.to[0] = width; }); };
  EXPECT_THAT(names(with_width(0.08)), ElementsAre());
  const std::vector<Warning> list = with_width(0.06);
  ASSERT_THAT(names(list), ElementsAre("wall_gap"));
  EXPECT_EQ(list[0].text(),
            "wall \"tank\" encloses 3 particles between opposite sides, expected 4 or more: fluid in the middle "
            "interacts with both sides. Set particles.spacing to at most 0.015 m.");
}

TEST(CaseWarnings, TheStateOfARunIsInDoubtBeyondThreePercent) {
  Balance balance;
  balance.clock.time = 0.5;
  balance.largest_density_error = 0.2;  // of a single particle
  balance.density_error = 0.03;
  EXPECT_THAT(names(warnings(dam_break(1), balance)), ElementsAre());
  balance.density_error = 0.04;
  const std::vector<Warning> list = warnings(dam_break(1), balance);
  ASSERT_THAT(names(list), ElementsAre("density_change"));
  EXPECT_EQ(list[0].text(),
            "at t = 0.5 s the density differs from its reference by 4 % (root mean square; largest 20 %), expected at "
            "most 3 %: the liquid is too soft for its speeds. Raise the sound_speed of water to about 100 m/s.");
}

double chosen_with(const std::function<void(Case&)>& change) {
  Case simulation = dam_break(1);
  simulation.materials[0].sound_speed = 0;
  change(simulation);
  choose_sound_speeds(simulation);
  EXPECT_TRUE(simulation.materials[0].sound_speed_is_chosen);
  EXPECT_THAT(names(warnings(simulation)), testing::Not(testing::Contains("sound_speed")));
  return simulation.materials[0].sound_speed;
}

TEST(SoundSpeeds, AreChosenFromGravityAndSpeeds) {
  EXPECT_DOUBLE_EQ(chosen_with([](Case&) {}), 10 * std::sqrt(10.0062));
  EXPECT_DOUBLE_EQ(chosen_with([](Case& c) { c.bodies[0].velocity = {3, -4, 0}; }), 50);
  EXPECT_DOUBLE_EQ(chosen_with([](Case& c) { c.bodies[0].vortices = {6, 1}; }), 60);
  EXPECT_DOUBLE_EQ(chosen_with([](Case& c) { c.bodies[0].strain_rate = {4, 0, 0}; }), 10 * 4 * 2.02);
  EXPECT_DOUBLE_EQ(chosen_with([](Case& c) {
                     c.walls[0].motion.kind = MotionKind::translation;
                     c.walls[0].motion.velocity = {7, 0, 0};
                   }),
                   70);
}

TEST(SoundSpeeds, CountTheWholeFallToTheGround) {
  const auto lift = [](Case& c) {
    c.bodies[0].box.from[1] += 1;
    c.bodies[0].box.to[1] += 1;
  };
  EXPECT_DOUBLE_EQ(chosen_with(lift), 10 * std::sqrt(9.81 * 2.02));
  EXPECT_DOUBLE_EQ(chosen_with([&](Case& c) {  // the top of the plate is the ground
                     lift(c);
                     c.walls[0].box = {{0, 0.2, 0}, {5.38, 0.5, 0}};
                     c.walls[0].solid = true;
                   }),
                   10 * std::sqrt(9.81 * 1.52));
}

TEST(SoundSpeeds, OfAThinLiquidAreLarger) {
  EXPECT_DOUBLE_EQ(chosen_with([](Case& c) {
                     c.materials.push_back(water());
                     c.materials[1].name = "mercury";
                     c.materials[1].density = 4000;
                     c.bodies.push_back({"mercury", {{3, 0, 0}, {3.5, 0.5, 0}}, {}, {}});
                   }),
                   20 * std::sqrt(10.0062));
}

TEST(SoundSpeeds, OfRealLiquidsAndStillOnesMustBeGiven) {
  const auto refusal = [](const std::function<void(Case&)>& change) {
    return message_of([&] { chosen_with(change); });
  };
  EXPECT_THAT(refusal([](Case& c) { c.scheme.energy = true; }),
              HasSubstr("missing key `material.water.sound_speed` (number, m/s): it is chosen for tait and linear"));
  EXPECT_THAT(refusal([](Case& c) { c.materials[0].equation_of_state = EquationOfState::mie_grueneisen; }),
              HasSubstr("it is chosen for tait and linear"));
  EXPECT_THAT(refusal([](Case& c) { c.scheme.gravity = {}; }),
              HasSubstr("it cannot be chosen, since the case has neither gravity nor a speed at the start"));
}

Case oil_drop() {
  Case simulation = block_of_water(10, 10);  // h = 0.012 m
  simulation.materials.push_back(water());
  simulation.materials[1].name = "oil";
  for (Material& material : simulation.materials) material.equation_of_state = EquationOfState::linear;
  simulation.surface_tensions = {{{"oil", "water"}, 300}};  // 25,000 Pa over h
  return simulation;
}

TEST(CaseWarnings, AnInterfaceNeedsAPressure) {
  Case simulation = oil_drop();
  const std::vector<Warning> list = warnings(simulation);
  ASSERT_THAT(names(list), ElementsAre("tension"));
  EXPECT_EQ(list[0].value, 0);
  EXPECT_DOUBLE_EQ(list[0].limit, 25'000);
  EXPECT_EQ(list[0].text(),
            "a body of water starts at 0 Pa, expected at least the largest coefficient of surface tension over the "
            "smoothing length, 25000 Pa: particles gather along interfaces. Let the liquids fill a closed or periodic "
            "domain, and raise body.density.");
  simulation.bodies[0].density = 1010;  // 25,000 Pa
  EXPECT_THAT(names(warnings(simulation)), ElementsAre());
  simulation.surface_tensions.clear();
  simulation.bodies[0].density.reset();
  EXPECT_THAT(names(warnings(simulation)), ElementsAre());
}

TEST(CaseWarnings, AFixedStepIsNotLongerThanThatOfCapillaryWaves) {
  Case simulation = oil_drop();
  simulation.bodies[0].density = 1034;
  simulation.surface_tensions[0].coefficient = 1000;
  const double limit = 0.25 * std::sqrt(1000 * 0.012 * 0.012 * 0.012 / (2 * 3.14159265358979324 * 1000));
  simulation.scheme.dt = 1.01 * limit;
  const std::vector<Warning> list = warnings(simulation);
  ASSERT_THAT(names(list), ElementsAre("time_step"));
  EXPECT_DOUBLE_EQ(list[0].limit, limit);
  EXPECT_THAT(list[0].text(), HasSubstr("the stability limit of surface tension"));
  simulation.scheme.dt = 0.99 * limit;
  EXPECT_THAT(names(warnings(simulation)), ElementsAre());
}

}  // namespace
}  // namespace shoal::sph
