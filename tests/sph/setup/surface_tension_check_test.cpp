// SPDX-License-Identifier: Apache-2.0
// Checks of the surface tension of a case, and what follows from it for the time step and the pressure.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "sph/physics/surface_tension/surface_tension.hpp"
#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

/// Oil of 800 kg/m³ beside water, h = 0.012 m.
Case oil_and_water() {
  Case simulation = block_of_water(10, 10);
  simulation.materials.push_back(water());
  simulation.materials[1].name = "oil";
  simulation.materials[1].density = 800;
  simulation.surface_tensions = {{{"oil", "water"}, 0.05}};
  return simulation;
}

std::string message_of_oil_and_water(const std::function<void(Case&)>& spoil) {
  Case simulation = oil_and_water();
  spoil(simulation);
  return message_of([&] { require_valid(simulation); });
}

TEST(SurfaceTensionCheck, EveryBadNumberIsNamed) {
  EXPECT_EQ(message_of_oil_and_water([](Case&) {}), "no error");
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_EQ(message_of_oil_and_water([&](Case& c) { c.surface_tensions[0].coefficient = bad; }),
              text("sph: surface_tension.coefficient = ", bad, " N/m, expected a positive number."));
}

TEST(SurfaceTensionCheck, TheRepulsionIsAShare) {
  EXPECT_EQ(message_of_oil_and_water([](Case& c) { c.surface_tensions[0].repulsion = -0.1; }),
            "sph: surface_tension.repulsion = -0.1, expected 0 to 1.");
  EXPECT_EQ(message_of_oil_and_water([](Case& c) { c.surface_tensions[0].repulsion = 0.1; }), "no error");
}

TEST(SurfaceTensionCheck, IsBetweenTwoMaterialsOfTheCase) {
  const auto message_of_pair = [](const std::vector<std::string>& between) {
    return message_of_oil_and_water([&](Case& c) { c.surface_tensions[0].between = between; });
  };
  EXPECT_EQ(message_of_pair({"water", "oil"}), "no error");
  EXPECT_EQ(message_of_pair({"oil"}),
            "sph: surface_tension.between has 1 names, expected two materials, as in between = [\"oil\", \"water\"].");
  EXPECT_EQ(message_of_pair({"oil", "water", "air"}),
            "sph: surface_tension.between has 3 names, expected two materials, as in between = [\"oil\", \"water\"].");
  EXPECT_EQ(message_of_pair({"oil", "air"}),
            "sph: surface_tension.between has \"air\", expected a [material.NAME]: water, oil.");
  EXPECT_EQ(message_of_pair({"oil", "oil"}),
            "sph: surface_tension.between has \"oil\" twice, expected two materials. A free surface has no surface "
            "tension.");
  EXPECT_EQ(message_of_oil_and_water([](Case& c) {
              c.surface_tensions.push_back({{"water", "oil"}, 0.07});
            }),
            "sph: two [[surface_tension]] are between \"water\" and \"oil\". Remove one.");
}

TEST(SurfaceTensionCheck, NeedsACaseInWhichItActs) {
  EXPECT_EQ(
      message_of_oil_and_water([](Case& c) { c.dimensions = 1; }),
      "sph: the case has a surface tension, but a 1-D interface has no curvature. Set particles.dimensions = 2 or "
      "3.");
  EXPECT_EQ(message_of_oil_and_water([](Case& c) { c.smoothing_length = SmoothingLength::by_density; }),
            "sph: surface tension needs particles.smoothing_length = \"uniform\".");
  EXPECT_EQ(
      message_of_oil_and_water([](Case& c) {
        c.walls = {{"box", {{0.2, 0.2, 0}, {0.3, 0.3, 0}}, {}, 3, ""}};
        c.walls[0].solid = true;
        c.rigid_bodies = {{.wall = "box", .mass = 1}};
        c.scheme.walls = Walls::dynamic;
      }),
      "sph: the case has a surface tension and a [[rigid_body]], on which interfaces would not pull. Remove one.");
}

TEST(SurfaceTensionCheck, TheLighterFluidBoundsTheStep) {
  const Case simulation = oil_and_water();
  const double expected = 0.25 * std::sqrt(800 * 0.012 * 0.012 * 0.012 / (2 * std::numbers::pi * 0.05));
  EXPECT_DOUBLE_EQ(capillary_step(simulation), expected);
  EXPECT_TRUE(std::isinf(capillary_step(block_of_water(3, 3))));
}

TEST(SurfaceTensionCheck, TheLargestTensionSetsThePressure) {
  Case simulation = oil_and_water();
  simulation.materials.push_back(water());
  simulation.materials[2].name = "air";
  simulation.surface_tensions.push_back({{"air", "water"}, 0.07});
  EXPECT_DOUBLE_EQ(capillary_pressure(simulation), 0.07 / 0.012);
  EXPECT_EQ(capillary_pressure(block_of_water(3, 3)), 0);
}

TEST(SurfaceTensionCheck, InterfacesAreThoseOfThePairs) {
  Case simulation = oil_and_water();
  simulation.materials.push_back(water());
  simulation.materials[2].name = "air";
  simulation.surface_tensions.push_back({{"air", "water"}, 0.07, 0.02});
  const auto interfaces = make_interfaces<double>(simulation);
  ASSERT_EQ(interfaces.size(), 9u);
  const double coefficients[] = {0, 0.05, 0.07, 0.05, 0, 0, 0.07, 0, 0};
  const double repulsions[] = {0, 0, 0.02, 0, 0, 0, 0.02, 0, 0};
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_EQ(interfaces[k].coefficient, coefficients[k]) << k;
    EXPECT_EQ(interfaces[k].repulsion, repulsions[k]) << k;
  }
  EXPECT_TRUE(make_interfaces<float>(block_of_water(3, 3)).empty());
}

}  // namespace
}  // namespace shoal::sph
