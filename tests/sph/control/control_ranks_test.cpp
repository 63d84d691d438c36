// SPDX-License-Identifier: Apache-2.0
// Programs that read, set and drive a run on several ranks: the bits of one rank, and errors of all ranks.
#include <gmock/gmock.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "sph/bodies/body_cases.hpp"
#include "sph/control/particle_arrays.hpp"
#include "sph/ranks/joined_parts.hpp"
#include "sph/snapshots.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class EveryMethodOnRanks : public MethodTest {};
class ControlOnRanks : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryMethodOnRanks, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllDevices, ControlOnRanks, every_device, device_test_name);

/// A column of water on a floor that rises, so that particles change their rank.
Case rising_column(int layers = 0) {
  Case simulation = block_of_water(8, layers > 0 ? 8 : 30, layers);
  simulation.bodies[0].velocity = {0.3, 4, layers > 0 ? 4.0 : 0};
  simulation.walls = {{"floor", {{0, -0.03, 0}, {0.08, 0, 0.01 * layers}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.2, 0.6, 0.6}};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.time_step = TimeStep::cfl;
  return simulation;
}

/// Values of a view by rows, plus a number.
std::vector<double> densities(const Particles& particles, double more) {
  std::vector<double> density = to_host(particles.queue(), particles.density());
  for (double& value : density) value += more;
  return density;
}

/// Sets quantities of every kind by rows and by ids, at different steps.
bool control(Particles& particles) {
  const std::int64_t step = particles.clock().step;
  if (step % 4 == 0) set_spring(particles, 4000, {0.04, 0.15, 0.1});
  if (step == 6) {
    std::vector<std::vector<double>> columns(static_cast<std::size_t>(particles.dimensions()), {1, -2, 0.5});
    set_from_host(particles, Quantity::velocity, columns, {3, 200, 77});
    set_from_host(particles, Quantity::acceleration, columns, {4, 199, 78});
  }
  if (step == 9) set_from_host<double>(particles, Quantity::density, {densities(particles, 1.5)});
  if (step == 12) particles.clear_acceleration();
  return true;
}

/// State of all ranks after a controlled run.
Snapshot controlled_run(int count, DeviceKind device, const Case& simulation) {
  std::vector<Snapshot> parts(static_cast<std::size_t>(count));
  run_on_ranks(count, [&](const Communicator& ranks) {
    Solver run(queue_on(device), simulation, ranks);
    run.on_step(control);
    run.advance_steps(30);
    parts[static_cast<std::size_t>(ranks.rank())] = run.snapshot();
  });
  return joined(parts);
}

TEST_P(EveryMethodOnRanks, WhatIsSetHasTheBitsOfOneRank) {
  for (const int layers : {0, 24}) {
    Case simulation = rising_column(layers);
    simulation.method = GetParam().name;
    const Snapshot one = controlled_run(1, GetParam().device, simulation);
    for (const int count : {2, 3}) {
      SCOPED_TRACE(testing::Message() << layers << " layers, " << count << " ranks");
      const Snapshot several = controlled_run(count, GetParam().device, simulation);
      expect_same(several, one);
      EXPECT_EQ(several.clock.next_dt, one.clock.next_dt);
    }
  }
}

TEST_P(ControlOnRanks, EachHasItsOwnParticlesAndFindsThoseOfAllById) {
  std::vector<std::int64_t> owners(240 + 24);
  std::mutex mutex;
  run_on_ranks(3, [&](const Communicator& ranks) {
    Solver run(queue(), rising_column(), ranks);
    run.advance_steps(20);
    const Particles particles = run.particles();
    const Queue& device = particles.queue();
    const std::vector<std::int64_t> id = to_host(device, particles.id());
    const std::vector<double> position = to_host(device, particles.position());
    std::vector<std::int64_t> wanted(owners.size());
    std::iota(wanted.begin(), wanted.end(), 0);
    const std::vector<std::int64_t> rows = to_host(device, particles.rows(to_device(device, wanted)));
    const Fields fields = run.fields();
    const std::lock_guard lock(mutex);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k] < 0) continue;
      ++owners[k];
      EXPECT_EQ(id[static_cast<std::size_t>(rows[k])], static_cast<std::int64_t>(k));
    }
    for (std::size_t i = 0; i < fields.id.size(); ++i)
      if (const std::int64_t row = rows[static_cast<std::size_t>(fields.id[i])]; row >= 0) {
        EXPECT_EQ(position[static_cast<std::size_t>(2 * row)], fields.position[3 * i]);
      }
  });
  EXPECT_THAT(owners, testing::Each(1));
}

