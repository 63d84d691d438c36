// SPDX-License-Identifier: Apache-2.0
// The solver on several ranks: reports and restarts have the bits of one rank.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <mutex>
#include <numeric>

#include "sph/ranks/joined_parts.hpp"
#include "sph/ranks/slab_layers.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/setup.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

/// Reports of all ranks, their parts joined in the order of ranks.
struct Reports {
  std::vector<double> snapshot;
  std::vector<double> fields;
  std::vector<double> values;  ///< balance, clock and probes
  std::vector<std::int64_t> ids;
  std::vector<Snapshot> parts;
};

Case tank() {
  Case simulation = general_case(Integrator::verlet, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
  simulation.walls[0].motion.amplitude = {0.002, 0.02, 0};
  Probe pressure{"pressure", ProbeKind::pressure, {0.1, 0.1, 0}};
  Probe force{"force", ProbeKind::force};
  force.wall = "tank";
  Probe moment = force;
  moment.kind = ProbeKind::moment;
  simulation.probes = {pressure, {"front", ProbeKind::surge_front}, {"spread", ProbeKind::spread}, force, moment};
  return simulation;
}

Reports run(const Case& simulation, int count, int steps, const std::vector<Snapshot>& start = {}) {
  std::vector<Reports> reports(static_cast<std::size_t>(count));
  run_on_ranks(count, [&](const Communicator& ranks) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    Snapshot none;
    if (!start.empty()) none.clock = start.front().clock;
    const Queue queue = Queue::cpu(1);
    Solver solver = start.empty() ? Solver(queue, simulation, ranks)
                                  : Solver(queue, simulation, rank < start.size() ? start[rank] : none, ranks);
    solver.advance_steps(steps);
    Reports& report = reports[rank];
    const Snapshot part = solver.snapshot();
    const Fields fields = solver.fields();
    const Balance balance = solver.balance();
    EXPECT_EQ(part.first, part.id.empty() ? part.first : part.id.front());
    EXPECT_EQ(part.total, fields.total + fields.clock.lost);
    report.ids = part.id;
    for (std::size_t i = 0; i < part.id.size(); ++i)
      for (const auto* array : {&part.velocity[0], &part.velocity[1], &part.density_deviation, &part.energy,
                                &part.smoothing_length, &part.sound_speed, &part.previous_energy})
        report.snapshot.push_back((*array)[i]);
    report.fields = fields.position;
    report.values = {balance.mass,       balance.momentum[0],  balance.momentum[1],          balance.kinetic,
                     balance.potential,  balance.internal,     balance.wall_power,           balance.density_error,
                     balance.clock.time, fields.clock.next_dt, balance.largest_density_error};
    for (const double value : solver.measure(simulation.probes)) report.values.push_back(value);
    report.parts = {part};
  });
  Reports joined = reports.front();
  for (std::size_t rank = 1; rank < reports.size(); ++rank) {
    EXPECT_EQ(reports[rank].values, joined.values);
    const auto append = [](auto& target, const auto& more) { target.insert(target.end(), more.begin(), more.end()); };
    append(joined.snapshot, reports[rank].snapshot);
    append(joined.fields, reports[rank].fields);
    append(joined.ids, reports[rank].ids);
    append(joined.parts, reports[rank].parts);
  }
  return joined;
}

void expect_same(const Reports& one, const Reports& several) {
  EXPECT_EQ(one.ids, several.ids);
  EXPECT_EQ(one.snapshot, several.snapshot);
  EXPECT_EQ(one.fields, several.fields);
  EXPECT_EQ(one.values, several.values);
}

TEST(SolverOnRanks, ReportsHaveTheBitsOfOneRank) {
  for (const char* method : {"list", "symmetric"}) {
    Case simulation = tank();
    simulation.method = method;
    const Reports one = run(simulation, 1, 40);
    for (const int count : {2, 3, 4}) {
      SCOPED_TRACE(count);
      expect_same(one, run(simulation, count, 40));
    }
  }
}

