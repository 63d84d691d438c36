// SPDX-License-Identifier: Apache-2.0
// Flow rates through sections: uniform flow, sections partly in air, two liquids, and the bits of ranks.
#include <gmock/gmock.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <cmath>

#include "sph/diagnostics/probes/section.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class SphFlowRate : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphFlowRate, testing::ValuesIn(methods("sph")), method_test_name);

Probe through(const std::vector<Vector>& corners, double raster = 0) {
  Probe probe;
  probe.name = "p";
  probe.kind = ProbeKind::flow_rate;
  probe.corners = corners;
  probe.raster = raster;
  return probe;
}

/// Periodic box of 0.3 m x 0.2 m (x 0.1 m) full of water that moves as one.
Case periodic_flow(int dimensions) {
  Case simulation = dimensions == 2 ? block_of_water(30, 20) : block_of_water(30, 20, 10);
  simulation.bodies[0].velocity = {1.5, -0.5, dimensions == 3 ? 0.25 : 0};
  simulation.bodies[0].jitter = 0.2;
  simulation.domain = simulation.bodies[0].box;
  simulation.scheme.periodic = {Axis::x, Axis::y};
  if (dimensions == 3) simulation.scheme.periodic.push_back(Axis::z);
  return simulation;
}

TEST_P(SphFlowRate, OfUniformFlowIsVelocityTimesArea) {
  const std::vector<double> flat =
      solver(periodic_flow(2))
          .measure({through({{0.1, 0, 0}, {0.1, 0.2, 0}}), through({{0.1, 0.2, 0}, {0.1, 0, 0}}),
                    through({{0, 0.12, 0}, {0.3, 0.12, 0}}), through({{0.05, 0.02, 0}, {0.2, 0.15, 0}}),
                    through({{0.1, 0, 0}, {0.1, 0.2, 0}}, 0.07)});
  ASSERT_EQ(flat.size(), 5u);
  EXPECT_NEAR(flat[0], 1.5 * 0.2, 1e-12);
  EXPECT_NEAR(flat[1], -1.5 * 0.2, 1e-12) << "from the other side";
  EXPECT_NEAR(flat[2], 0.5 * 0.3, 1e-12) << "down is to the right of +x";
  EXPECT_NEAR(flat[3], 1.5 * 0.13 + 0.5 * 0.15, 1e-12);
  EXPECT_NEAR(flat[4], 1.5 * 0.2, 1e-12) << "a coarse raster";

  const Vector a = {0.02, 0.01, 0.01}, b = {0.2, 0.04, 0.03}, c = {0.1, 0.15, 0.08};
  const std::vector<double> deep =
      solver(periodic_flow(3))
          .measure({through({{0.1, 0, 0}, {0.1, 0.2, 0}, {0.1, 0.2, 0.1}, {0.1, 0, 0.1}}, 0.02),
                    through({{0.1, 0, 0.1}, {0.1, 0.2, 0.1}, {0.1, 0.2, 0}, {0.1, 0, 0}}, 0.02), through({a, b, c})});
  ASSERT_EQ(deep.size(), 3u);
  EXPECT_NEAR(deep[0], 1.5 * 0.02, 1e-12);
  EXPECT_NEAR(deep[1], -1.5 * 0.02, 1e-12) << "corners the other way around";
  const Vector u = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, w = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  EXPECT_NEAR(
      deep[2],
      (1.5 * (u[1] * w[2] - u[2] * w[1]) - 0.5 * (u[2] * w[0] - u[0] * w[2]) + 0.25 * (u[0] * w[1] - u[1] * w[0])) / 2,
      1e-12);
}

