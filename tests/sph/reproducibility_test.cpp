// SPDX-License-Identifier: Apache-2.0
// The bits of a run: the same when it is repeated, continued, profiled, or shared by other threads.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "sph/sph_states.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class SphReproducibility : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphReproducibility, testing::ValuesIn(methods("sph")), method_test_name);

TEST_P(SphReproducibility, RepeatsItsBits) {
  const auto run = [&] {
    Solver dam = solver(dam_break(1));
    dam.advance_steps(40);
    return bits_of(dam.snapshot());
  };
  const std::vector<double> once = run();
  EXPECT_EQ(once, run());
}

TEST_P(SphReproducibility, ContinuesWithTheSameBits) {
  for (const Precision precision : {Precision::float_, Precision::double_})
    for (const TimeStep time_step : {TimeStep::fixed, TimeStep::cfl}) {
      SCOPED_TRACE(testing::Message() << to_name(precision) << ", " << to_name(time_step));
      Case simulation = dam_break(1);
      simulation.precision = precision;
      simulation.scheme.time_step = time_step;
      Solver whole = solver(simulation);
      whole.advance_steps(37);
      Solver first = solver(simulation);
      first.advance_steps(20);
      Solver second = solver(simulation, first.snapshot());
      second.advance_steps(17);
      EXPECT_EQ(bits_of(whole.snapshot()), bits_of(second.snapshot()));
      EXPECT_EQ(whole.clock().time, second.clock().time);
      EXPECT_EQ(whole.clock().step, second.clock().step);
    }
}

TEST_P(SphReproducibility, PlainPhysicsContinuesWithTheSameBits) {
  for (const Integrator integrator : {Integrator::symplectic, Integrator::verlet}) {
    Case simulation = dam_break(1);
    simulation.precision = Precision::double_;
    simulation.scheme.integrator = integrator;
    simulation.scheme.dt = 1e-4;
    Solver whole = solver(simulation), first = solver(simulation);
    whole.advance_steps(5);
    first.advance_steps(2);
    Solver second = solver(simulation, first.snapshot());
    second.advance_steps(3);
    EXPECT_EQ(bits_of(whole.snapshot()), bits_of(second.snapshot())) << to_name(integrator);
  }
}

TEST_P(SphReproducibility, GeneralPhysicsContinuesWithTheSameBits) {
  for (const Integrator integrator : {Integrator::symplectic, Integrator::verlet}) {
    Case simulation = general_case(integrator, Walls::adami, Kernel::wendland_c4, DensityDiffusion::molteni);
    simulation.scheme.time_step = TimeStep::cfl;
    simulation.smoothing_length = SmoothingLength::by_density;
    Solver whole = solver(simulation);
    whole.advance_steps(47);
    Solver first = solver(simulation);
    first.advance_steps(25);
    Solver second = solver(simulation, first.snapshot());
    second.advance_steps(22);
    EXPECT_EQ(bits_of(whole.snapshot()), bits_of(second.snapshot())) << to_name(integrator);
  }
}

TEST_P(SphReproducibility, AProfileRunsTheSameStepsAndMeasuresTheirParts) {
  for (const TimeStep time_step : {TimeStep::fixed, TimeStep::cfl}) {
    SCOPED_TRACE(to_name(time_step));
    Case simulation = block_of_water(21, 17);
    simulation.walls = {{"tank", {{0, 0, 0}, {0.4, 0.3, 0}}, {Side::top}, 3, ""}};
    simulation.scheme.gravity = {0, -9.81, 0};
    simulation.scheme.walls = Walls::adami;
    simulation.scheme.time_step = time_step;
    const double dt = solver(simulation).clock().next_dt;
    Solver plain = solver(simulation), profiled = solver(simulation);

    const std::vector<KernelProfile> parts = profiled.profile(7);
    plain.advance_steps(7);
    EXPECT_EQ(profiled.clock().step, 7);
    EXPECT_EQ(bits_of(profiled.snapshot()), bits_of(plain.snapshot()));
    std::vector<std::string> names;
    for (const KernelProfile& part : parts) {
      EXPECT_GT(part.seconds, 0) << part.name;
      EXPECT_EQ(part.launches % 7, 0) << part.name;  // as often in each step
      EXPECT_GT(part.launches, 0) << part.name;
      EXPECT_EQ(part.threads > 0, GetParam().device == DeviceKind::cuda) << part.name;
      names.push_back(part.name);
    }
    EXPECT_EQ(std::count(names.begin(), names.end(), "set_wall_pressures"), 1);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "two of one name";

    const double time = profiled.clock().time + 3.4 * dt;
    profiled.profile(1000, time);  // the run stops at `time`
    EXPECT_GE(profiled.clock().step, 10);
    profiled.advance_to(time);  // by CFL, CUDA may leave a step to do
    plain.advance_to(time);
    EXPECT_EQ(profiled.clock().step, plain.clock().step);
    EXPECT_EQ(profiled.clock().time, plain.clock().time);
    EXPECT_EQ(bits_of(profiled.snapshot()), bits_of(plain.snapshot()));
    const std::int64_t step = profiled.clock().step;
    EXPECT_TRUE(profiled.profile(0).empty());
    EXPECT_TRUE(profiled.profile(5, profiled.clock().time).empty());
    EXPECT_EQ(profiled.clock().step, step);
    profiled.advance_steps(20);  // graphs again
    plain.advance_steps(20);
    EXPECT_EQ(bits_of(profiled.snapshot()), bits_of(plain.snapshot()));
  }
}

