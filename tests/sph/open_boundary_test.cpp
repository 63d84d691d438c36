// SPDX-License-Identifier: Apache-2.0
// Open boundaries: what enters and leaves, exact flows, and the same bits from any start and number of threads and ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/sph.hpp>
#include <shoal/sph/measure.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "sph/ranks/rank_bits.hpp"
#include "sph/setup/lattice.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

constexpr Integrator integrators[] = {Integrator::tvd_rk3, Integrator::symplectic, Integrator::verlet};

std::vector<MethodInfo> methods_of(DeviceKind device) {
  std::vector<MethodInfo> entries = methods("sph");
  std::erase_if(entries, [&](const MethodInfo& method) { return method.device != device; });
  return entries;
}

class EveryOpenBoundary : public SphMethodTest {};
class RanksOfOpenBoundary : public RankBits {};
class ReturnsOfOpenBoundary : public SphMethodTest {};
class PlacesOfOpenBoundary : public SphMethodTest {};
class OpenBoundaryOnDevice : public DeviceTest {
 protected:
  Solver solver(const Case& simulation) const { return Solver(queue(), simulation); }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PlacesOfOpenBoundary);  // a build without CUDA has no methods of it

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryOpenBoundary, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfOpenBoundary, testing::ValuesIn(methods_of(DeviceKind::cpu)),
                         method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, ReturnsOfOpenBoundary, testing::ValuesIn(methods_of(DeviceKind::cpu)),
                         method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, PlacesOfOpenBoundary, testing::ValuesIn(methods_of(DeviceKind::cuda)),
                         method_test_name);
INSTANTIATE_TEST_SUITE_P(AllDevices, OpenBoundaryOnDevice, every_device, device_test_name);

constexpr double inflow_speed = 2;

/// 40 x 10 particles in free space that move to the right at 2 m/s, the first and the last five columns in boxes.
Case free_stream(Integrator integrator = Integrator::symplectic) {
  Case simulation = block_of_water(40, 10);
  simulation.bodies[0].velocity = {inflow_speed, 0, 0};
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.5, 0.2, 0}};
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = integrator == Integrator::verlet ? 2e-5 : 1e-4;
  simulation.open_boundaries = {
      {.name = "inlet", .box = {{0, 0, 0}, {0.05, 0.1, 0}}, .fluid = Side::right, .velocity = inflow_speed},
      {.name = "outlet", .box = {{0.35, 0, 0}, {0.4, 0.1, 0}}, .fluid = Side::left, .pressure = 0.0}};
  return simulation;
}

/// The same with a column of faster water ahead, so that pressures and velocities change.
Case disturbed_stream(Integrator integrator = Integrator::symplectic) {
  Case simulation = free_stream(integrator);
  simulation.bodies[0].strain_rate = {3, -2, 0};
  simulation.open_boundaries[0].profile = VelocityProfile::parabolic;
  simulation.open_boundaries[0].ramp = 0.01;
  simulation.open_boundaries[1].pressure = {};
  return simulation;
}

// A lattice that moves as a whole has neither forces nor changes of density: it is an exact solution of the scheme.
TEST_P(EveryOpenBoundary, AUniformStreamPassesUnchanged) {
  for (const Integrator integrator : integrators) {
    Case simulation = free_stream(integrator);
    simulation.precision = Precision::double_;
    Solver run = solver(simulation);
    const double time = integrator == Integrator::verlet ? 0.0124 : 0.0724;  // 2.48 or 14.48 spacings
    const int passed = integrator == Integrator::verlet ? 2 : 14;
    run.advance_to(time);
    const Fields fields = run.fields();
    ASSERT_EQ(fields.id.size(), 400u) << to_name(integrator);
    std::set<std::int64_t> entered;
    for (std::size_t i = 0; i < fields.id.size(); ++i) {
      EXPECT_NEAR(fields.velocity[3 * i], inflow_speed, 1e-6);
      EXPECT_NEAR(fields.velocity[3 * i + 1], 0, 1e-6);
      EXPECT_NEAR(fields.density[i], 1000, 1e-3);
      const double columns = (fields.position[3 * i] - inflow_speed * time) / 0.01;
      EXPECT_NEAR(columns - std::floor(columns), 0.5, 1e-5);
      if (fields.id[i] >= 400) {
        entered.insert(fields.id[i]);
        EXPECT_EQ(fields.body[i], -1);
      }
    }
    EXPECT_EQ(entered.size(), 10u * static_cast<std::size_t>(passed));
    EXPECT_EQ(*entered.begin(), 400);
    EXPECT_EQ(*entered.rbegin(), 399 + 10 * passed);
    const Balance balance = run.balance();
    EXPECT_NEAR(balance.inflow, passed, 1e-9);
    EXPECT_NEAR(balance.outflow, passed, 1e-9);
    EXPECT_NEAR(balance.mass, 40.0, 1e-9);
    EXPECT_EQ(run.clock().particles, 400);
    EXPECT_EQ(run.clock().lost, 0);
  }
}