TEST_P(SphFlowRate, CountsNoAir) {
  Case simulation = block_of_water(30, 20);
  simulation.bodies[0].velocity = {1.5, -0.5, 0};
  simulation.domain = Box{{-1, -1, 0}, {1, 1, 0}};
  const Solver run = solver(simulation);
  const std::vector<double> values =
      run.measure({through({{0.15, -0.1, 0}, {0.15, 0.4, 0}}), through({{0.15, -0.103, 0}, {0.15, 0.294, 0}}),
                   through({{0.5, 0, 0}, {0.5, 0.2, 0}}), through({{0.32, 0, 0}, {0.32, 0.2, 0}})});
  EXPECT_NEAR(values[0], 1.5 * 0.2, 1e-12) << "cells between rows of particles";
  EXPECT_NEAR(values[1], 1.5 * 0.2, 1.5 * 0.01) << "cells elsewhere";
  EXPECT_EQ(values[2], 0) << "all in air";
  EXPECT_EQ(values[3], 0) << "in air beside water";

  simulation = block_of_water(12, 10, 10);
  simulation.bodies[0].velocity = {1.5, 0, 0};
  simulation.domain = Box{{-0.2, -0.2, -0.2}, {0.3, 0.3, 0.3}};
  const Probe wide = through({{0.06, 0.03, 0}, {0.06, 0.07, 0}, {0.06, 0.07, 0.2}, {0.06, 0.03, 0.2}});
  EXPECT_NEAR(solver(simulation).measure({wide})[0], 1.5 * 0.04 * 0.1, 1e-12) << "half in air";
}

TEST_P(SphFlowRate, OfShearIsItsIntegral) {
  Case simulation = block_of_water(30, 20);
  simulation.bodies[0].strain_rate = {2, 0, 0};  // v_x = 2 x
  EXPECT_NEAR(solver(simulation).measure({through({{0.15, 0, 0}, {0.15, 0.2, 0}})})[0], 2 * 0.15 * 0.2, 1e-7);
}

TEST_P(SphFlowRate, OfTwoLiquidsIsThatOfTheirVolumes) {
  Case simulation = block_of_water(30, 20);
  simulation.materials.push_back(water());
  simulation.materials[1].name = "light";
  simulation.materials[1].density = 10;
  simulation.bodies[0].velocity = {1, 0, 0};
  simulation.bodies.push_back({"light", {{0, 0.2, 0}, {0.3, 0.4, 0}}, {3, 0, 0}, {}});
  const Probe probe = through({{0.15, 0, 0}, {0.15, 0.4, 0}});
  EXPECT_NEAR(solver(simulation).measure({probe})[0], 1 * 0.2 + 3 * 0.2, 1e-6);
}

TEST_P(SphFlowRate, HasTheBitsOfOneRank) {
  Case simulation = periodic_flow(2);
  simulation.method = GetParam().name;
  const std::vector<Probe> probes = {through({{0.1, 0.01, 0}, {0.13, 0.19, 0}}), through({{0, 0.1, 0}, {0.3, 0.1, 0}})};
  const auto values_on = [&](int count) {
    std::vector<std::vector<double>> values(static_cast<std::size_t>(count));
    run_on_ranks(count, [&](const Communicator& ranks) {
      Solver run(queue(), simulation, ranks);
      run.advance_steps(20);
      values[static_cast<std::size_t>(ranks.rank())] = run.measure(probes);
    });
    for (const std::vector<double>& part : values) EXPECT_EQ(part, values[0]);
    return values[0];
  };
  const std::vector<double> expected = values_on(1);
  for (const int count : {2, 3, 4}) EXPECT_EQ(values_on(count), expected) << count;
}

double area_of(const Section& section) {
  double area = 0;
  for (const SectionCell& cell : section.cells) area += cell.area;
  return area;
}

TEST(SphSection, HasCellsOfTheRaster) {
  const Section line = section_of(through({{0, 0, 0}, {0, 0.1, 0}}), 2, 0.01);
  ASSERT_EQ(line.cells.size(), 10u);
  EXPECT_NEAR(line.cells[3].center[1], 0.035, 1e-15);
  EXPECT_EQ(line.normal, (Vector{1, 0, 0}));
  EXPECT_EQ(section_of(through({{0, 0, 0}, {0, 0.1, 0}}, 0.03), 2, 0.01).cells.size(), 4u);

  const Section rectangle = section_of(through({{1, 0, 0}, {1, 0.2, 0}, {1, 0.2, 0.1}, {1, 0, 0.1}}), 3, 0.05);
  ASSERT_EQ(rectangle.cells.size(), 8u);
  EXPECT_EQ(rectangle.normal, (Vector{1, 0, 0}));
  EXPECT_NEAR(rectangle.cells[5].center[1], 0.075, 1e-15);
  EXPECT_NEAR(rectangle.cells[5].center[2], 0.075, 1e-15);
}

