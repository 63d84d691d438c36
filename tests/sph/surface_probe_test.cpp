// SPDX-License-Identifier: Apache-2.0
// Water surfaces along lines: of still blocks, beside spray, and of lines that are dry or wet.
#include <gmock/gmock.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <cmath>

#include "sph/diagnostics/probes/surface.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

class SphSurface : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphSurface, testing::ValuesIn(methods("sph")), method_test_name);

Probe along(const Vector& first, const Vector& last) {
  Probe probe;
  probe.name = "p";
  probe.kind = ProbeKind::surface;
  probe.from = first;
  probe.to = last;
  return probe;
}

/// Water of 0.3 m x 0.2 m, or 0.1 m x 0.1 m x 0.2 m.
Case block(int dimensions) {
  Case simulation = dimensions == 2 ? block_of_water(30, 20) : block_of_water(10, 10, 20);
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.5, 0.6, 0.6}};
  return simulation;
}

Body drop(const Vector& first, const Vector& last) { return {"water", {first, last}, {}, {}}; }

TEST_P(SphSurface, OfABlockIsItsTop) {
  const std::vector<double> flat =
      solver(block(2)).measure({along({0.153, 0, 0}, {0.153, 0.4, 0}), along({0.153, -0.09, 0}, {0.153, 0.41, 0}),
                                along({0.1, 0.1, 0}, {0.25, 0.4, 0})});
  ASSERT_EQ(flat.size(), 6u);
  EXPECT_NEAR(flat[0], 0.153, 1e-15);
  EXPECT_NEAR(flat[1], 0.2, 0.001);
  EXPECT_NEAR(flat[3], flat[1], 0.0005) << "from below the water";
  EXPECT_NEAR(flat[4], 0.15, 0.0005) << "a tilted line";
  EXPECT_NEAR(flat[5], 0.2, 0.001);
  const std::vector<double> deep = solver(block(3)).measure({along({0.05, 0.04, 0}, {0.05, 0.04, 0.4})});
  ASSERT_EQ(deep.size(), 3u);
  EXPECT_NEAR(deep[0], 0.05, 1e-15);
  EXPECT_NEAR(deep[1], 0.04, 1e-15);
  EXPECT_NEAR(deep[2], 0.2, 0.001);
}

TEST_P(SphSurface, IsNotThatOfSpray) {
  Case simulation = block(2);
  simulation.bodies.push_back(drop({0.14, 0.3, 0}, {0.16, 0.32, 0}));
  const Probe line = along({0.15, 0, 0}, {0.15, 0.5, 0});
  EXPECT_NEAR(solver(simulation).measure({line})[1], 0.2, 0.001) << "a drop of 2 cm";
  simulation.bodies[1] = drop({0.1, 0.3, 0}, {0.2, 0.4, 0});
  EXPECT_NEAR(solver(simulation).measure({line})[1], 0.4, 0.001) << "water of 10 cm";
}

TEST_P(SphSurface, OfALineThatIsDryOrWet) {
  const Solver run = solver(block(2));
  EXPECT_TRUE(std::isnan(run.measure({along({0.4, 0, 0}, {0.4, 0.4, 0})})[1])) << "dry";
  EXPECT_THAT(run.measure({along({0.15, 0.05, 0}, {0.15, 0.15, 0})}), ElementsAre(0.15, 0.15)) << "wet to its end";
}

TEST(SphSurfacePoint, EndsTheLastLongRun) {
  Case simulation = block_of_water(1, 1);  // 2 h = 2.4 cm, samples every 0.5 cm
  const Probe line = along({0, 0, 0}, {0, 0.05, 0});
  ASSERT_EQ(surface_samples(line, simulation.spacing).size(), 11u);
  const auto height = [&](const std::vector<double>& filling) { return surface_point(line, simulation, filling)[1]; };
  EXPECT_DOUBLE_EQ(height({1, 1, 1, 1, 1, 1, 0.75, 0.25, 0, 0, 0}), 0.0325);
  EXPECT_DOUBLE_EQ(height({1, 1, 1, 1, 1, 1, 0.8, 0.4, 0, 1, 0}), 0.03375) << "a short run above";
  EXPECT_DOUBLE_EQ(height({0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0}), 0.0425) << "a short run below";
  EXPECT_DOUBLE_EQ(height({0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}), 0.05);
  EXPECT_TRUE(std::isnan(height({0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0})));
}

TEST(SphSurfaceErrors, AreFoundBeforeTheRun) {
  const auto message_with = [](const Probe& probe) {
    Case simulation = block(2);
    simulation.probes = {probe};
    return message_of([&] { Solver(Queue::cpu(1), simulation); });
  };
  EXPECT_EQ(message_with(along({0.1, 0, 0}, {0.1, 0, 0})),
            "sph: probe \"p\" has a line of 0 m, expected different finite points. Change probe.from or probe.to.");
  EXPECT_THAT(message_with(along({0, 0, 0}, {0, 90, 0})), HasSubstr("expected less than 5000. Shorten the line."));
  EXPECT_THAT(message_with(along({0, 0, 0}, {0, 9, 0})), HasSubstr("probe \"p\" is outside the domain: at[1] = "));
}

TEST(SphSurfaceColumns, AreTheCoordinates) {
  EXPECT_THAT(probe_columns(along({}, {}), 2), ElementsAre("surface_x [m]", "surface_y [m]"));
  EXPECT_THAT(probe_columns(along({}, {}), 1), ElementsAre("surface [m]"));
}

}  // namespace
}  // namespace shoal::sph