TEST_P(EveryOpenBoundary, MassIsThatOfTheStartWithWhatPassed) {
  for (const Integrator integrator : integrators) {
    Case simulation = disturbed_stream(integrator);
    simulation.scheme.laminar_viscosity = true;  // particles have masses of their own
    Solver run = solver(simulation);
    const double start = run.balance().mass;
    EXPECT_EQ(run.balance().inflow, 0);
    EXPECT_EQ(run.balance().outflow, 0);
    run.advance_to(0.02);
    const Balance balance = run.balance();
    EXPECT_GT(balance.inflow, 0.03 * start);
    EXPECT_GT(balance.outflow, 0.03 * start);
    EXPECT_EQ(balance.clock.lost, 0);
    EXPECT_NEAR(balance.mass, start + balance.inflow - balance.outflow, 1e-9 * start) << to_name(integrator);
  }
}

void expect_near(const Fields& a, const Fields& b, double tolerance) {
  ASSERT_EQ(a.id, b.id);
  ASSERT_EQ(a.position.size(), b.position.size());
  for (std::size_t k = 0; k < a.position.size(); ++k) EXPECT_NEAR(a.position[k], b.position[k], tolerance);
}

/// The disturbed stream in forms that take other parts of the code.
std::vector<std::pair<std::string, Case>> forms_of_stream() {
  std::vector<std::pair<std::string, Case>> forms;
  const auto add = [&](const char* name, const std::function<void(Case&)>& change) {
    Case simulation = disturbed_stream();
    simulation.precision = Precision::double_;
    change(simulation);
    forms.emplace_back(name, simulation);
  };
  add("plain", [](Case&) {});
  add("general", [](Case& c) { c.scheme.laminar_viscosity = true; });
  add("constant", [](Case& c) { c.open_boundaries[1].extrapolation = Extrapolation::constant; });
  add("power", [](Case& c) { c.open_boundaries[0].profile = VelocityProfile::power; });
  add("periodic", [](Case& c) {
    c.scheme.periodic = {Axis::y};
    c.domain = Box{{-0.1, 0, 0}, {0.5, 0.1, 0}};
  });
  add("level", [](Case& c) {
    c.scheme.gravity = {0, -5, 0};
    for (OpenBoundary& boundary : c.open_boundaries) boundary.water_level = 0.1, boundary.pressure = 0.0;
  });
  add("cfl", [](Case& c) { c.scheme.time_step = TimeStep::cfl; });
  return forms;
}

TEST_P(EveryOpenBoundary, AgreesWithSerial) {
  for (auto [name, simulation] : forms_of_stream()) {
    SCOPED_TRACE(name);
    Solver run = solver(simulation);
    simulation.method = "serial";
    Solver serial(Queue::cpu(1), simulation);
    run.advance_steps(200);
    serial.advance_steps(200);
    EXPECT_GT(run.balance().inflow, 0);
    EXPECT_GT(run.balance().outflow, 0);
    expect_near(run.fields(), serial.fields(), 1e-9);
    EXPECT_EQ(run.balance().inflow, serial.balance().inflow);
    EXPECT_EQ(run.balance().outflow, serial.balance().outflow);
  }
}

