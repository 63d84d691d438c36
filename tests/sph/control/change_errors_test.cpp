// SPDX-License-Identifier: Apache-2.0
// Values with which no particle is added or removed, and what ends with a change.
#include <gmock/gmock.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <limits>

#include "sph/control/particle_arrays.hpp"
#include "sph/open_boundaries/open_boundary_cases.hpp"
#include "sph/snapshots.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class Changes : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, Changes, every_device, device_test_name);

Case water_on_floor() {
  Case simulation = block_of_water(6, 4);
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.3, 0.3, 0}};
  simulation.walls = {{"floor", {{0, -0.03, 0}, {0.06, 0, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  return simulation;
}

/// Expects an error of a call, after which the run is as before.
template <class Call>
void expect_nothing_changed(const Queue& queue, const std::string& message, const Call& call,
                            const Case& simulation = water_on_floor()) {
  Solver run(queue, simulation);
  run.advance_steps(2);
  Particles particles = run.particles();
  const Snapshot before = run.snapshot();
  EXPECT_THAT(message_of([&] { call(particles); }), HasSubstr(message));
  expect_same(run.snapshot(), before);
  EXPECT_EQ(particles.id().count(), particles.count()) << "they have not ended";
}

TEST_P(Changes, PlacesThatAreNoneAreErrors) {
  const auto adding = [](const Vector& position) {
    return [=](Particles& particles) { add_from_host(particles, {{0.2, 0.2, 0}, position}); };
  };
  expect_nothing_changed(queue(),
                         "sph: position[1] of a new particle = (0.2, 0.204) m is nearer than 0.005 m, half a spacing, "
                         "to position[0]. Nothing was added.",
                         adding({0.2, 0.204, 0}));
  expect_nothing_changed(queue(),
                         "sph: position[1] of a new particle = (0.026, 0.026) m is nearer than 0.005 m, half a "
                         "spacing, to a particle of the run. Nothing was added.",
                         adding({0.026, 0.026, 0}));
  expect_nothing_changed(queue(), "to a particle of the run", adding({0.025, -0.006, 0}));
  expect_nothing_changed(queue(),
                         "sph: position[1] of a new particle = (0.2, 0.31) m is outside the domain, which reaches from "
                         "-0.1 m to 0.3 m along y. Nothing was added.",
                         adding({0.2, 0.31, 0}));
  expect_nothing_changed(queue(), "sph: position[1] of a new particle = (nan, 0) m, expected finite numbers.",
                         adding({std::nan(""), 0, 0}));
  expect_nothing_changed(queue(), "is outside the domain", adding({1e30, 0, 0}));
}

TEST_P(Changes, APeriodicImageIsNearToo) {
  Case simulation = block_of_water(6, 4);
  simulation.domain = Box{{0, -0.1, 0}, {0.3, 0.3, 0}};
  simulation.scheme.periodic = {Axis::x};
  simulation.bodies[0].velocity = {-10, 0, 0};  // 2 mm in two steps
  expect_nothing_changed(
      queue(), "to a particle of the run",
      [](Particles& particles) {
        add_from_host(particles, {{0.2995, 0.005, 0}});
      },
      simulation);
  expect_nothing_changed(
      queue(), "to position[0]",
      [](Particles& particles) {
        add_from_host(particles, {{0.001, 0.2, 0}, {0.299, 0.2, 0}});
      },
      simulation);
}

TEST_P(Changes, BadValuesAreErrors) {
  const double infinite = std::numeric_limits<double>::infinity();
  expect_nothing_changed(queue(), "sph: velocity[0] of a new particle is inf m/s along y, expected a finite number.",
                         [&](Particles& particles) {
                           add_from_host(particles, {{0.2, 0.2, 0}}, {{0, infinite, 0}});
                         });
  const auto density = [](double value) {
    return [=](Particles& particles) {
      const NewValuesOnDevice values(particles, {{0.2, 0.2, 0}}, {{}});
      const Array<double> densities = to_device(particles.queue(), std::vector<double>{value});
      NewParticles added = values.particles("water");
      added.density = ParticleValues(densities);
      particles.add(added);
    };
  };
  for (const double value : {0.0, -3.0, std::nan("")})
    expect_nothing_changed(queue(), "expected a positive number. Nothing was added.", density(value));
  Case bounded = water_on_floor();
  bounded.most_density_deviation = 50;
  expect_nothing_changed(queue(), "beyond particles.most_density_deviation", density(1100), bounded);
  expect_nothing_changed(queue(), "sph: the case does not integrate energy", [](Particles& particles) {
    const NewValuesOnDevice values(particles, {{0.2, 0.2, 0}}, {{}});
    const Array<double> energies = to_device(particles.queue(), std::vector<double>{1});
    NewParticles added = values.particles();
    added.energy = ParticleValues(energies);
    particles.add(added);
  });
  expect_nothing_changed(queue(),
                         "sph: new particles of the material \"mud\", expected one of \"water\". Nothing was added.",
                         [](Particles& particles) {
                           add_from_host(particles, {{0.2, 0.2, 0}}, {{}}, "mud");
                         });
}

TEST_P(Changes, ColumnsThatDoNotFitAreErrors) {
  expect_nothing_changed(queue(), "sph: column 1 of position has 0 values, expected 1: one for each new particle.",
                         [](Particles& particles) {
                           const Array<double> one = to_device(particles.queue(), std::vector<double>{0.2});
                           particles.add({{one}, {one, one}});
                         });
  expect_nothing_changed(queue(), "sph: position of new particles has more than 2 columns, one for each axis.",
                         [](Particles& particles) {
                           const Array<double> one = to_device(particles.queue(), std::vector<double>{0.2});
                           particles.add({{one, one, one}, {one, one}});
                         });
  expect_nothing_changed(queue(), "sph: 3 flags of rows, expected", [](Particles& particles) {
    particles.remove_rows(to_device(particles.queue(), std::vector<std::uint8_t>(3)));
  });
}

TEST_P(Changes, IdsThatCannotBeRemovedAreErrors) {
  const auto removing = [](std::vector<std::int64_t> ids) {
    return [=](Particles& particles) { remove_from_host(particles, ids); };
  };
  expect_nothing_changed(queue(), "sph: ids[1] = 900 is no particle in the domain", removing({0, 900}));
  expect_nothing_changed(queue(), "sph: ids[0] = -1 is no particle in the domain", removing({-1}));
  expect_nothing_changed(queue(), "sph: ids[1] = 25 is a particle of a wall, expected fluid. Nothing was removed.",
                         removing({3, 25}));
  expect_nothing_changed(queue(), "sph: ids[2] = 7 is there twice, expected each id once. Nothing was removed.",
                         removing({7, 3, 7}));
  expect_nothing_changed(queue(), "sph: a box to remove particles in reaches from 1 m to 0 m along x",
                         [](Particles& particles) {
                           particles.remove_in({{1, 0, 0}, {0, 1, 0}});
                         });
  Solver run(queue(), water_on_floor());
  Particles particles = run.particles();
  remove_from_host(particles, {5});
  EXPECT_THAT(message_of([&] { remove_from_host(particles, {5}); }), HasSubstr("ids[0] = 5 is no particle"));
}

TEST_P(Changes, OpenBoundariesChangeTheParticlesThemselves) {
  expect_nothing_changed(
      queue(), "sph: a program adds or removes particles, which cases with open boundaries do themselves.",
      [](Particles& particles) {
        particles.remove_in({{-1, -1, 0}, {1, 1, 0}});
      },
      disturbed_stream());
}

TEST_P(Changes, EndOtherObjectsAndNotTheirOwn) {
  Solver run(queue(), water_on_floor());
  Particles particles = run.particles();
  const Particles older = run.particles();
  add_from_host(particles, {{0.2, 0.2, 0}});
  EXPECT_THAT(message_of([&] { older.id(); }), HasSubstr("the solver has gone on"));
  const Array<std::int64_t> id = to_device(particles.queue(), std::vector<std::int64_t>{24 + 18});
  EXPECT_EQ(to_host(particles.queue(), particles.rows(id)).size(), 1u);
  EXPECT_EQ(remove_from_host(particles, {42}), 1);
  EXPECT_EQ(run.clock().particles, 42);
  EXPECT_EQ(add_from_host(particles, {}), 43) << "none";
}

TEST_P(Changes, ADensityGivesItsPressure) {
  Solver run(queue(), water_on_floor());
  Particles particles = run.particles();
  const NewValuesOnDevice values(particles, {{0.2, 0.2, 0}}, {{}});
  const Array<float> densities = to_device(particles.queue(), std::vector<float>{1001});
  NewParticles added = values.particles();
  added.density = ParticleValues(densities);
  particles.add(added);
  const Fields fields = run.fields();
  EXPECT_FLOAT_EQ(fields.density.back(), 1001);
  EXPECT_NEAR(fields.pressure.back(), 1000 * 50 * 50 / 7.0 * (std::pow(1.001, 7) - 1), 1);
}

TEST_P(Changes, FastParticlesShortenTheNextStepByCfl) {
  Case simulation = water_on_floor();
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.scheme.cfl = 0.2;
  Solver run(queue(), simulation);
  run.advance_steps(1);
  Particles particles = run.particles();
  add_from_host(particles, {{0.2, 0.2, 0}}, {{0, 150, 0}});
  EXPECT_NEAR(run.clock().next_dt, 0.2 * 0.012 / (50 + 150), 1e-9);
}

TEST(ChangesOfThreads, AnyNumberOfThreadsHasTheSameBits) {
  const auto bits = [](int threads) {
    Solver run(Queue::cpu(threads), water_on_floor());
    run.on_step([](Particles& particles) {
      const auto step = static_cast<double>(particles.clock().step);
      if (particles.clock().step % 7 == 0) add_from_host(particles, {{0.1, 0.1 + 0.001 * step, 0}}, {{1, 0, 0}});
      if (particles.clock().step == 20) remove_from_host(particles, {1, 2, 3, 43});
      return true;
    });
    run.advance_steps(60);
    return run.snapshot();
  };
  expect_same(bits(1), bits(3));
}

}  // namespace
}  // namespace shoal::sph
