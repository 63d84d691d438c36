// SPDX-License-Identifier: Apache-2.0
// Particles between two steps: views, copies, what is set of them, and when they end.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <limits>
#include <optional>

#include "sph/control/particle_arrays.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryControlledMethod : public SphMethodTest {};
class Control : public DeviceTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryControlledMethod, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllDevices, Control, every_device, device_test_name);

/// A block of water that moves over a floor.
Case block_on_floor(int layers = 0) {
  Case simulation = block_of_water(6, 4, layers);
  simulation.walls = {{"floor", {{0, -0.03, 0}, {0.06, 0, 0.01 * layers}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.bodies[0].velocity = {1, 0.5, 0};
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.2, 0.2, 0.1}};
  simulation.scheme.gravity = {0, -9.81, 0};
  return simulation;
}

/// Expects the arrays of particles to have the values of a snapshot.
template <class Real, class Integer>
void expect_arrays_of(const Solver& run, const Particles& particles) {
  const Queue& queue = particles.queue();
  const Snapshot snapshot = run.snapshot();
  const std::vector<std::int64_t> id = to_host(queue, particles.id());
  const std::vector<std::uint8_t> wall = to_host(queue, particles.wall());
  const std::vector<std::uint8_t> material = to_host(queue, particles.material());
  const std::vector<double> position = to_host(queue, particles.position());
  const Fields fields = run.fields();
  const int dimensions = particles.dimensions();
  ASSERT_EQ(particles.count(), static_cast<std::int64_t>(snapshot.id.size()));
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const auto velocity = host_values(queue, particles.velocity<Real>(axis));
    const auto coordinate = host_values(queue, particles.coordinate<Integer>(axis));
    for (std::size_t i = 0; i < id.size(); ++i) {
      const auto row = static_cast<std::size_t>(id[i]);
      EXPECT_EQ(velocity[i], snapshot.velocity[k][row]);
      EXPECT_EQ(coordinate[i], snapshot.coordinate[k][row]);
      EXPECT_EQ(position[i * static_cast<std::size_t>(dimensions) + k], fields.position[3 * row + k]);
    }
  }
  const auto deviation = host_values(queue, particles.density_deviation<Real>());
  const auto pressure = host_values(queue, particles.pressure_over_density2<Real>());
  const auto absolute = to_host(queue, particles.density()), pascals = to_host(queue, particles.pressure());
  for (std::size_t i = 0; i < id.size(); ++i) {
    const auto row = static_cast<std::size_t>(id[i]);
    EXPECT_EQ(deviation[i], snapshot.density_deviation[row]);
    EXPECT_EQ(pressure[i], snapshot.pressure_over_density2[row]);
    EXPECT_EQ(absolute[i], 1000 + snapshot.density_deviation[row]);
    EXPECT_NEAR(pascals[i], fields.pressure[row], 1e-6 * std::abs(fields.pressure[row]));
    EXPECT_EQ(wall[i], snapshot.tag[row] >> 7);
    EXPECT_EQ(material[i], 0);
  }
}

TEST_P(EveryControlledMethod, ArraysHaveTheStateOfTheirParticles) {
  for (const int layers : {0, 3}) {
    Case simulation = block_on_floor(layers);
    Solver run = solver(simulation);
    expect_arrays_of<float, std::int32_t>(run, run.particles());
    run.advance_steps(7);
    expect_arrays_of<float, std::int32_t>(run, run.particles());
    simulation.precision = Precision::double_;
    Solver precise = solver(simulation);
    precise.advance_steps(7);
    expect_arrays_of<double, std::int64_t>(precise, precise.particles());
  }
}

