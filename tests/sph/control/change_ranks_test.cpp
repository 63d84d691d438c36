// SPDX-License-Identifier: Apache-2.0
// Particles that a program adds and removes on several ranks: the bits of one rank, and errors of all ranks.
#include <gmock/gmock.h>
#include <shoal/sph.hpp>

#include "sph/control/particle_arrays.hpp"
#include "sph/ranks/joined_parts.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class EveryChangingMethodOnRanks : public testing::TestWithParam<MethodInfo> {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryChangingMethodOnRanks, testing::ValuesIn(sph_methods_on(DeviceKind::cpu)),
                         method_test_name);

/// A column of water that rises, so that particles change their rank.
Case rising_water(int layers = 0) {
  Case simulation = block_of_water(8, layers > 0 ? 8 : 30, layers);
  simulation.bodies[0].velocity = {0.3, 4, layers > 0 ? 4.0 : 0};
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.2, 0.6, 0.6}};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.time_step = TimeStep::cfl;
  return simulation;
}

/// Adds a line of particles through the layers of all ranks, and removes some in every way.
bool change(Particles& particles) {
  const std::int64_t step = particles.clock().step;
  if (step % 7 == 0) {
    std::vector<Vector> line;
    const double x = -0.05 - 0.006 * static_cast<double>(step / 7);
    for (int k = 0; k < 20; ++k) line.push_back({x, -0.08 + 0.03 * k, -0.08 + 0.03 * k});
    add_from_host(particles, line, {{-1, 3, 2}});
  }
  if (step == 9) remove_from_host(particles, {3, 200, 77});
  if (step == 15) particles.remove_in({{-0.06, 0.1, -1}, {0.02, 0.3, 1}});
  if (step == 18) {
    const std::vector<std::int64_t> id = to_host(particles.queue(), particles.id());
    std::vector<std::uint8_t> flags;
    for (const std::int64_t one : id) flags.push_back(one % 11 == 0);
    particles.remove_rows(to_device(particles.queue(), flags));
  }
  return true;
}

struct EndOfRun {
  Snapshot snapshot;
  Balance balance;
};

EndOfRun changed_run(int count, const Case& simulation, std::int64_t steps, const Snapshot* start = nullptr) {
  std::vector<Snapshot> parts(static_cast<std::size_t>(count));
  EndOfRun end;
  run_on_ranks(count, [&](const Communicator& ranks) {
    Snapshot part;
    if (start && ranks.rank() == 0) part = *start;
    if (start) {
      part.clock = start->clock;
      part.changes = start->changes;
    }
    Solver run = start ? Solver(Queue::cpu(1), simulation, part, ranks) : Solver(Queue::cpu(1), simulation, ranks);
    run.on_step(change);
    run.advance_steps(steps);
    parts[static_cast<std::size_t>(ranks.rank())] = run.snapshot();
    const Balance balance = run.balance();
    if (ranks.rank() == 0) end.balance = balance;
  });
  end.snapshot = joined(parts);
  return end;
}

void expect_same_end(const EndOfRun& a, const EndOfRun& b) {
  expect_same(a.snapshot, b.snapshot);
  EXPECT_EQ(a.snapshot.clock.next_dt, b.snapshot.clock.next_dt);
  EXPECT_EQ(a.snapshot.clock.lost, b.snapshot.clock.lost);
  EXPECT_EQ(a.snapshot.changes.added, b.snapshot.changes.added);
  EXPECT_EQ(a.snapshot.changes.removed, b.snapshot.changes.removed);
  EXPECT_EQ(a.balance.removed, b.balance.removed);
  EXPECT_EQ(a.balance.mass, b.balance.mass);
}

TEST_P(EveryChangingMethodOnRanks, HaveTheBitsOfOneRank) {
  for (const int layers : {0, 24}) {
    Case simulation = rising_water(layers);
    simulation.method = GetParam().name;
    const EndOfRun one = changed_run(1, simulation, 30);
    EXPECT_EQ(one.snapshot.changes.added, 100);
    EXPECT_GT(one.snapshot.changes.removed, 30);
    for (const int count : {2, 3}) {
      SCOPED_TRACE(testing::Message() << layers << " layers, " << count << " ranks");
      expect_same_end(changed_run(count, simulation, 30), one);
    }
  }
}

TEST(ChangesOnRanks, ARunResumesOnAnyNumberOfRanks) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = rising_water();
    simulation.scheme.integrator = integrator;
    const EndOfRun whole = changed_run(1, simulation, 30), half = changed_run(2, simulation, 13);
    for (const int count : {1, 2, 3}) expect_same_end(changed_run(count, simulation, 17, &half.snapshot), whole);
  }
}

TEST(ChangesOnRanks, WhatOneFindsWrongAllThrow) {
  const auto expect_error_of_all = [](const std::string& expected, const auto& call) {
    run_on_ranks(2, [&](const Communicator& ranks) {
      Solver run(Queue::cpu(1), rising_water(), ranks);
      Particles particles = run.particles();
      EXPECT_THAT(message_of([&] { call(particles, ranks.rank()); }), HasSubstr(expected));
      run.advance_steps(2);
      EXPECT_EQ(run.clock().particles, 240);
    });
  };
  expect_error_of_all("is nearer than 0.005 m, half a spacing, to a particle of the run",
                      [](Particles& particles, int) {
                        add_from_host(particles, {{-0.05, 0.5, 0}, {0.024, 0.024, 0}});
                      });
  expect_error_of_all("sph: the new particles differ between ranks", [](Particles& particles, int rank) {
    add_from_host(particles, {{-0.05 - 0.01 * rank, 0.5, 0}});
  });
  expect_error_of_all("sph: the ids differ between ranks",
                      [](Particles& particles, int rank) { remove_from_host(particles, {rank}); });
  expect_error_of_all("sph: ids[1] = 900 is no particle in the domain", [](Particles& particles, int) {
    remove_from_host(particles, {3, 900});
  });
}

TEST(ChangesOnRanks, AreAnErrorOnSeveralRanksOf_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  run_on_ranks(2, [&](const Communicator& ranks) {
    Solver run(Queue::cuda(0), rising_water(), ranks);
    Particles particles = run.particles();
    EXPECT_THAT(message_of([&] {
                  particles.remove_in({{0, 0, 0}, {1, 1, 0}});
                }),
                HasSubstr("which the methods of CUDA do on one rank, got 2 ranks. Run it on one rank, or on the CPU."));
  });
}

}  // namespace
}  // namespace shoal::sph