TEST(SphSection, IsCutAtItsEdge) {
  const std::vector<Vector> triangle = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_NEAR(area_of(section_of(through(triangle), 3, 0.07)), 0.5, 1e-14);
  const std::vector<Vector> corner = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  EXPECT_NEAR(area_of(section_of(through(corner), 3, 0.13)), 3, 1e-13);
  const std::vector<Vector> notch = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 0.5, 0}, {0, 2, 0}};
  const Section section = section_of(through(notch), 3, 5);
  ASSERT_EQ(section.cells.size(), 1u);
  EXPECT_NEAR(section.cells[0].area, 2.5, 1e-14);
  EXPECT_NEAR(section.cells[0].center[0], 1, 1e-14);
  EXPECT_NEAR(section.cells[0].center[1], (4 - 1.5 * 1.5) / 2.5, 1e-14) << "of the square less the notch";
}

std::string message_with(const Probe& probe, int dimensions = 3) {
  Case simulation = periodic_flow(dimensions);
  simulation.probes = {probe};
  return message_of([&] { Solver(Queue::cpu(1), simulation); });
}

TEST(SphSectionErrors, AreFoundBeforeTheRun) {
  const Vector a = {0, 0, 0}, b = {0.1, 0, 0}, c = {0.1, 0.1, 0}, d = {0, 0.1, 0};
  EXPECT_EQ(message_with(through({a, b, c}), 2),
            "sph: probe \"p\" has 3 corners, expected the 2 ends of a line in 2-D.");
  EXPECT_EQ(message_with(through({a, b})), "sph: probe \"p\" has 2 corners, expected 3 to 1000 of a polygon in 3-D.");
  EXPECT_EQ(message_with(through({a, a}), 2),
            "sph: probe \"p\" has two corners at one point, expected the ends of a line. Move one of them.");
  EXPECT_THAT(message_with(through({a, b, {0.2, 0, 0}})), HasSubstr("has corners that enclose an area of 0 m2"));
  EXPECT_THAT(message_with(through({a, b, c, {0, 0.1, 0.02}})), HasSubstr("m beside the plane of the section"));
  EXPECT_EQ(message_with(through({a, b, d, {0.08, 0.08, 0}})),
            "sph: probe \"p\" has a section whose edges 1 and 3 cross. Give its corners in their order around it.");
  EXPECT_EQ(
      message_with(through({a, b, c, d}, 1e-4)),
      "sph: probe \"p\" has a section of 1000000 cells of 0.0001 m, expected at most 10000. Set probe.raster to a "
      "larger spacing of its cells.");
  EXPECT_EQ(message_with(through({a, b, c, d}, -1)), "sph: probe.raster = -1 m, expected 0 or a positive number.");
  EXPECT_THAT(message_with(through({a, b, {0.1, std::nan(""), 0}})), HasSubstr("a corner with the component nan m"));
  EXPECT_THAT(message_with(through({a, {0, 7, 0}}, 0.05), 2), HasSubstr("probe \"p\" is outside the domain: at[1] = "));
  Case simulation = block_of_water(8, 0);
  simulation.dimensions = 1;
  simulation.probes = {through({a, b})};
  EXPECT_EQ(message_of([&] { Solver(Queue::cpu(1), simulation); }),
            "sph: probe \"p\" is a flow_rate, but particles.dimensions = 1, expected 2 or 3. Remove the probe.");
}

TEST(SphFlowRateColumns, HaveTheUnitOfTheDimensions) {
  EXPECT_THAT(probe_columns(through({}), 2), testing::ElementsAre("flow_rate [m2/s]"));
  EXPECT_THAT(probe_columns(through({}), 3), testing::ElementsAre("flow_rate [m3/s]"));
}

}  // namespace
}  // namespace shoal::sph
