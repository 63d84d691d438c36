// SPDX-License-Identifier: Apache-2.0
// Probes of every kind, and restarts of runs that have lost particles, on several ranks: the bits of one rank.
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include "io/run/rank_parts.hpp"
#include "sph/diagnostics/probes/body_probes.hpp"
#include "sph/ranks/joined_parts.hpp"
#include "sph/sph_cases.hpp"
#include "support/enumerators.hpp"
#include "support/method_suite.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class RankReports : public MethodTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, RankReports, testing::ValuesIn(methods("sph")), method_test_name);

/// Water at rest on a floor, and water above it that leaves the domain across the first axis.
Case leaking_tank(int dimensions, Walls walls) {
  const int up = dimensions - 1;
  Case simulation = block_of_water(12, 12, dimensions == 3 ? 12 : 0);
  simulation.dimensions = dimensions;
  Body& low = simulation.bodies[0];
  if (dimensions == 3) low.box.to[1] = 0.06;
  for (int axis = dimensions; axis < 3; ++axis) low.box.to[axis] = 0;
  Body high = low;
  high.box.from[up] = low.box.to[up];
  high.box.to[up] = 2 * low.box.to[up];
  high.velocity[0] = 8;
  low.pressure = InitialPressure::hydrostatic;
  simulation.bodies.push_back(high);
  const Box water{{0, 0, 0}, high.box.to};
  simulation.walls = {{"tank", water, {Side::right}, 3, ""}};
  if (dimensions > 1) simulation.walls[0].open.push_back(Side::top);
  if (dimensions > 2) simulation.walls[0].open.insert(simulation.walls[0].open.end(), {Side::front, Side::back});
  simulation.domain = water;
  for (int axis = 0; axis < dimensions; ++axis) {
    simulation.domain->from[axis] -= axis == 0 ? 0.0465 : 0.05;
    simulation.domain->to[axis] += axis == 0 ? 0.001 : 0.06;  // seven cells of 2.4 cm across the first axis
  }
  simulation.scheme.walls = walls;
  simulation.scheme.gravity[up] = -9.81;
  return simulation;
}

/// One probe of each kind that a case can have, and a line of each quantity.
std::vector<Probe> probes_of(const Case& simulation) {
  std::vector<Probe> probes;
  const Box& water = simulation.bodies[0].box;
  for (const ProbeKind kind : every<ProbeKind>()) {
    if (is_of_body(kind)) continue;  // these cases have no rigid bodies
    if (kind == ProbeKind::wall_pressure && !has_pressure(simulation.scheme.walls)) continue;
    const bool is_beyond_1d = kind == ProbeKind::moment || kind == ProbeKind::flow_rate || kind == ProbeKind::vorticity;
    if (is_beyond_1d && simulation.dimensions == 1) continue;
    Probe probe{std::string(to_name(kind)), kind};
    for (int axis = 0; axis < simulation.dimensions; ++axis) {
      probe.at[axis] = kind == ProbeKind::wall_pressure ? 0 : 0.5 * water.to[axis];
      probe.to[axis] = simulation.bodies[1].box.to[axis];
    }
    probe.wall = "tank";
    probe.about = {0.03, 0.01, -0.02};
    probe.corners = {{0.06, 0, 0}, {0.06, 0.2, 0}};
    if (simulation.dimensions == 3) probe.corners = {{0.06, 0, 0}, {0.06, 0.1, 0}, {0.06, 0.1, 0.2}, {0.06, 0, 0.2}};
    probe.raster = 0.02;
    probe.points = 7;
    for (const LineQuantity quantity : every<LineQuantity>()) {
      probe.of = quantity;
      if (kind == ProbeKind::line || quantity == LineQuantity::pressure) probes.push_back(probe);
    }
  }
  return probes;
}

/// Values of all probes of a run at several times, and the kinds that have had a value other than 0.
struct Measurements {
  std::vector<double> values;
  std::set<ProbeKind> kinds;
};

void measure(const Solver& solver, const std::vector<Probe>& probes, Measurements& measurements) {
  const std::vector<double> values = solver.measure(probes);
  auto next = values.begin();
  for (const Probe& probe : probes)
    for (std::size_t column = 0; column < probe_columns(probe, solver.simulation().dimensions).size(); ++column) {
      EXPECT_TRUE(std::isfinite(*next)) << probe.name;
      if (*next++ != 0) measurements.kinds.insert(probe.kind);
    }
  EXPECT_EQ(next, values.end());
  measurements.values.insert(measurements.values.end(), values.begin(), values.end());
}