/// 30 x 6 x 6 particles in free space that move along y, the first and the last five layers in boxes.
Case stream_in_3d() {
  Case simulation = block_of_water(6, 30, 6);
  simulation.bodies[0].velocity = {0, inflow_speed, 0};
  simulation.bodies[0].strain_rate = {0, 2, -1};
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.16, 0.4, 0.16}};
  simulation.open_boundaries = {{.name = "inlet",
                                 .box = {{0, 0, 0}, {0.06, 0.05, 0.06}},
                                 .fluid = Side::back,
                                 .velocity = inflow_speed,
                                 .profile = VelocityProfile::parabolic},
                                {.name = "outlet", .box = {{0, 0.25, 0}, {0.06, 0.3, 0.06}}, .fluid = Side::front}};
  return simulation;
}

TEST_P(EveryOpenBoundary, AgreesWithSerialIn3D) {
  Case simulation = stream_in_3d();
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  simulation.method = "serial";
  Solver serial(Queue::cpu(1), simulation);
  run.advance_steps(60);
  serial.advance_steps(60);
  EXPECT_GT(run.balance().inflow, 0);
  EXPECT_GT(run.balance().outflow, 0);
  expect_near(run.fields(), serial.fields(), 1e-9);
}

void expect_same(const Snapshot& a, const Snapshot& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.coordinate, b.coordinate);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.density_deviation, b.density_deviation);
  EXPECT_EQ(a.pressure_over_density2, b.pressure_over_density2);
  EXPECT_EQ(a.smoothing_length, b.smoothing_length);
  EXPECT_EQ(a.sound_speed, b.sound_speed);
  EXPECT_EQ(a.previous_velocity, b.previous_velocity);
  EXPECT_EQ(a.previous_density_deviation, b.previous_density_deviation);
  EXPECT_EQ(a.clock.particles, b.clock.particles);
}

TEST_P(EveryOpenBoundary, ARestartContinuesWithTheSameBits) {
  for (const bool is_general : {false, true})
    for (const Integrator integrator : integrators) {
      Case simulation = disturbed_stream(integrator);
      simulation.scheme.laminar_viscosity = is_general;
      Solver whole = solver(simulation);
      whole.advance_steps(240);
      Solver first = solver(simulation);
      first.advance_steps(133);
      EXPECT_NE(first.snapshot().total, 400);
      Solver second = solver(simulation, first.snapshot());
      second.advance_steps(107);
      expect_same(whole.snapshot(), second.snapshot());
      EXPECT_EQ(whole.balance().outflow, second.balance().outflow);
    }
}

TEST_P(EveryOpenBoundary, ARepeatedRunHasTheSameBits) {
  for (const Case& simulation : {disturbed_stream(), stream_in_3d()}) {
    Solver one = solver(simulation), other = solver(simulation);
    one.advance_steps(150);
    for (int step = 0; step < 150; step += 50) other.advance_steps(50);
    expect_same(one.snapshot(), other.snapshot());
  }
}

/// The block between two outlets through which fluid returns, in a field that turns its flow back. Without pressure it falls
/// freely: v = 1 − 20 t.
Case turning_stream() {
  Case simulation = free_stream();
  simulation.bodies[0].velocity = {1, 0, 0};
  simulation.scheme.gravity = {-20, 0, 0};
  for (OpenBoundary& boundary : simulation.open_boundaries) {
    boundary.velocity = {};
    boundary.pressure = 0.0;
    boundary.returns = true;
  }
  return simulation;
}

TEST_P(ReturnsOfOpenBoundary, AFlowThatTurnsBackReturns) {
  Case simulation = turning_stream();
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  for (const double time : {0.05, 0.1}) {
    run.advance_to(time);
    const Fields fields = run.fields();
    EXPECT_EQ(fields.id.size(), 400u) << time;
    EXPECT_EQ(std::set<std::int64_t>(fields.id.begin(), fields.id.end()).size(), fields.id.size());
    EXPECT_GT(std::count_if(fields.id.begin(), fields.id.end(), [](std::int64_t id) { return id >= 400; }), 15);
    for (std::size_t i = 0; i < fields.id.size(); ++i) {
      EXPECT_NEAR(fields.velocity[3 * i], 1 - 20 * time, 0.03);
      EXPECT_NEAR(fields.density[i], 1000, 1);
    }
    const Balance balance = run.balance();
    EXPECT_EQ(balance.inflow, 0);
    EXPECT_NEAR(balance.outflow, 0, 1e-9);
  }
}

