// SPDX-License-Identifier: Apache-2.0
// Particles that a program adds and removes on several ranks: the bits of one rank, and errors of all ranks.
#include <gmock/gmock.h>
#include <shoal/sph.hpp>

#include "sph/control/changing_water.hpp"
#include "sph/ranks/joined_parts.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class EveryChangingMethodOnRanks : public MethodTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryChangingMethodOnRanks, testing::ValuesIn(methods("sph")), method_test_name);

class ChangesOnRanks : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, ChangesOnRanks, every_device, device_test_name);

struct EndOfRun {
  Snapshot snapshot;
  Balance balance;
};

EndOfRun changed_run(DeviceKind device, int count, const Case& simulation, std::int64_t steps,
                     const Snapshot* start = nullptr) {
  std::vector<Snapshot> parts(static_cast<std::size_t>(count));
  EndOfRun end;
  run_on_ranks(count, [&](const Communicator& ranks) {
    Snapshot part;
    if (start && ranks.rank() == 0) part = *start;
    if (start) {
      part.clock = start->clock;
      part.changes = start->changes;
    }
    const Queue queue = device == DeviceKind::cpu ? Queue::cpu(1) : queue_on(device);
    Solver run = start ? Solver(queue, simulation, part, ranks) : Solver(queue, simulation, ranks);
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
    const EndOfRun one = changed_run(GetParam().device, 1, simulation, 30);
    EXPECT_EQ(one.snapshot.changes.added, 100);
    EXPECT_GT(one.snapshot.changes.removed, 30);
    for (const int count : {2, 3}) {
      SCOPED_TRACE(testing::Message() << layers << " layers, " << count << " ranks");
      expect_same_end(changed_run(GetParam().device, count, simulation, 30), one);
    }
  }
}

TEST_P(ChangesOnRanks, ARunResumesOnAnyNumberOfRanks) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = rising_water();
    simulation.scheme.integrator = integrator;
    const EndOfRun whole = changed_run(GetParam(), 1, simulation, 30),
                   half = changed_run(GetParam(), 2, simulation, 13);
    for (const int count : {1, 2, 3})
      expect_same_end(changed_run(GetParam(), count, simulation, 17, &half.snapshot), whole);
  }
}

TEST_P(ChangesOnRanks, WhatOneFindsWrongAllThrow) {
  const auto expect_error_of_all = [this](const std::string& expected, const auto& call) {
    run_on_ranks(2, [&](const Communicator& ranks) {
      Solver run(queue(), rising_water(), ranks);
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

TEST_P(ChangesOnRanks, ManyParticlesOnOneOfThem) {
  Case simulation = rising_water();
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.5, 1, 0.1}};
  std::vector<Vector> block;
  for (int k = 0; k < 2500; ++k) block.push_back({-0.09 + 0.0105 * (k % 50), 0.35 + 0.0105 * (k / 50), 0});
  const auto run_with = [&](int count) {
    std::vector<Snapshot> parts(static_cast<std::size_t>(count));
    run_on_ranks(count, [&](const Communicator& ranks) {
      Solver run(queue(), simulation, ranks);
      run.advance_steps(3);
      Particles particles = run.particles();
      add_from_host(particles, block);
      EXPECT_EQ(run.clock().particles, 2740);
      run.advance_steps(20);
      parts[static_cast<std::size_t>(ranks.rank())] = run.snapshot();
    });
    return joined(parts);
  };
  const Snapshot one = run_with(1);
  for (const int count : {2, 4}) expect_same(run_with(count), one);
}

}  // namespace
}  // namespace shoal::sph