TEST_P(SphReproducibility, ReportsHaveTheSameBitsForAnyNumberOfThreads) {
  Case simulation = dam_break(1);  // more particles than one thread reports on
  simulation.method = GetParam().name;
  const auto report = [&](int threads) {
    Solver solver(Queue::parse(device_word(GetParam().device), threads), simulation);
    solver.advance_steps(3);
    return std::pair(solver.fields(), solver.balance());
  };
  const auto [fields, balance] = report(1);
  for (const int threads : {2, 5}) {
    const auto [fields_again, balance_again] = report(threads);
    EXPECT_EQ(fields_again.id, fields.id);
    EXPECT_EQ(fields_again.wall_number, fields.wall_number);
    EXPECT_EQ(fields_again.position, fields.position);
    EXPECT_EQ(fields_again.velocity, fields.velocity);
    EXPECT_EQ(fields_again.density, fields.density);
    EXPECT_EQ(fields_again.pressure, fields.pressure);
    EXPECT_EQ(balance_again.mass, balance.mass);
    EXPECT_EQ(balance_again.momentum, balance.momentum);
    EXPECT_EQ(balance_again.kinetic, balance.kinetic);
    EXPECT_EQ(balance_again.potential, balance.potential);
    EXPECT_EQ(balance_again.elastic, balance.elastic);
    EXPECT_EQ(balance_again.density_error, balance.density_error);
  }
}

TEST_P(SphReproducibility, FieldsMadeLaterAreThoseOfTheirState) {
  std::optional<Solver> dam = solver(dam_break(1));
  dam->advance_steps(2);
  const Fields expected = dam->fields();
  const std::function<Fields()> fields_later = dam->fields_later();
  dam->advance_steps(3);
  ASSERT_NE(dam->fields().velocity, expected.velocity);
  dam.reset();
  Fields fields;
  std::thread([&] { fields = fields_later(); }).join();
  EXPECT_EQ(fields.clock.step, 2);
  EXPECT_EQ(fields.first, expected.first);
  EXPECT_EQ(fields.total, expected.total);
  EXPECT_EQ(fields.id, expected.id);
  EXPECT_EQ(fields.body, expected.body);
  EXPECT_EQ(fields.wall_number, expected.wall_number);
  EXPECT_EQ(fields.position, expected.position);
  EXPECT_EQ(fields.velocity, expected.velocity);
  EXPECT_EQ(fields.density, expected.density);
  EXPECT_EQ(fields.pressure, expected.pressure);
}

TEST_P(SphReproducibility, AnObserverReadsTheStateOfItsClock) {
  Solver dam = solver(dam_break(1));
  EXPECT_EQ(dam.clock().step, 0);
  EXPECT_EQ(dam.balance().clock.step, 0);
  std::int64_t step = 0;
  const auto observe = [&](const Clock& now) {
    EXPECT_GT(now.step, step);
    step = now.step;
    EXPECT_EQ(dam.clock().step, now.step);
    EXPECT_EQ(dam.clock().time, now.time);
    EXPECT_EQ(dam.balance().clock.step, now.step);
    return now.step < 17;
  };
  dam.advance_to(40 * 4e-4, observe);
  dam.advance_to(40 * 4e-4, observe);
  EXPECT_GE(step, 17);
  EXPECT_EQ(dam.clock().step, step);
  EXPECT_EQ(dam.balance().clock.step, step);
}

TEST(SphList, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto run = [](int threads) {
    Case simulation = dam_break(1);
    simulation.method = "list";
    Solver solver(Queue::cpu(threads), simulation);
    solver.advance_steps(20);
    return bits_of(solver.snapshot());
  };
  const std::vector<double> one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(5));
}

}  // namespace
}  // namespace shoal::sph