TEST(SolverOnRanks, SumsOfMotionsAndDampingHaveTheBitsOfOneRank) {
  Case simulation = tank();
  simulation.duration = 0.1;
  simulation.motions = {{"tank", {.kind = MotionKind::pitch, .frequency = 20, .angle_amplitude = 0.5, .ramp = 1e-3}}};
  simulation.wavemakers = {{.wall = "tank", .depth = 0.2, .period = 0.02, .height = 1e-3}};
  simulation.damping = {{.box = {{0, 0, 0}, {0.24, 0.3, 0}}, .toward = Side::top, .rate = 100}};
  const Reports one = run(simulation, 1, 40);
  for (const int count : {2, 3}) {
    SCOPED_TRACE(count);
    expect_same(one, run(simulation, count, 40));
  }
}

TEST(SolverOnRanks, ARestartOfThreeRanksResumesOnAnyNumber) {
  const Case simulation = tank();
  const Reports whole = run(simulation, 1, 45);
  const Reports three = run(simulation, 3, 20);
  const std::vector<Snapshot>& parts = three.parts;
  for (const int count : {3, 4}) expect_same(whole, run(simulation, count, 25, parts));
  expect_same(whole, run(simulation, 2, 25, {joined({parts[0], parts[1]}), parts[2]}));
  expect_same(whole, run(simulation, 1, 25, {joined(parts)}));
}

/// Load of a periodic case at rest, from the layers of its particles.
RankLoad expected_load(const Case& simulation, int count) {
  if (count == 1) return {};
  const auto setup = make_setup<float, 2>(simulation, make_lattice(simulation, 32), Queue::cpu(1), nullptr);
  std::vector<std::int64_t> particles = weights_of_layers(setup.parameters, setup.state);
  for (std::int64_t& weight : particles) weight /= inactive_walls_per_particle;  // there are no walls
  const Slabs slabs = cut_by_weight(particles, count);
  std::int64_t most = 0, ghosts = 0;
  for (int rank = 0; rank < count; ++rank) {
    const auto first = particles.begin() + slabs.first(rank), end = particles.begin() + slabs.end(rank);
    most = std::max(most, std::accumulate(first, end, std::int64_t{0}));
    ghosts += *first + *(end - 1);  // layers that the next ranks have as ghosts
  }
  const auto sum = static_cast<double>(setup.state.count());
  return {static_cast<double>(most) * count / sum, static_cast<double>(ghosts) / sum};
}

TEST(SolverOnRanks, LoadComparesTheHeaviestRankWithTheMean) {
  Case simulation = block_of_water(12, 24);
  simulation.domain = simulation.bodies[0].box;
  simulation.scheme.periodic = {Axis::x, Axis::y};
  for (const int count : {1, 2, 3, 4}) {
    SCOPED_TRACE(count);
    const RankLoad expected = expected_load(simulation, count);
    run_on_ranks(count, [&](const Communicator& ranks) {
      Solver solver(Queue::cpu(1), simulation, ranks);
      std::vector<RankLoad> loads;
      solver.advance_to(3 * simulation.scheme.dt, [&](const Clock&) {
        loads.push_back(solver.load());
        return true;
      });
      loads.push_back(solver.load());
      ASSERT_EQ(loads.size(), 4u);
      for (const RankLoad& load : loads) {
        EXPECT_DOUBLE_EQ(load.heaviest, expected.heaviest);
        EXPECT_DOUBLE_EQ(load.halo, expected.halo);
      }
    });
  }
}

TEST(SolverOnRanks, TooManyRanksAreAnErrorThatNamesHowManyCanBeUsed) {
  const std::string message = message_of(
      [] { run_on_ranks(4, [](const Communicator& ranks) { Solver(Queue::cpu(1), block_of_water(4, 4), ranks); }); });
  EXPECT_NE(message.find("rank"), std::string::npos) << message;
}

}  // namespace
}  // namespace shoal::sph
