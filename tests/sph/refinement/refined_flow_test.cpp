// SPDX-License-Identifier: Apache-2.0
// Flows across the sides of boxes with finer particles.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>

#include "sph/refinement/refinement_cases.hpp"
#include "sph/sph_method_test.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class RefinedFlow : public SphMethodTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, RefinedFlow, testing::ValuesIn(methods("sph")), method_test_name);

Probe probe_at(ProbeKind kind, double x, double y) {
  Probe probe;
  probe.name = "probe";
  probe.kind = kind;
  probe.at = {x, y, 0};
  return probe;
}

TEST_P(RefinedFlow, BeginsWithTheParticlesOfItsSpacings) {
  const Solver s = solver(partly_fine_water());
  const Fields fields = s.fields();
  std::int64_t fluid = 0;
  for (const std::uint8_t wall : fields.wall) fluid += wall == 0;
  EXPECT_EQ(fluid, 15 * 25 + 20 * 50);
  EXPECT_NEAR(s.balance().mass, 1000, 1e-6);
  EXPECT_EQ(s.balance().refinement_defect.size(), 1u);
  EXPECT_NEAR(s.balance().refinement_defect[0], 0, 1e-6);
}

TEST_P(RefinedFlow, StillWaterStaysStill) {
  Solver s = solver(partly_fine_water());
  s.advance_to(0.5);
  const Balance balance = s.balance();
  const double energy = 1000 * 9.81;  // ρ g H V
  EXPECT_LT(balance.kinetic / energy, 2e-5);
  EXPECT_NEAR(balance.mass, 1000, 5);
  EXPECT_NEAR(balance.refinement_defect[0], 0, 4);
  for (const double x : {0.2, 0.6, 0.9})
    EXPECT_NEAR(s.measure({probe_at(ProbeKind::water_height, x, 0)})[0], 1, 0.02) << x;
  for (const double x : {0.2, 0.6})
    EXPECT_NEAR(s.measure({probe_at(ProbeKind::pressure, x, 0.5)})[0], 1000 * 9.81 * 0.5, 200) << x;
}

TEST_P(RefinedFlow, AUniformStreamStaysUniform) {
  Solver s = solver(stream_through_a_box());
  s.advance_to(0.25);
  const Fields fields = s.fields();
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    EXPECT_NEAR(fields.velocity[3 * i], 1, 0.01);
    EXPECT_NEAR(fields.velocity[3 * i + 1], 0.3, 0.01);
  }
  EXPECT_NEAR(s.balance().mass, 1000, 10);
  EXPECT_NEAR(s.balance().refinement_defect[0], 0, 10);
}

TEST_P(RefinedFlow, HasTheForceOfAllWallParticles) {
  Case simulation = partly_fine_water();
  Solver s = solver(simulation);
  s.advance_to(0.3);
  Probe force;
  force.name = "force";
  force.kind = ProbeKind::force;
  force.wall = "tank";
  EXPECT_NEAR(s.measure({force})[1], -9810, 300);
}

}  // namespace
}  // namespace shoal::sph
