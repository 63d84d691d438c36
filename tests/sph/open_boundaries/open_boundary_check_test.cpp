// SPDX-License-Identifier: Apache-2.0
// Open boundaries: every bad value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <functional>
#include <string>

#include "sph/open_boundaries/open_boundary_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

std::string message_with(const std::function<void(Case&)>& spoil) {
  Case simulation = free_stream();
  spoil(simulation);
  return message_of([&] { require_valid(simulation); });
}

TEST(OpenBoundary, EveryBadValueIsNamed) {
  const auto inlet = [](Case& c) -> OpenBoundary& { return c.open_boundaries[0]; };
  EXPECT_EQ(message_with([](Case&) {}), "no error");
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).box.to[0] = 0.02; }),
              HasSubstr("the box of open_boundary \"inlet\" spans [0, 0.02] m along x, expected at least 0.024 m"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).box.to[1] = 0.001; }), HasSubstr("a particle spacing"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).box.to[1] = std::nan(""); }), HasSubstr("m along y"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).box.from[0] = -0.2; }), HasSubstr("Enlarge [domain]"));
  EXPECT_THAT(message_with([&](Case& c) { c.open_boundaries[1].box.from[0] = 0.04; }),
              HasSubstr("the boxes of open_boundary \"inlet\" and open_boundary \"outlet\" overlap"));
  EXPECT_THAT(message_with([](Case& c) { c.scheme.periodic = {Axis::x}; }),
              HasSubstr("meets the fluid along x, along which the domain repeats"));
  EXPECT_EQ(message_with([&](Case& c) { inlet(c).material = "oil"; }),
            "sph: open_boundary.material = \"oil\" is not a [material.NAME] of the case.");
  EXPECT_THAT(message_with([](Case& c) { c.scheme.energy = true; }), HasSubstr("Set scheme.energy = false"));
  EXPECT_EQ(message_with([&](Case& c) { inlet(c).velocity = -1; }),
            "sph: open_boundary.velocity = -1 m/s, expected 0 or a positive number.");
  EXPECT_EQ(message_with([&](Case& c) { inlet(c).ramp = -1; }),
            "sph: open_boundary.ramp = -1 s, expected 0 or a positive number.");
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).returns = true; }),
              HasSubstr("open_boundary \"inlet\" has a velocity and returns = true"));
  EXPECT_THAT(message_with([](Case& c) { c.open_boundaries[1].ramp = 1; }), HasSubstr("a ramp without a velocity"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).times = {0}, inlet(c).speeds = {1}; }),
              HasSubstr("has a velocity and speeds at times"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).velocity = {}, inlet(c).speeds = {1}; }),
              HasSubstr("has 0 times and 1 speeds"));
  EXPECT_THAT(message_with([&](Case& c) {
                inlet(c).velocity = {}, inlet(c).times = {0, 0}, inlet(c).speeds = {1, 2};
              }),
              HasSubstr("has the time 0 s after 0 s"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).velocity = {}, inlet(c).times = {0}, inlet(c).speeds = {-2}; }),
              HasSubstr("open_boundary.speeds = -2 m/s"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).pressure = std::nan(""); }),
              HasSubstr("open_boundary.pressure = nan Pa"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).pressure = -1e9; }),
              HasSubstr("expected a pressure at which the equation of state of water has a density"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).water_level = 0.05; }), HasSubstr("gravity acts along 0 axes"));
  EXPECT_THAT(message_with([&](Case& c) {
                inlet(c).water_level = std::nan("");
                c.scheme.gravity = {0, -1, 0};
              }),
              HasSubstr("open_boundary.water_level = nan m"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).fluid = Side::front; }), HasSubstr("front"));
}

}  // namespace
}  // namespace shoal::sph