/// Error of all ranks in a call.
template <class Call>
void expect_error_of_all(const Queue& queue, const std::string& expected, const Call& call) {
  run_on_ranks(2, [&](const Communicator& ranks) {
    Solver run(queue, rising_column(), ranks);
    EXPECT_THAT(message_of([&] { call(run, ranks.rank()); }), HasSubstr(expected));
    run.advance_steps(2);
  });
}

TEST_P(ControlOnRanks, WhatOneFindsWrongAllThrow) {
  const auto set_velocity = [](Solver& run, std::vector<std::int64_t> ids) {
    Particles particles = run.particles();
    const std::vector<std::vector<double>> columns(2, std::vector<double>(ids.size(), 1));
    set_from_host(particles, Quantity::velocity, columns, ids);
  };
  expect_error_of_all(queue(), "sph: ids[1] = 900 is no particle in the domain", [&](Solver& run, int) {
    set_velocity(run, {0, 900});
  });
  expect_error_of_all(queue(), "sph: ids[1] = 250 is a particle of a wall", [&](Solver& run, int) {
    set_velocity(run, {0, 250});
  });
  expect_error_of_all(queue(), "sph: ids[1] = 7 is there twice", [&](Solver& run, int) { set_velocity(run, {7, 7}); });
  expect_error_of_all(queue(), "sph: the ids differ between ranks", [&](Solver& run, int rank) {
    set_velocity(run, {0, rank});
  });
  expect_error_of_all(queue(), "expected a positive number. Nothing was set.", [](Solver& run, int rank) {
    Particles particles = run.particles();
    set_from_host<double>(particles, Quantity::density, {densities(particles, rank == 1 ? -2000 : 0)});
  });
}

TEST_P(ControlOnRanks, ACallbackThatEndsOrThrowsOnOneEndsAll) {
  run_on_ranks(2, [&](const Communicator& ranks) {
    Solver run(queue(), rising_column(), ranks);
    run.on_step([&](Particles& particles) { return ranks.rank() == 0 || particles.clock().step < 3; });
    run.advance_steps(10);
    EXPECT_EQ(run.clock().step, 3);
    run.on_step([&](Particles&) -> bool {
      if (ranks.rank() == 1) throw Error("the program of rank 1 failed");
      return true;
    });
    EXPECT_EQ(message_of([&] { run.advance_steps(10); }), "the program of rank 1 failed");
    EXPECT_EQ(run.clock().step, 3);
    run.on_step({});
    run.advance_steps(2);
    EXPECT_EQ(run.clock().step, 5);
  });
}

TEST_P(ControlOnRanks, ABodyIsDrivenByTheFieldsOfAll) {
  std::vector<RigidBodyState> bodies;
  for (const int count : {1, 3}) {
    std::mutex mutex;
    run_on_ranks(count, [&](const Communicator& ranks) {
      Solver run(queue(), two_boxes_beside_water(), ranks);
      Probe load{"load", ProbeKind::force};
      load.wall = "box";
      double speed = -1;
      run.on_step([&](Particles& particles) {
        speed += run.measure({load})[0] / 1.2 * particles.clock().next_dt;
        run.drive("box", {speed, 0, 0});
        return true;
      });
      run.advance_steps(40);
      const std::lock_guard lock(mutex);
      if (ranks.rank() == 0) bodies.push_back(run.rigid_bodies()[0]);
    });
  }
  expect_same(bodies[0], bodies[1]);
}

}  // namespace
}  // namespace shoal::sph