TEST_P(ReturnsOfOpenBoundary, AFlowThatTurnsBackAgreesWithSerialAndResumes) {
  Case simulation = turning_stream();
  simulation.bodies[0].strain_rate = {3, -2, 0};
  simulation.scheme.laminar_viscosity = true;
  Solver whole = solver(simulation), first = solver(simulation);
  whole.advance_steps(700);
  first.advance_steps(333);
  Solver second = solver(simulation, first.snapshot());
  second.advance_steps(367);
  expect_same(whole.snapshot(), second.snapshot());
  simulation.precision = Precision::double_;
  Solver precise = solver(simulation);
  simulation.method = "serial";
  Solver serial(Queue::cpu(1), simulation);
  precise.advance_steps(300);
  serial.advance_steps(300);
  expect_near(precise.fields(), serial.fields(), 1e-8);
}

TEST_P(EveryOpenBoundary, AProfileHasTheBitsOfARun) {
  Solver run = solver(disturbed_stream()), profiled = solver(disturbed_stream());
  run.advance_steps(100);
  EXPECT_FALSE(profiled.profile(100, 1, {}).empty());
  expect_same(run.snapshot(), profiled.snapshot());
}

// The restart of a run has no trace of the device, and ids and times of what enters are the same everywhere.
TEST_P(EveryOpenBoundary, ARunOfAnotherDeviceResumes) {
  Case simulation = disturbed_stream();
  simulation.precision = Precision::double_;
  simulation.scheme.laminar_viscosity = true;
  Case serial_case = simulation;
  serial_case.method = "serial";
  Solver whole(Queue::cpu(1), serial_case);
  whole.advance_steps(240);
  Solver first(Queue::cpu(1), serial_case);
  first.advance_steps(133);
  Solver second = solver(simulation, first.snapshot());
  second.advance_steps(50);
  Solver back(Queue::cpu(1), serial_case, second.snapshot());
  back.advance_steps(57);
  expect_near(whole.fields(), back.fields(), 1e-9);
  EXPECT_EQ(whole.balance().inflow, back.balance().inflow);
  EXPECT_EQ(whole.balance().outflow, back.balance().outflow);
}

TEST_P(EveryOpenBoundary, AParticleThatLeavesTheDomainIsLost) {
  Case simulation = free_stream();
  simulation.bodies.push_back({"water", {{0.2, 0.14, 0}, {0.21, 0.15, 0}}, {0, 40, 0}, {}});
  Solver run = solver(simulation);
  run.advance_steps(100);
  EXPECT_EQ(run.clock().lost, 1);
  EXPECT_EQ(run.clock().particles, run.snapshot().total - 1);
  Solver resumed = solver(simulation, run.snapshot());
  EXPECT_EQ(resumed.clock().lost, 1);
  resumed.advance_steps(20);
  EXPECT_EQ(resumed.clock().lost, 1);
}

/// Bytes of all particles, by id, after 300 steps of an inlet without an outlet.
std::map<std::int64_t, std::string> filled(const MethodInfo& method, const Queue& queue, std::int64_t spare,
                                           bool profiles) {
  Case simulation = free_stream();
  simulation.open_boundaries.pop_back();
  const Lattice lattice = make_lattice(simulation, 32);
  auto setup = make_setup<float, 2>(simulation, lattice, queue, nullptr);
  setup.spare_particles = spare;
  const auto stepper = choose_method(method.name, method.device).make<float, 2>()(queue, std::move(setup));
  if (profiles)
    EXPECT_FALSE(stepper->profile({.step = 300}, {}).empty());
  else
    stepper->advance({.step = 300}, {});
  const HostState<float, 2> state = stepper->download();
  EXPECT_EQ(state.clock.step, 300);
  EXPECT_EQ(state.clock.particles, static_cast<std::int64_t>(state.count()));
  std::map<std::int64_t, std::string> particles;
  for (std::size_t i = 0; i < state.count(); ++i) particles[state.id[i]] = bytes_of_particle(state, i);
  return particles;
}

TEST_P(PlacesOfOpenBoundary, ChangeNothing) {
  const auto expected = filled(GetParam(), queue(), 1000, false);
  EXPECT_EQ(expected.size(), 460u);
  for (const std::int64_t spare : {1, 7}) EXPECT_EQ(filled(GetParam(), queue(), spare, false), expected);
  EXPECT_EQ(filled(GetParam(), queue(), 1, true), expected);
}

