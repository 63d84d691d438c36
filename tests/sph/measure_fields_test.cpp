// SPDX-License-Identifier: Apache-2.0
// Probes in fields: those of the run at the same time, one particle by hand, and fields that are not those of the case.
#include <gmock/gmock.h>
#include <shoal/sph/measure.hpp>

#include <cmath>

#include "sph/diagnostics/probes/body_probes.hpp"
#include "sph/sph_cases.hpp"
#include "support/enumerators.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// Probes of every kind, in the lower left part of the water.
std::vector<Probe> probes_of_every_kind(int dimensions) {
  std::vector<Probe> probes;
  for (const ProbeKind kind : every<ProbeKind>()) {
    Probe probe{std::string(to_name(kind)), kind, {0.071, kind == ProbeKind::wall_pressure ? 0.0 : 0.063, 0.033}, 0};
    probe.wall = "tank";
    probe.from = {0.07, 0.01, 0.03};
    probe.to = {0.07, 0.35, 0.03};
    probe.corners = {{0.06, 0, 0}, {0.06, 0.2, 0}};
    if (dimensions == 3) probe.corners = {{0.06, 0, 0}, {0.06, 0.1, 0}, {0.06, 0.1, 0.06}, {0.06, 0, 0.06}};
    probe.points = 5;
    for (const LineQuantity quantity : every<LineQuantity>()) {
      probe.of = quantity;
      if (kind == ProbeKind::line || quantity == LineQuantity::pressure) probes.push_back(probe);
    }
  }
  return probes;
}

bool is_stored(const Probe& probe) { return !has_wall(probe.kind) && !has_spring(probe.kind); }

/// Probes of every kind that fields have.
std::vector<Probe> stored_probes(int dimensions) {
  std::vector<Probe> probes = probes_of_every_kind(dimensions);
  std::erase_if(probes, [](const Probe& probe) { return !is_stored(probe); });
  return probes;
}

bool has_pressure(const Probe& probe) {
  return probe.kind == ProbeKind::pressure || probe.kind == ProbeKind::wall_pressure ||
         (probe.kind == ProbeKind::line && probe.of == LineQuantity::pressure);
}

/// A tank of water that flows to the right.
Case tank_of_water(int layers = 0) {
  Case simulation = block_of_water(16, 20, layers);
  simulation.bodies[0].velocity = {0.5, -0.2, 0.1};
  simulation.walls = {{"tank", {{0, 0, 0}, {0.3, 0.4, 0.01 * layers}}, {Side::top}, 3, ""}};
  simulation.domain = Box{{-0.05, -0.05, -0.05}, {0.4, 0.6, 0.15}};
  simulation.scheme.gravity = {0, -9.81, 0};
  return simulation;
}

/// Requires the values that the run measures itself.
/// @param precision  relative error of values; 0: pressures to the rounding of their float, all others bit for bit
void expect_values_of_run(const Case& simulation, double precision) {
  Solver run(Queue::cpu(2), simulation);
  run.advance_steps(25);
  const Fields fields = run.fields();
  for (const Probe& probe : stored_probes(simulation.dimensions)) {
    SCOPED_TRACE(probe.name);
    const std::vector<double> expected = run.measure({probe});
    const std::vector<double> values = measure(Queue::cpu(2), simulation, fields, {probe});
    ASSERT_EQ(values.size(), expected.size());
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0) << "the probe shows nothing";
    // A vorticity has the rounding of velocities over a spacing.
    if (probe.kind == ProbeKind::vorticity) largest = std::max(largest, 0.5 / simulation.spacing);
    const double error = precision > 0 ? precision : has_pressure(probe) ? 1e-6 : 0;
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], expected[k], error * largest) << k;
  }
}

TEST(MeasuredFields, HaveTheValuesOfTheRunInFloat) {
  expect_values_of_run(tank_of_water(), 0);
  expect_values_of_run(tank_of_water(6), 0);
}

TEST(MeasuredFields, HaveTheValuesOfTheRunInDoubleToTheRoundingOfFloats) {
  Case simulation = tank_of_water();
  simulation.precision = Precision::double_;
  expect_values_of_run(simulation, 1e-6);
}