Measurements measurements_on(int count, DeviceKind device, const Case& simulation) {
  std::vector<Measurements> measurements(static_cast<std::size_t>(count));
  const std::vector<Probe> probes = probes_of(simulation);
  run_on_ranks(count, [&](const Communicator& ranks) {
    Solver solver(queue_on(device), simulation, ranks);
    Measurements& part = measurements[static_cast<std::size_t>(ranks.rank())];
    for (const int steps : {0, 1, 30}) {
      solver.advance_steps(steps);
      measure(solver, probes, part);
    }
  });
  for (const Measurements& part : measurements) EXPECT_EQ(part.values, measurements[0].values);
  return measurements[0];
}

TEST_P(RankReports, ProbesOfEveryKindHaveTheBitsOfOneRank) {
  const DeviceKind device = GetParam().device;
  std::set<ProbeKind> kinds;
  for (const int dimensions : {1, 2, 3})
    for (const Walls walls : every<Walls>()) {
      SCOPED_TRACE(testing::Message() << dimensions << "-D, " << to_name(walls));
      Case simulation = leaking_tank(dimensions, walls);
      simulation.method = GetParam().name;
      simulation.precision = walls == Walls::dynamic ? Precision::double_ : Precision::float_;
      const Measurements one = measurements_on(1, device, simulation);
      kinds.insert(one.kinds.begin(), one.kinds.end());
      for (const int count : {2, 3}) EXPECT_EQ(measurements_on(count, device, simulation).values, one.values) << count;
    }
  const auto of_bodies = std::ranges::count_if(every<ProbeKind>(), is_of_body);
  EXPECT_EQ(kinds.size(), every<ProbeKind>().size() - static_cast<std::size_t>(of_bodies))
      << "a kind of probe has no value in any case";
}

/// Particles, clock and reports at the end of a run.
struct End {
  Snapshot snapshot;  ///< rows of all ranks
  std::vector<double> values;
};

/// @param start  state of all ranks; null: the start of the case
End end_on(int count, DeviceKind device, const Case& simulation, int steps, const Snapshot* start) {
  std::vector<Snapshot> parts(static_cast<std::size_t>(count));
  std::vector<std::vector<double>> values(parts.size());
  run_on_ranks(count, [&](const Communicator& ranks) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    Solver solver = start == nullptr ? Solver(queue_on(device), simulation, ranks)
                                     : Solver(queue_on(device), simulation, part_of(*start, ranks), ranks);
    solver.advance_steps(steps);
    parts[rank] = solver.snapshot();
    const Balance balance = solver.balance();
    values[rank] = solver.measure(probes_of(simulation));
    values[rank].insert(values[rank].end(), {balance.mass, balance.kinetic, balance.elastic, balance.density_error});
    EXPECT_EQ(solver.fields().total, parts[rank].total - parts[rank].clock.lost);
  });
  for (const std::vector<double>& part : values) EXPECT_EQ(part, values[0]);
  return {joined(parts), values[0]};
}

void expect_same(const End& end, const End& expected) {
  EXPECT_EQ(end.snapshot.clock.lost, expected.snapshot.clock.lost);
  EXPECT_EQ(end.snapshot.clock.particles, expected.snapshot.clock.particles);
  EXPECT_EQ(end.snapshot.clock.time, expected.snapshot.clock.time);
  EXPECT_EQ(end.snapshot.id, expected.snapshot.id);
  EXPECT_EQ(end.snapshot.tag, expected.snapshot.tag);
  EXPECT_EQ(end.snapshot.coordinate, expected.snapshot.coordinate);
  EXPECT_EQ(end.snapshot.velocity, expected.snapshot.velocity);
  EXPECT_EQ(end.snapshot.density_deviation, expected.snapshot.density_deviation);
  EXPECT_EQ(end.snapshot.pressure_over_density2, expected.snapshot.pressure_over_density2);
  EXPECT_EQ(end.snapshot.previous_velocity, expected.snapshot.previous_velocity);
  EXPECT_EQ(end.snapshot.previous_density_deviation, expected.snapshot.previous_density_deviation);
  EXPECT_EQ(end.values, expected.values);
}

TEST_P(RankReports, ARunThatHasLostParticlesContinuesOnAnyNumberOfRanks) {
  for (const Integrator integrator : every<Integrator>()) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = leaking_tank(2, Walls::adami);
    simulation.method = GetParam().name;
    simulation.scheme.integrator = integrator;
    const End expected = end_on(1, GetParam().device, simulation, 40, nullptr);
    for (const auto& [first, then] : {std::pair{1, 3}, {3, 2}, {2, 1}}) {
      SCOPED_TRACE(testing::Message() << first << " ranks, then " << then);
      const End middle = end_on(first, GetParam().device, simulation, 25, nullptr);
      EXPECT_GT(middle.snapshot.clock.lost, 0);
      EXPECT_GT(expected.snapshot.clock.lost, middle.snapshot.clock.lost);
      expect_same(end_on(then, GetParam().device, simulation, 15, &middle.snapshot), expected);
    }
  }
}

}  // namespace
}  // namespace shoal::sph