TEST_P(PlacesOfOpenBoundary, MoreThanADeviceCanNumberAreRefused) {
  EXPECT_THAT(message_of([&] { filled(GetParam(), queue(), std::int64_t{1} << 31, false); }),
              HasSubstr("2147484048 particles, with ghosts and room for more, are more than one device can number"));
}

TEST_P(RanksOfOpenBoundary, HaveTheBitsOfOneRank) {
  for (const Integrator integrator : integrators)
    expect_bits_of_one_rank<float, 2>(disturbed_stream(integrator), {.steps = 120, .rebalance_every = 7}, {3});
  Case simulation = disturbed_stream();
  simulation.scheme.laminar_viscosity = true;
  expect_bits_of_one_rank<double, 2>(simulation, {.steps = 120}, {2});
}

TEST(OpenBoundary, AnyNumberOfThreadsHasTheSameBits) {
  const auto state = [](int threads) {
    Solver run(Queue::cpu(threads), disturbed_stream());
    run.advance_steps(300);
    return run.snapshot();
  };
  expect_same(state(1), state(3));
}

TEST(OpenBoundary, ReportsOfRanksAreThoseOfOne) {
  const auto run_on = [](const Communicator& ranks) {
    Solver run(Queue::cpu(1), disturbed_stream(), ranks);
    run.advance_steps(250);
    return std::pair(run.fields(), run.balance());
  };
  const auto [whole, balance] = run_on(Communicator::alone());
  std::vector<Fields> parts(2);
  run_on_ranks(2, [&](const Communicator& ranks) {
    const auto [fields, sums] = run_on(ranks);
    parts[static_cast<std::size_t>(ranks.rank())] = fields;
    EXPECT_EQ(sums.mass, balance.mass);
    EXPECT_EQ(sums.inflow, balance.inflow);
    EXPECT_EQ(sums.outflow, balance.outflow);
  });
  std::vector<std::int64_t> ids = parts[0].id;
  ids.insert(ids.end(), parts[1].id.begin(), parts[1].id.end());
  EXPECT_EQ(ids, whole.id);
  EXPECT_EQ(parts[1].first, static_cast<std::int64_t>(parts[0].id.size()));
  EXPECT_EQ(parts[0].total, whole.total);
  EXPECT_FALSE(parts[1].id.empty());
}

TEST(OpenBoundary, ARunOfRanksResumesOnOne) {
  Solver whole(Queue::cpu(1), disturbed_stream());
  whole.advance_steps(250);
  const Snapshot middle = [] {
    Solver first(Queue::cpu(1), disturbed_stream());
    first.advance_steps(150);
    return first.snapshot();
  }();
  const auto half = [&](int rank) {  // the rows of a rank of two
    Snapshot part = middle;
    const auto n = static_cast<std::ptrdiff_t>(middle.id.size()), cut = n / 2;
    const auto take = [&](auto& values) {
      if (values.empty()) return;
      values = {values.begin() + (rank == 0 ? 0 : cut), values.begin() + (rank == 0 ? cut : n)};
    };
    take(part.id), take(part.tag), take(part.density_deviation), take(part.pressure_over_density2), take(part.energy);
    for (std::size_t axis = 0; axis < 2; ++axis) take(part.coordinate[axis]), take(part.velocity[axis]);
    return part;
  };
  std::vector<Snapshot> parts(2);
  run_on_ranks(2, [&](const Communicator& ranks) {
    Solver second(Queue::cpu(1), disturbed_stream(), half(ranks.rank()), ranks);
    second.advance_steps(100);
    parts[static_cast<std::size_t>(ranks.rank())] = second.snapshot();
  });
  const Snapshot expected = whole.snapshot();
  std::vector<std::int64_t> ids = parts[0].id, x = parts[0].coordinate[0];
  ids.insert(ids.end(), parts[1].id.begin(), parts[1].id.end());
  x.insert(x.end(), parts[1].coordinate[0].begin(), parts[1].coordinate[0].end());
  EXPECT_EQ(ids, expected.id);
  EXPECT_EQ(x, expected.coordinate[0]);
  EXPECT_EQ(parts[0].total, expected.total);
}