TEST_P(EveryControlledMethod, ArraysByIdAreGatheredThroughRows) {
  Solver run = solver(block_on_floor());
  run.advance_steps(5);
  const Particles particles = run.particles();
  const std::vector<std::int64_t> ids{11, 0, 23, 5};
  const std::vector<std::int64_t> rows = to_host(queue(), particles.rows(to_device(particles.queue(), ids)));
  const std::vector<std::int64_t> id = to_host(particles.queue(), particles.id());
  for (std::size_t k = 0; k < ids.size(); ++k) EXPECT_EQ(id[static_cast<std::size_t>(rows[k])], ids[k]);
}

TEST_P(EveryControlledMethod, AVelocityThatIsSetMovesFluidAndNoWall) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = block_of_water(4, 3);
    simulation.precision = Precision::double_;
    simulation.walls = {{"plate", {{0.1, 0, 0}, {0.13, 0.03, 0}}, {}, 3, ""}};
    simulation.walls[0].solid = true;
    simulation.domain = Box{{-0.1, -0.1, 0}, {0.2, 0.2, 0}};
    simulation.scheme.integrator = integrator;
    Solver run = solver(simulation);
    run.advance_steps(3);
    const Fields before = run.fields();
    Particles particles = run.particles();
    set_everywhere(particles, Quantity::velocity, {0.3, -0.2, 0});
    EXPECT_FLOAT_EQ(run.fields().velocity[0], 0.3F) << "reports show what was set";
    run.advance_steps(5);
    const Fields after = run.fields();
    for (std::size_t i = 0; i < after.id.size(); ++i) {
      EXPECT_NEAR(after.position[3 * i], before.position[3 * i] + (after.wall[i] ? 0 : 0.3 * 5e-4), 1e-13);
      EXPECT_NEAR(after.position[3 * i + 1], before.position[3 * i + 1] - (after.wall[i] ? 0 : 0.2 * 5e-4), 1e-13);
      EXPECT_FLOAT_EQ(after.velocity[3 * i], after.wall[i] ? 0.0F : 0.3F);
    }
  }
}

TEST_P(EveryControlledMethod, SomeParticlesAreSetByTheirIds) {
  Solver run = solver(block_on_floor());
  run.advance_steps(4);
  const Fields before = run.fields();
  Particles particles = run.particles();
  set_from_host<float>(particles, Quantity::velocity, {{3, 4}, {5, 6}}, {17, 2});
  const Fields after = run.fields();
  for (std::size_t i = 0; i < after.id.size(); ++i) {
    const bool is_set = after.id[i] == 17 || after.id[i] == 2;
    EXPECT_EQ(after.velocity[3 * i], after.id[i] == 17 ? 3.0F : is_set ? 4.0F : before.velocity[3 * i]);
    EXPECT_EQ(after.velocity[3 * i + 1], after.id[i] == 17 ? 5.0F : is_set ? 6.0F : before.velocity[3 * i + 1]);
  }
}

TEST_P(EveryControlledMethod, ThePressureFollowsADensityThatIsSet) {
  Case simulation = block_on_floor();
  Solver run = solver(simulation);
  Particles particles = run.particles();
  set_from_host<double>(particles, Quantity::density,
                        {std::vector<double>(static_cast<std::size_t>(particles.count()), 1010)});
  const Fields fields = run.fields();
  const double pressure = 1000 * 50 * 50 / 7.0 * (std::pow(1.01, 7) - 1);
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (!fields.wall[i]) {
      EXPECT_FLOAT_EQ(fields.density[i], 1010);
      EXPECT_NEAR(fields.pressure[i], pressure, 1e-4 * pressure);
    }
}

TEST_P(EveryControlledMethod, ThePressureOfAGasFollowsItsEnergy) {
  Case simulation = block_of_water(6, 4);
  simulation.materials[0].equation_of_state = EquationOfState::ideal_gas;
  simulation.materials[0].exponent = 1.4;
  simulation.scheme.energy = true;
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  Particles particles = run.particles();
  set_from_host<double>(particles, Quantity::energy, {std::vector<double>(24, 2e3)});
  for (const float pressure : run.fields().pressure) EXPECT_NEAR(pressure, 0.4 * 1000 * 2e3, 1);
  for (const float energy : run.fields().energy) EXPECT_EQ(energy, 2e3F);
  EXPECT_EQ(host_values(particles.queue(), particles.energy<double>()), std::vector<double>(24, 2e3));
}

