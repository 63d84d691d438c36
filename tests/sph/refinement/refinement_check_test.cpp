// SPDX-License-Identifier: Apache-2.0
// Messages about boxes of finer particles that a case cannot have, and the places of levels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include "sph/refinement/levels.hpp"
#include "sph/refinement/refinement_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

std::string message(const Case& simulation) {
  return message_of([&] { require_valid(simulation); });
}

TEST(RefinementCheck, BoxesAreOnTheLatticeAndWithinEachOther) {
  EXPECT_EQ(message(partly_fine_water()), "no error");
  EXPECT_EQ(message(collapse_into_boxes()), "no error");
  EXPECT_THAT(message(still_water({finer(0.41, 0, 0.8, 1.2)})), HasSubstr("has a side at x = 0.41 m"));
  EXPECT_THAT(message(still_water({finer(0.4, 0, 0.6, 1.2)})), HasSubstr("m long along x, expected at least 0.32 m"));
  EXPECT_THAT(message(still_water({finer(0.4, 0, 8, 1.2)})), HasSubstr("beyond the domain"));
  EXPECT_THAT(message(still_water({finer(0.2, 0, 0.6, 0.6), finer(0.4, 0, 0.8, 0.4)})),
              HasSubstr("beyond the one before it"));
  Case simulation = partly_fine_water();
  simulation.refinements[0].ratio = 3;
  EXPECT_THAT(message(simulation), HasSubstr("refinement.ratio = 3, expected 2"));
  simulation = stream_through_a_box();
  simulation.refinements[0].box.from[0] = 0.06;
  EXPECT_THAT(message(simulation), HasSubstr("reaches the side at which the domain repeats along x"));
}

TEST(RefinementCheck, WhatLevelsDoNotExchangeIsRefused) {
  const auto message_with = [](auto change) {
    Case simulation = partly_fine_water();
    change(simulation);
    return message(simulation);
  };
  EXPECT_THAT(message_with([](Case& c) { c.scheme.integrator = Integrator::verlet; }), HasSubstr("verlet"));
  EXPECT_THAT(message_with([](Case& c) { c.scheme.energy = true; }), HasSubstr("scheme.energy"));
  EXPECT_THAT(message_with([](Case& c) { c.smoothing_length = SmoothingLength::by_density; }), HasSubstr("by_density"));
  EXPECT_THAT(message_with([](Case& c) { c.bodies[0].spacing = 0.02; }), HasSubstr("body.spacing"));
  EXPECT_THAT(message_with([](Case& c) { c.output.isosurface = Isosurface{}; }), HasSubstr("output.isosurface"));
  EXPECT_THAT(message_with([](Case& c) {
                c.walls[0].motion.kind = MotionKind::translation;
                c.walls[0].motion.velocity = {1, 0, 0};
              }),
              HasSubstr("a wall that moves"));
}

TEST(RefinementCheck, AProgramDoesNotSetTheirParticles) {
  Solver s(Queue::cpu(), partly_fine_water());
  EXPECT_THAT(message_of([&] { s.particles(); }), HasSubstr("the case has [[refinement]]"));
  s.on_step([](Particles&) { return true; });
  EXPECT_THAT(message_of([&] { s.advance_steps(1); }), HasSubstr("the case has [[refinement]]"));
}

TEST(RefinementLevels, HaveAGuardZoneAndACoveredPart) {
  const std::vector<Level> levels = levels_of(partly_fine_water());
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[1].simulation.spacing, 0.02);
  // The guard zone: a support of 3 fine spacings and one more, as whole coarse spacings.
  EXPECT_NEAR(levels[1].region->from[0], 0.4 - 0.08, 1e-12);
  EXPECT_NEAR(levels[1].region->to[0], 0.8 + 0.08, 1e-12);
  // The covered part: a coarse support within the box.
  EXPECT_NEAR(levels[0].covered->from[0], 0.4 + 0.12, 1e-12);
}

}  // namespace
}  // namespace shoal::sph