TEST_P(OpenBoundaryOnDevice, ColumnsEnterAtTheirOwnSpeed) {
  Case simulation = free_stream();
  simulation.precision = Precision::double_;
  simulation.open_boundaries[0].profile = VelocityProfile::linear;
  Solver run = solver(simulation);
  run.advance_to(0.052);
  const Fields fields = run.fields();
  std::array<int, 10> count{};
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (fields.id[i] >= 400) ++count[static_cast<std::size_t>((fields.id[i] - 400) % 10)];
  for (std::size_t row = 0; row < 10; ++row) {
    const double speed = inflow_speed * (static_cast<double>(row) + 0.5) / 10;
    EXPECT_EQ(count[row], static_cast<int>(std::floor(speed * 0.052 / 0.01 + 0.5))) << row;
  }
}

TEST_P(OpenBoundaryOnDevice, SpeedsFollowTheirTable) {
  Case simulation = free_stream();
  simulation.open_boundaries[0].velocity = {};
  simulation.open_boundaries[0].times = {0, 0.02, 0.04};
  simulation.open_boundaries[0].speeds = {2, 4, 0};
  Solver run = solver(simulation);
  run.advance_to(0.05);
  EXPECT_NEAR(run.balance().inflow, 10.0, 1e-9);  // 0.06 m and 0.04 m, ten layers of ten particles
  run.advance_to(0.06);
  EXPECT_NEAR(run.balance().inflow, 10.0, 1e-9);
}

TEST_P(OpenBoundaryOnDevice, FluidEntersBelowTheWaterLevel) {
  Case simulation = free_stream();
  simulation.scheme.gravity = {0, -1, 0};
  simulation.open_boundaries[0].water_level = 0.06;
  Solver run = solver(simulation);
  run.advance_to(0.03);
  EXPECT_NEAR(run.balance().inflow, 6 * 6 * 0.1, 1e-9);
}

TEST_P(OpenBoundaryOnDevice, ProbesOfStoredFieldsTakeWhatEntered) {
  Case simulation = free_stream();
  simulation.scheme.laminar_viscosity = true;
  Solver run = solver(simulation);
  run.advance_to(0.05);
  const std::vector<Probe> probes{{.name = "v", .kind = ProbeKind::velocity, .at = {0.08, 0.05, 0}},
                                  {.name = "h", .kind = ProbeKind::water_height, .at = {0.08, 0, 0}}};
  const std::vector<double> live = run.measure(probes);
  const std::vector<double> stored = measure(Queue::cpu(1), simulation, run.fields(), probes);
  ASSERT_EQ(live.size(), stored.size());
  for (std::size_t k = 0; k < live.size(); ++k) EXPECT_NEAR(live[k], stored[k], 1e-5);
  EXPECT_NEAR(live[0], inflow_speed, 1e-3);
}

// Water at rest beside a box of water at rest stays so; the pressure in the box is hydrostatic.
TEST_P(OpenBoundaryOnDevice, AnInletAtRestHoldsStillWater) {
  for (const Extrapolation extrapolation : {Extrapolation::linear, Extrapolation::constant}) {
    Case simulation = block_of_water(30, 20);
    simulation.precision = Precision::double_;
    simulation.smoothing = 1.5;
    simulation.materials = {water(15)};
    simulation.bodies[0].pressure = InitialPressure::hydrostatic;
    simulation.walls = {{"tank", {{0, 0, 0}, {0.3, 0.3, 0}}, {Side::top, Side::right}, 3, ""}};
    simulation.domain = Box{{-0.05, -0.05, 0}, {0.4, 0.4, 0}};
    simulation.scheme.time_step = TimeStep::cfl;
    simulation.scheme.gravity = {0, -9.81, 0};
    simulation.scheme.artificial_viscosity = 0.1;
    simulation.open_boundaries = {{.name = "end",
                                   .box = {{0.26, 0, 0}, {0.3, 0.3, 0}},
                                   .fluid = Side::left,
                                   .velocity = 0.0,
                                   .extrapolation = extrapolation}};
    Solver run = solver(simulation);
    run.advance_to(0.5);
    const Balance balance = run.balance();
    EXPECT_EQ(balance.inflow, 0);
    EXPECT_EQ(balance.outflow, 0);
    EXPECT_LT(std::sqrt(2 * balance.kinetic / balance.mass), 0.02 * std::sqrt(9.81 * 0.2));
    for (const double x : {0.2, 0.28}) {
      const double p = run.measure({{.name = "p", .kind = ProbeKind::pressure, .at = {x, 0.05, 0}}})[0];
      EXPECT_NEAR(p, 1000 * 9.81 * 0.15, 0.05 * 1000 * 9.81 * 0.15) << x << " m, " << to_name(extrapolation);
    }
  }
}