TEST_P(EveryControlledMethod, WhatWasSetIsInARestart) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = general_case(integrator, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
    Solver whole = solver(simulation);
    whole.advance_steps(5);
    Particles particles = whole.particles();
    set_from_host<float>(particles, Quantity::velocity, {{0.5F, 0.25F}, {-1, 1}}, {3, 200});
    set_from_host<double>(particles, Quantity::density, {{1002, 999}}, {4, 7});
    set_from_host<double>(particles, Quantity::energy, {{0.5}}, {5});
    Solver second = solver(simulation, whole.snapshot());
    whole.advance_steps(6);
    second.advance_steps(6);
    expect_same(whole.snapshot(), second.snapshot());
  }
}

TEST_P(EveryControlledMethod, AFastVelocityShortensTheNextStep) {
  Case simulation = block_of_water(6, 4);
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.scheme.cfl = 0.3;
  Solver run = solver(simulation);
  run.advance_steps(1);
  const double before = run.clock().next_dt;
  Particles particles = run.particles();
  set_everywhere(particles, Quantity::velocity, {50, 0, 0});
  EXPECT_NEAR(run.clock().next_dt, before / 2, 1e-4 * before) << "dt = cfl h/(c + |v|), c = 50 m/s";
}

TEST_P(Control, ParticlesEndWithTheNextStep) {
  std::optional<Solver> run(std::in_place, queue(), block_on_floor());
  run->advance_steps(2);
  Particles particles = run->particles();
  particles.id();
  run->advance_steps(1);
  const std::string ended =
      "sph: these particles are of step 2, and the solver has gone on. Take them anew from Solver::particles(), after "
      "each step.";
  EXPECT_EQ(message_of([&] { particles.id(); }), ended);
  EXPECT_EQ(message_of([&] { particles.velocity<float>(0); }), ended);
  EXPECT_EQ(message_of([&] { particles.clear_acceleration(); }), ended);
  EXPECT_EQ(message_of([&] { set_everywhere(particles, Quantity::velocity, {}); }), ended);
  particles = run->particles();
  run.reset();
  EXPECT_EQ(message_of([&] { particles.id(); }),
            "sph: the solver of these particles has ended. Keep it while they are used.");
}

TEST_P(Control, ParticlesThatLeftTheDomainHaveNoId) {
  Case simulation = block_of_water(4, 2);
  simulation.bodies[0].velocity = {100, 0, 0};
  simulation.domain = Box{{-0.05, -0.1, 0}, {0.06, 0.2, 0}};
  Solver run(queue(), simulation);
  run.advance_steps(5);
  ASSERT_GT(run.clock().lost, 0);
  Particles particles = run.particles();
  const std::vector<std::int64_t> id = to_host(particles.queue(), particles.id());
  EXPECT_EQ(std::count(id.begin(), id.end(), -1), run.clock().lost);
  std::vector<std::int64_t> present = run.fields().id;
  for (std::int64_t lost = 0; lost < 8; ++lost)
    if (std::find(present.begin(), present.end(), lost) == present.end()) {
      EXPECT_EQ(message_of([&] { particles.rows(to_device(particles.queue(), std::vector<std::int64_t>{lost})); }),
                "sph: ids[0] = " + std::to_string(lost) +
                    " is no particle in the domain: it has left, or never was there. Take ids from id().");
    }
  set_everywhere(particles, Quantity::velocity, {1, 0, 0});
  run.advance_steps(3);
  EXPECT_EQ(run.clock().particles, static_cast<std::int64_t>(present.size()));
}