TEST(MeasuredFields, HaveTheMassesOfBodiesAndThePeriodsOfTheGeneralModel) {
  Case simulation = general_case(Integrator::verlet, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
  simulation.bodies[0].velocity = {0.5, 0, 0};
  expect_values_of_run(simulation, 1e-6);
}

TEST(MeasuredFields, OfOneParticleAreItsValues) {
  Case simulation = block_of_water(1, 1);
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.1, 0.1, 0}};
  Fields fields = Solver(Queue::cpu(1), simulation).fields();
  ASSERT_EQ(fields.id.size(), 1u);
  fields.velocity = {1.5F, -0.25F, 0};
  fields.density = {1002};
  fields.pressure = {5000};
  const Vector nearby = {0.01, 0.005, 0};
  const std::vector<double> values = measure(Queue::cpu(1), simulation, fields,
                                             {{"front", ProbeKind::surge_front},
                                              {"v", ProbeKind::velocity, nearby},
                                              {"rho", ProbeKind::density, nearby},
                                              {"p", ProbeKind::pressure, nearby},
                                              {"far", ProbeKind::pressure, {0.05, 0.05, 0}}});
  ASSERT_EQ(values.size(), 6u);
  EXPECT_NEAR(values[0], 0.005, 1e-9);
  EXPECT_NEAR(values[1], 1.5, 1e-7);
  EXPECT_NEAR(values[2], -0.25, 1e-7);
  EXPECT_NEAR(values[3], 1002, 1e-4);
  EXPECT_NEAR(values[4], 5000, 1e-2);
  EXPECT_EQ(values[5], 0);
}

TEST(MeasuredFields, HaveNoForcesOfPairsAndNoBodies) {
  const Case simulation = tank_of_water();
  const Fields fields = Solver(Queue::cpu(1), simulation).fields();
  for (const Probe& probe : probes_of_every_kind(2)) {
    if (is_stored(probe)) continue;
    const std::string needed = is_of_body(probe.kind) ? "the state of the body" : "the forces of pairs";
    EXPECT_THAT(message_of([&] { measure(Queue::cpu(1), simulation, fields, {probe}); }),
                HasSubstr("probe \"" + probe.name + "\" is a " + probe.name + ", which needs " + needed));
  }
}

/// Message of a measurement in the fields of a tank after a change.
template <class Change>
std::string message_with(const Change& change) {
  const Case simulation = tank_of_water();
  Fields fields = Solver(Queue::cpu(1), simulation).fields();
  change(fields);
  return message_of([&] { measure(Queue::cpu(1), simulation, fields, {{"front", ProbeKind::surge_front}}); });
}

TEST(MeasuredFields, OfAnotherCaseOrOfOneRankAreErrors) {
  EXPECT_EQ(message_with([](Fields&) {}), "no error");
  EXPECT_THAT(message_with([](Fields& fields) { fields.body[0] = 1; }),
              HasSubstr("body = 1 for particle 0, but the case has 1, numbered from 0"));
  EXPECT_THAT(message_with([](Fields& fields) { fields.body[0] = -1; }), HasSubstr("body = -1 for particle 0"));
  EXPECT_THAT(message_with([](Fields& fields) { fields.material[2] = 3; }),
              HasSubstr("material = 3 for particle 2, but the case has 1"));
  EXPECT_THAT(message_with([](Fields& fields) { fields.wall_number.back() = 4; }), HasSubstr("wall_number = 4"));
  EXPECT_THAT(message_with([](Fields& fields) { fields.density.pop_back(); }),
              HasSubstr("values of density, expected"));
  EXPECT_THAT(message_with([](Fields& fields) { fields.body.clear(); }), HasSubstr("but 0 values of body, expected"));
  EXPECT_THAT(message_with([](Fields& fields) { ++fields.total; }), HasSubstr("expected the fields of all ranks"));
}

TEST(MeasuredFields, HaveNoProbesOutsideTheDomain) {
  const Case simulation = tank_of_water();
  const Fields fields = Solver(Queue::cpu(1), simulation).fields();
  EXPECT_THAT(message_of([&] {
                measure(Queue::cpu(1), simulation, fields, {{"p", ProbeKind::pressure, {9, 0, 0}}});
              }),
              HasSubstr("probe \"p\" is outside the domain"));
}

}  // namespace
}  // namespace shoal::sph