/// Channel of length 3 and height 1 between plates without slip: Re = 10 by the height and the largest velocity.
Case poiseuille(Extrapolation extrapolation) {
  Case simulation;
  simulation.spacing = 0.0625;
  simulation.smoothing = 1.5;
  simulation.materials = {water(10)};
  simulation.materials[0].kinematic_viscosity = 0.1;
  simulation.bodies = {{"water", {{0, 0, 0}, {3, 1, 0}}, {0.5, 0, 0}, {}}};
  simulation.walls = {{"plates", {{0, 0, 0}, {3, 1, 0}}, {Side::left, Side::right}, 4, ""}};
  simulation.domain = Box{{-0.5, -0.5, 0}, {3.5, 1.5, 0}};
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.wall_flow = WallFlow::no_slip;
  simulation.scheme.artificial_viscosity = 0;
  simulation.scheme.shifting.coefficient = 2;
  simulation.open_boundaries = {{.name = "inlet",
                                 .box = {{0, 0, 0}, {0.375, 1, 0}},
                                 .fluid = Side::right,
                                 .velocity = 1,
                                 .profile = VelocityProfile::parabolic,
                                 .extrapolation = extrapolation},
                                {.name = "outlet",
                                 .box = {{2.625, 0, 0}, {3, 1, 0}},
                                 .fluid = Side::left,
                                 .pressure = 0.0,
                                 .extrapolation = extrapolation}};
  return simulation;
}

// u = 4 s (1 − s), dp/dx = −8 ρ ν u/H² = −800 Pa/m.
TEST_P(OpenBoundaryOnDevice, PoiseuilleFlowKeepsItsProfile) {
  for (const Extrapolation extrapolation : {Extrapolation::linear, Extrapolation::constant}) {
    Solver run = solver(poiseuille(extrapolation));
    run.advance_to(6);
    const auto value = [&](ProbeKind kind, double x, double s) {
      return run.measure({{.name = "p", .kind = kind, .at = {x, s, 0}}})[0];
    };
    for (const double s : {0.25, 0.5, 0.6})  // probes nearer to a plate lack fluid on one side
      EXPECT_NEAR(value(ProbeKind::velocity, 1.5, s), 4 * s * (1 - s), 0.025) << to_name(extrapolation);
    const double slope = value(ProbeKind::pressure, 2, 0.5) - value(ProbeKind::pressure, 1, 0.5);
    EXPECT_NEAR(slope, -800, 80) << to_name(extrapolation);
    const Balance balance = run.balance();
    EXPECT_NEAR(balance.inflow, 4000, 0.02 * 4000) << to_name(extrapolation);  // 2/3 of the largest velocity
    EXPECT_NEAR(balance.outflow, balance.inflow, 0.02 * balance.inflow) << to_name(extrapolation);
  }
}

std::string message_with(const std::function<void(Case&)>& spoil) {
  Case simulation = free_stream();
  spoil(simulation);
  return message_of([&] { require_valid(simulation); });
}