TEST_P(Control, EveryBadValueIsNamedAndNothingIsSet) {
  Case simulation = block_on_floor();
  Solver run(queue(), simulation);
  run.advance_steps(1);
  Particles particles = run.particles();
  const Snapshot before = run.snapshot();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using Columns = std::vector<std::vector<double>>;
  const auto message = [&](Quantity quantity, const Columns& columns, const std::vector<std::int64_t>& ids) {
    return message_of([&] { set_from_host(particles, quantity, columns, ids); });
  };
  EXPECT_EQ(message(Quantity::velocity, {{1, nan, nan}, {2, 3, 4}}, {0, 1, 2}),
            "sph: velocity[1] = nan, 3 of particle 1, expected finite numbers. Nothing was set.");
  EXPECT_EQ(message(Quantity::velocity, {{1, 1e300}, {2, 3}}, {7, 9}),
            "sph: velocity[1] = 1e+300, 3 of particle 9, expected finite numbers. Nothing was set.");
  EXPECT_EQ(message(Quantity::density, {{1000, -1}}, {4, 5}),
            "sph: density[1] = -1 of particle 5, expected a positive number. Nothing was set.");
  EXPECT_EQ(
      message(Quantity::velocity, {{1, 2}, {2, 3}}, {0, 24}),
      "sph: ids[1] = 24 is a particle of a wall, expected fluid. Walls move by [[wall]] motion, or as rigid bodies "
      "by Solver::drive().");
  EXPECT_EQ(message(Quantity::velocity, {{1, 2, 3}, {2, 3, 4}}, {6, 8, 6}),
            "sph: ids[2] = 6 is there twice, expected each id once.");
  EXPECT_EQ(message(Quantity::velocity, {{1, 2}, {2, 3}}, {0, 999}),
            "sph: ids[1] = 999 is no particle in the domain: it has left, or never was there. Take ids from id().");
  EXPECT_EQ(message(Quantity::velocity, {{1, 2}, {2, 3}}, {-1, 0}),
            "sph: ids[0] = -1 is no particle in the domain: it has left, or never was there. Take ids from id().");
  EXPECT_EQ(message(Quantity::velocity, {{1, 2}, {2}}, {0, 1}),
            "sph: column 1 of velocity has 1 values, expected 2: one for each id.");
  EXPECT_EQ(message(Quantity::velocity, {{1, 2}}, {0, 1}),
            "sph: column 1 of velocity has 0 values, expected 2: one for each id.");
  EXPECT_EQ(message(Quantity::velocity, {{1}, {1}}, {}),
            "sph: column 0 of velocity has 1 values, expected 42: one for each row.");
  EXPECT_EQ(message(Quantity::velocity, {{1}, {1}, {1}}, {0}),
            "sph: velocity has more than 2 columns, one for each axis.");
  EXPECT_EQ(message(Quantity::density, {{1}, {1}}, {0}), "sph: density has more than 1 column.");
  EXPECT_EQ(message(Quantity::energy, {{1}}, {0}),
            "sph: the case does not integrate energy, which a program therefore cannot set. Set scheme.energy = true.");
  expect_same(before, run.snapshot());
}

TEST_P(Control, ViewsOfOtherTypesAndAxesAreErrors) {
  Solver run(queue(), block_on_floor());
  const Particles particles = run.particles();
  EXPECT_EQ(message_of([&] { particles.velocity<double>(0); }),
            "sph: a view of other elements than float, the precision of the case.");
  EXPECT_EQ(message_of([&] { particles.coordinate<std::int64_t>(0); }),
            "sph: a view of other elements than integers of 32 bits.");
  EXPECT_EQ(message_of([&] { particles.velocity<float>(2); }),
            "sph: axis 2 of a run in 2 dimensions, expected 0 to 1.");
  EXPECT_EQ(particles.energy<float>().count, 0);
}

}  // namespace
}  // namespace shoal::sph