TEST(OpenBoundary, EveryBadValueIsNamed) {
  const auto inlet = [](Case& c) -> OpenBoundary& { return c.open_boundaries[0]; };
  EXPECT_EQ(message_with([](Case&) {}), "no error");
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).box.to[0] = 0.02; }),
              HasSubstr("the box of open_boundary \"inlet\" spans [0, 0.02] m along x, expected at least 0.024 m"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).box.to[1] = 0.001; }), HasSubstr("a particle spacing"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).box.to[1] = std::nan(""); }), HasSubstr("m along y"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).box.from[0] = -0.2; }), HasSubstr("Enlarge [domain]"));
  EXPECT_THAT(message_with([&](Case& c) { c.open_boundaries[1].box.from[0] = 0.04; }),
              HasSubstr("the boxes of open_boundary \"inlet\" and open_boundary \"outlet\" overlap"));
  EXPECT_THAT(message_with([](Case& c) { c.scheme.periodic = {Axis::x}; }),
              HasSubstr("meets the fluid along x, along which the domain repeats"));
  EXPECT_EQ(message_with([&](Case& c) { inlet(c).material = "oil"; }),
            "sph: open_boundary.material = \"oil\" is not a [material.NAME] of the case.");
  EXPECT_THAT(message_with([](Case& c) { c.scheme.energy = true; }), HasSubstr("Set scheme.energy = false"));
  EXPECT_EQ(message_with([&](Case& c) { inlet(c).velocity = -1; }),
            "sph: open_boundary.velocity = -1 m/s, expected 0 or a positive number.");
  EXPECT_EQ(message_with([&](Case& c) { inlet(c).ramp = -1; }),
            "sph: open_boundary.ramp = -1 s, expected 0 or a positive number.");
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).returns = true; }),
              HasSubstr("open_boundary \"inlet\" has a velocity and returns = true"));
  EXPECT_THAT(message_with([](Case& c) { c.open_boundaries[1].ramp = 1; }), HasSubstr("a ramp without a velocity"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).times = {0}, inlet(c).speeds = {1}; }),
              HasSubstr("has a velocity and speeds at times"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).velocity = {}, inlet(c).speeds = {1}; }),
              HasSubstr("has 0 times and 1 speeds"));
  EXPECT_THAT(message_with([&](Case& c) {
                inlet(c).velocity = {}, inlet(c).times = {0, 0}, inlet(c).speeds = {1, 2};
              }),
              HasSubstr("has the time 0 s after 0 s"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).velocity = {}, inlet(c).times = {0}, inlet(c).speeds = {-2}; }),
              HasSubstr("open_boundary.speeds = -2 m/s"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).pressure = std::nan(""); }),
              HasSubstr("open_boundary.pressure = nan Pa"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).pressure = -1e9; }),
              HasSubstr("expected a pressure at which the equation of state of water has a density"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).water_level = 0.05; }), HasSubstr("gravity acts along 0 axes"));
  EXPECT_THAT(message_with([&](Case& c) {
                inlet(c).water_level = std::nan("");
                c.scheme.gravity = {0, -1, 0};
              }),
              HasSubstr("open_boundary.water_level = nan m"));
  EXPECT_THAT(message_with([&](Case& c) { inlet(c).fluid = Side::front; }), HasSubstr("front"));
}

TEST(OpenBoundary, CudaRefusesThemOnSeveralRanks) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  std::string message;
  run_on_ranks(2, [&](const Communicator& ranks) {
    const std::string text = message_of([&] { Solver(Queue::cuda(0), free_stream(), ranks); });
    if (ranks.rank() == 0) message = text;
  });
  EXPECT_EQ(message,
            "sph: the case has open boundaries, which the methods of CUDA have on one rank, got 2 ranks. Run it on one "
            "rank, or on the CPU.");
}

TEST(OpenBoundary, NothingReturnsOnCuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  EXPECT_THAT(message_of([] { Solver(Queue::cuda(0), turning_stream()); }),
              HasSubstr("open_boundary \"inlet\" has returns = true, which the methods of CUDA do not have"));
}

TEST(OpenBoundary, NothingReturnsOnSeveralRanks) {
  std::string message;
  run_on_ranks(2, [&](const Communicator& ranks) {
    const std::string text = message_of([&] { Solver(Queue::cpu(1), turning_stream(), ranks); });
    if (ranks.rank() == 0) message = text;
  });
  EXPECT_THAT(message, HasSubstr("open_boundary \"inlet\" has returns = true, got 2 ranks, expected one"));
}

TEST(OpenBoundary, RanksCannotCutAcrossTheFlow) {
  Case simulation = free_stream();
  simulation.open_boundaries[0].fluid = Side::top;
  simulation.open_boundaries.pop_back();
  std::string message;
  run_on_ranks(2, [&](const Communicator& ranks) {
    const std::string text = message_of([&] { Solver(Queue::cpu(1), simulation, ranks); });
    if (ranks.rank() == 0) message = text;
  });
  EXPECT_THAT(message, HasSubstr("fluid passes open_boundary \"inlet\" along the last axis, across which 2 ranks cut"));
}

}  // namespace
}  // namespace shoal::sph
