// SPDX-License-Identifier: Apache-2.0
// Requirements on every method of the solver: agreement with serial, conservation, reproducibility, restarts.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>

#include "sph/physics/parameters.hpp"
#include "sph/setup/parameters.hpp"
#include "sph_cases.hpp"
#include "sph_method_test.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

/// n particles of water in a block: a rectangle, and a shorter row on top of it.
Case particles(int n, Precision precision) {
  const int columns = std::max(1, static_cast<int>(std::sqrt(n)));
  const int rows = n / columns;
  Case simulation = block_of_water(columns, rows);
  if (const int rest = n - columns * rows; rest > 0)
    simulation.bodies.push_back({"water", {{0, 0.01 * rows, 0}, {0.01 * rest, 0.01 * rows + 0.01, 0}}, {}, {}});
  simulation.precision = precision;
  return simulation;
}

/// Largest differences between two states of the same particles.
struct Difference {
  double position = 0;
  double velocity = 0;
  double density = 0;
  double energy = 0;
};

Difference difference(const Fields& a, const Fields& b) {
  EXPECT_EQ(a.id, b.id);
  Difference d;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    d.position = std::max(d.position, std::abs(a.position[i] - b.position[i]));
    d.velocity = std::max(d.velocity, static_cast<double>(std::abs(a.velocity[i] - b.velocity[i])));
  }
  for (std::size_t i = 0; i < a.density.size(); ++i) {
    d.density = std::max(d.density, static_cast<double>(std::abs(a.density[i] - b.density[i])));
    d.energy = std::max(d.energy, static_cast<double>(std::abs(a.energy[i] - b.energy[i])));
  }
  return d;
}

/// State as numbers in the order of ids, for bitwise comparison.
std::vector<double> bits_of(const Snapshot& state) {
  std::vector<std::size_t> order(state.id.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[static_cast<std::size_t>(state.id[i])] = i;
  std::vector<double> bits;
  for (const std::size_t i : order) {
    for (int axis = 0; axis < 3; ++axis) {
      if (state.coordinate[axis].empty()) continue;
      bits.push_back(static_cast<double>(state.coordinate[axis][i]));
      bits.push_back(state.velocity[axis][i]);
    }
    bits.push_back(state.density_deviation[i]);
    bits.push_back(state.pressure_over_density2[i]);
    bits.push_back(state.energy[i]);
  }
  return bits;
}

std::int64_t units_a_spacing(const Case& simulation) {
  const int bits = simulation.precision == Precision::float_ ? 32 : 64;
  return std::llround(simulation.spacing / make_lattice(simulation, bits).unit);
}

/// Bounds of the difference between two orders of summation, in units in the last place of the largest term.
/// @{
constexpr double summation_ulps = 20;
constexpr double position_ulps = 4;
constexpr double report_ulps = 4;  ///< velocity and density, which Fields holds as floats
constexpr double energy_report_ulps = 20;
/// @}
constexpr double float_ulp = 6e-8;
constexpr double double_ulp = 1.2e-7 * 6e-8;

/// Largest terms of the agreement test: a step changes velocities by 100 m/s² · dt, densities by 1e5 kg/m³/s · dt and
/// energies by 1e4 J/kg/s · dt.
/// @{
constexpr double position_scale = 100;  ///< spacings
constexpr double velocity_scale = 1;    ///< m/s
constexpr double density_scale = 1000;  ///< kg/m³
constexpr double energy_scale = 1;      ///< J/kg
/// @}

class EverySphMethod : public SphMethodTest {
 protected:
  static Solver oracle(Case simulation, const Snapshot& start) {
    simulation.method = "serial";
    return Solver(Queue::cpu(1), simulation, start);
  }

  /// Compares one step from a disturbed state with serial. Repulsive walls accelerate particles that the disturbance put
  /// next to them by more than velocity_scale, so the largest change of a velocity replaces it there.
  void expect_agreement(const Case& simulation) const {
    Case serial_case = simulation;
    serial_case.method = "serial";
    const Snapshot start =
        disturbed(Solver(Queue::cpu(1), serial_case).snapshot(), simulation, units_a_spacing(simulation));
    Solver expected = oracle(simulation, start);
    Solver got = solver(simulation, start);
    const Fields before = expected.fields();
    expected.advance_steps(1);
    got.advance_steps(1);
    const double ulp = simulation.precision == Precision::float_ ? float_ulp : double_ulp;
    const Difference d = difference(expected.fields(), got.fields());
    const double velocity_change = std::max(velocity_scale, difference(expected.fields(), before).velocity);
    const double tolerance = summation_ulps * ulp + report_ulps * float_ulp;
    EXPECT_LE(d.position, position_ulps * ulp * position_scale * simulation.spacing);
    EXPECT_LE(d.velocity, tolerance * velocity_change);
    EXPECT_LE(d.density, tolerance * density_scale);
    EXPECT_LE(d.energy, (summation_ulps * ulp + energy_report_ulps * float_ulp) * energy_scale);
    EXPECT_EQ(expected.clock().particles, got.clock().particles);
  }
};

INSTANTIATE_TEST_SUITE_P(AllMethods, EverySphMethod, testing::ValuesIn(methods("sph")), method_test_name);

TEST_P(EverySphMethod, AgreesWithSerialAtEverySize) {
  for (const Precision precision : {Precision::float_, Precision::double_})
    for (const int n : {1, 131, 42'793}) {
      SCOPED_TRACE(testing::Message() << n << " particles, " << to_name(precision));
      expect_agreement(particles(n, precision));
    }
}

TEST_P(EverySphMethod, AgreesWithSerialIn3D) {
  for (const Precision precision : {Precision::float_, Precision::double_}) {
    Case simulation = block_of_water(14, 13, 12);
    simulation.precision = precision;
    simulation.scheme.gravity = {0, 0, -9.81};
    simulation.walls = {{"tank", {{0, 0, 0}, {0.2, 0.13, 0.2}}, {Side::top}, 3, ""}};
    expect_agreement(simulation);
  }
}

TEST_P(EverySphMethod, AgreesWithSerialForEveryChoiceOfScheme) {
  for (const Walls walls : {Walls::repulsive, Walls::dynamic, Walls::adami})
    for (const Kernel kernel : {Kernel::cubic_spline, Kernel::wendland_c2})
      for (const DensityDiffusion diffusion :
           {DensityDiffusion::none, DensityDiffusion::ferrari, DensityDiffusion::molteni}) {
        SCOPED_TRACE(testing::Message() << to_name(walls) << ", " << to_name(kernel) << ", " << to_name(diffusion));
        Case simulation = block_of_water(30, 20);
        simulation.walls = {{"tank", {{0, 0, 0}, {0.4, 0.3, 0}}, {Side::top}, 3, ""}};
        simulation.scheme.gravity = {0, -9.81, 0};
        simulation.scheme.walls = walls;
        simulation.scheme.kernel = kernel;
        simulation.scheme.density_diffusion = diffusion;
        simulation.scheme.energy = walls != Walls::dynamic;
        expect_agreement(simulation);
      }
}

TEST_P(EverySphMethod, AgreesWithSerialWithMoreNeighborsThanAMaskHasBits) {
  Case simulation = block_of_water(40, 40);
  simulation.smoothing = 4;  // 201 neighbors, rows of 3 cells with hundreds of candidates
  expect_agreement(simulation);
  Case deep = block_of_water(9, 9, 9);
  deep.smoothing = 3;
  expect_agreement(deep);
}

/// A tank of particles at half the spacing of the case, `side` along each axis: four times as many neighbors as a
/// lattice has in 2-D, eight times in 3-D.
Case dense_tank(int dimensions, int side) {
  Case simulation = dimensions == 3 ? block_of_water(1, 1, 1) : block_of_water(1, 1);
  ParticleList list;
  for (int z = 0; z < (dimensions == 3 ? side : 1); ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        list.position.push_back(
            Vector{0.005 * x + 0.0025, 0.005 * y + 0.0025, dimensions == 3 ? 0.005 * z + 0.0025 : 0});
  simulation.bodies[0].particles = std::make_shared<const ParticleList>(list);
  simulation.walls = {{"tank", {{0, 0, 0}, {0.2, 0.2, dimensions == 3 ? 0.2 : 0}}, {Side::top}, 3, ""}};
  return simulation;
}

TEST_P(EverySphMethod, ADenseTankHasMoreNeighborsThanAColumnOfTheList) {
  for (Case simulation : {dense_tank(2, 40), dense_tank(3, 16)})
    for (const Walls walls : {Walls::dynamic, Walls::adami}) {
      simulation.scheme.walls = walls;
      expect_agreement(simulation);
    }
}

TEST_P(EverySphMethod, FewParticlesInManyCellsAgreeWithSerial) {
  Case simulation = block_of_water(6, 5, 4);
  simulation.precision = Precision::double_;
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {2.1, 2.1, 2.1}};  // 800,000 cells, the last ones far from the first
  simulation.bodies[0].velocity = {1, 2, 3};
  simulation.bodies.push_back({"water", {{1.9, 1.9, 1.9}, {1.96, 1.95, 1.94}}, {-3, -2, -1}});
  const Snapshot start = disturbed(solver(simulation).snapshot(), simulation, units_a_spacing(simulation));
  Solver expected = oracle(simulation, start), got = solver(simulation, start);
  expected.advance_steps(5);
  got.advance_steps(5);
  EXPECT_EQ(got.clock().particles, 240);
  const Difference d = difference(expected.fields(), got.fields());
  EXPECT_LE(d.position, 1e-12);
  EXPECT_LE(d.velocity, 1e-6);
  EXPECT_LE(d.density, 1e-3);
}

TEST_P(EverySphMethod, AFreeParticleFallsOnAParabola) {
  Case simulation = block_of_water(1, 1);
  simulation.precision = Precision::double_;
  simulation.bodies[0].velocity = {1, 2, 0};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.dt = 1e-3;
  simulation.domain = Box{{-1, -1, 0}, {1, 1, 0}};
  Solver run = solver(simulation);
  run.advance_to(0.3);
  const Fields fields = run.fields();
  EXPECT_EQ(run.clock().step, 300);
  // third order is exact for a parabola, up to the resolution of a position in each of 3 · 300 stages
  EXPECT_NEAR(fields.position[0], 0.005 + 0.3, 1e-9);
  EXPECT_NEAR(fields.position[1], 0.005 + 2 * 0.3 - 9.81 * 0.09 / 2, 1e-9);
  EXPECT_NEAR(fields.velocity[1], 2 - 9.81 * 0.3, 1e-6);
}

/// Case that uses every term of the general model.
Case general_case(Integrator integrator, Walls walls, Kernel kernel, DensityDiffusion diffusion) {
  Case simulation = block_of_water(24, 20);
  simulation.materials.push_back(water(40));
  simulation.materials[1].name = "oil";
  simulation.materials[1].density = 800;
  for (Material& material : simulation.materials) material.kinematic_viscosity = 1e-3;
  simulation.bodies.push_back({"oil", {{0, 0.2, 0}, {0.24, 0.26, 0}}, {}, {}});
  simulation.walls = {{"tank", {{0, 0, 0}, {0.24, 0.4, 0}}, {Side::top, Side::left, Side::right}, 3, ""}};
  simulation.walls[0].motion.kind = MotionKind::oscillation;
  simulation.walls[0].motion.amplitude = {0.002, 0.001, 0};
  simulation.walls[0].motion.frequency = 30;
  simulation.domain = Box{{0, -0.05, 0}, {0.24, 0.6, 0}};
  simulation.heat = {{{0.1, 0.1, 0}, 0.03, 50}};
  simulation.heat[0].length = 1e-3;
  Scheme& scheme = simulation.scheme;
  scheme.periodic = {Axis::x};
  scheme.integrator = integrator;
  scheme.walls = walls;
  scheme.kernel = kernel;
  scheme.density_diffusion = diffusion;
  scheme.gravity = {0, -9.81, 0};
  scheme.laminar_viscosity = scheme.energy = true;
  scheme.quadratic_viscosity = 0.5;
  scheme.shifting.coefficient = 2;
  if (walls != Walls::repulsive) scheme.wall_flow = WallFlow::no_slip;
  return simulation;
}

TEST_P(EverySphMethod, AgreesWithSerialInGeneralPhysics) {
  for (const Integrator integrator : {Integrator::tvd_rk3, Integrator::symplectic, Integrator::verlet})
    for (const Walls walls : {Walls::repulsive, Walls::dynamic, Walls::adami})
      for (const Kernel kernel : {Kernel::wendland_c4, Kernel::quintic_spline}) {
        SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << to_name(walls) << ", " << to_name(kernel));
        Case simulation = general_case(integrator, walls, kernel, DensityDiffusion::fourtakas);
        expect_agreement(simulation);
        simulation.smoothing_length = SmoothingLength::by_density;
        simulation.most_smoothing = 1.1;
        simulation.precision = Precision::double_;
        expect_agreement(simulation);
      }
}

TEST_P(EverySphMethod, AgreesWithSerialInGeneralPhysicsIn3D) {
  Case simulation = block_of_water(14, 13, 12);
  simulation.scheme.gravity = {0, 0, -9.81};
  simulation.walls = {{"tank", {{0, 0, 0}, {0.14, 0.13, 0.2}}, {Side::top, Side::front, Side::back}, 3, ""}};
  simulation.walls[0].motion.kind = MotionKind::pitch;
  simulation.walls[0].motion.axis = {0, 1, 0};
  simulation.walls[0].motion.angle_amplitude = 2;
  simulation.walls[0].motion.frequency = 10;
  simulation.domain = Box{{-0.1, 0, -0.1}, {0.3, 0.13, 0.3}};
  simulation.scheme.periodic = {Axis::y};
  simulation.materials[0].kinematic_viscosity = 1e-3;
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.wall_flow = WallFlow::no_slip;
  expect_agreement(simulation);
}

TEST_P(EverySphMethod, GeneralPhysicsContinuesWithTheSameBits) {
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

TEST_P(EverySphMethod, GeneralPhysicsFollowsPlainPhysicsWhereTheyMeet) {
  Case simulation = block_of_water(30, 20);
  simulation.precision = Precision::double_;
  simulation.materials[0].equation_of_state = EquationOfState::linear;  // one sound speed, as plain physics has
  simulation.walls = {{"tank", {{0, 0, 0}, {0.4, 0.3, 0}}, {Side::top}, 3, ""}};
  simulation.scheme.gravity = {0, -9.81, 0};
  Case full = simulation;
  full.heat = {{{0, 0, 0}, 0.1, 0}};  // a heat pulse without energy selects the general model
  full.heat[0].start = 1;
  full.scheme.energy = simulation.scheme.energy = true;
  const Snapshot start = disturbed(solver(simulation).snapshot(), simulation, units_a_spacing(simulation));
  Snapshot full_start = start;
  full_start.smoothing_length.assign(start.id.size(), 0.012);
  full_start.sound_speed.assign(start.id.size(), 50);
  for (const Integrator integrator : {Integrator::tvd_rk3, Integrator::symplectic, Integrator::verlet})
    for (const Walls walls : {Walls::adami, Walls::dynamic}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << to_name(walls));
      for (Case* each : {&simulation, &full}) each->scheme.integrator = integrator, each->scheme.walls = walls;
      Snapshot plain_state = start, full_state = full_start;
      for (Snapshot* each : {&plain_state, &full_state}) {
        each->previous_velocity = each->velocity;
        each->previous_density_deviation = each->density_deviation;
        each->previous_energy = each->energy;
      }
      Solver plain_run = solver(simulation, plain_state), full_run = solver(full, full_state);
      plain_run.advance_steps(5);
      full_run.advance_steps(5);
      const Difference d = difference(plain_run.fields(), full_run.fields());
      EXPECT_LE(d.velocity, 1e-6);
      EXPECT_LE(d.density, 1e-3);
      EXPECT_LE(d.position, 1e-12);
    }
}

TEST_P(EverySphMethod, PlainPhysicsContinuesWithTheSameBits) {
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

TEST_P(EverySphMethod, AFreeDropKeepsItsMomentumAndMass) {
  Case simulation = block_of_water(31, 29);
  simulation.precision = Precision::double_;
  simulation.scheme.energy = true;
  simulation.bodies[0].velocity = {1.5, -0.5, 0};
  Solver run = solver(simulation, disturbed(solver(simulation).snapshot(), simulation, units_a_spacing(simulation)));
  const Balance before = run.balance();
  run.advance_steps(200);
  const Balance after = run.balance();
  EXPECT_EQ(after.mass, before.mass);
  EXPECT_EQ(run.clock().particles, 31 * 29);
  const double scale = before.mass * 1.5;
  for (int axis = 0; axis < 2; ++axis)
    EXPECT_LE(std::abs(after.momentum[axis] - before.momentum[axis]), 1e-12 * scale) << "axis " << axis;
}

TEST_P(EverySphMethod, ViscosityTurnsKineticEnergyIntoHeat) {
  Case simulation = block_of_water(31, 29);
  simulation.precision = Precision::double_;
  simulation.scheme.energy = true;
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.scheme.dt = 2e-5;
  Solver run = solver(simulation, disturbed(solver(simulation).snapshot(), simulation, units_a_spacing(simulation)));
  const Balance before = run.balance();
  run.advance_steps(200);
  const Balance after = run.balance();
  EXPECT_LT(after.kinetic, 0.9 * before.kinetic);
  // equation (6) is the exact work of the pair forces, so that only the integrator's third order is left
  EXPECT_NEAR(after.kinetic + after.internal, before.kinetic + before.internal, 1e-3 * before.kinetic);
}

TEST_P(EverySphMethod, StillWaterStaysStill) {
  Case simulation = block_of_water(40, 30);
  simulation.walls = {{"tank", {{0, 0, 0}, {0.4, 0.4, 0}}, {Side::top}, 3, ""}};
  simulation.materials = {water(20)};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  simulation.scheme.time_step = TimeStep::cfl;
  Solver run = solver(simulation);
  run.advance_to(0.3);
  double bottom = 0;  // mean over the bottom row and over 20 times: sound goes up and down all the while
  for (int sample = 1; sample <= 20; ++sample) {
    run.advance_to(0.3 + 0.01 * sample);
    const Fields fields = run.fields();
    for (int i = 0; i < 40; ++i) bottom += fields.pressure[i] / (40 * 20);
  }
  EXPECT_NEAR(bottom, 1000 * 9.81 * 0.295, 0.05 * 1000 * 9.81 * 0.3);
  const Balance balance = run.balance();
  const double wave_speed_squared = 9.81 * 0.3;
  EXPECT_LT(balance.kinetic, balance.mass * 0.02 * 0.02 * wave_speed_squared / 2)
      << "speeds stay below 2 % of a wave's";
  EXPECT_EQ(balance.clock.lost, 0);
}

TEST_P(EverySphMethod, ProbesAgreeWithTheFields) {
  Case simulation = block_of_water(30, 20);
  simulation.walls = {{"tank", {{0, 0, 0}, {0.4, 0.3, 0}}, {Side::top}, 3, ""}};
  simulation.scheme.gravity = {0, -9.81, 0};
  Solver run = solver(simulation);
  run.advance_steps(50);
  const Vector place = {0.1, 0, 0};
  const std::vector<Probe> probes = {{"front", ProbeKind::surge_front, {}, 0},
                                     {"floor", ProbeKind::pressure, place, 0},
                                     {"air", ProbeKind::pressure, {0.39, 0.29, 0}, 0}};
  const Fields fields = run.fields();
  double front = 0;
  double weights = 0;
  double pressures = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall[i]) continue;
    front = std::max(front, fields.position[3 * i]);
    const double q = std::hypot(fields.position[3 * i] - place[0], fields.position[3 * i + 1] - place[1]) / 0.012;
    const double weight = (q < 2 ? std::pow(1 - q / 2, 4) * (1 + 2 * q) : 0) / fields.density[i];
    weights += weight;
    pressures += weight * fields.pressure[i];
  }
  const std::vector<double> values = run.measure(probes);
  EXPECT_DOUBLE_EQ(values[0], front);
  EXPECT_NEAR(values[1], pressures / weights, 1e-4 * pressures / weights);
  EXPECT_EQ(values[2], 0);
  EXPECT_EQ(values, run.measure(probes));
}

TEST_P(EverySphMethod, RepeatsItsBits) {
  const auto run = [&] {
    Solver dam = solver(dam_break(1));
    dam.advance_steps(40);
    return bits_of(dam.snapshot());
  };
  const std::vector<double> once = run();
  EXPECT_EQ(once, run());
}

TEST_P(EverySphMethod, ContinuesWithTheSameBits) {
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

TEST_P(EverySphMethod, AProfileRunsTheSameStepsAndMeasuresTheirParts) {
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

TEST(SphDevices, CudaFollowsTheCpu) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  Solver cpu(Queue::cpu(), dam_break(1));
  Solver cuda(Queue::cuda(), dam_break(1));
  cpu.advance_to(1);
  cuda.advance_to(1);
  EXPECT_EQ(cpu.clock().particles, cuda.clock().particles);
  EXPECT_EQ(cpu.balance().mass, cuda.balance().mass);
  const auto front = [](const Fields& fields) {
    double furthest = 0;
    for (std::size_t i = 0; i < fields.id.size(); ++i)
      if (!fields.wall[i]) furthest = std::max(furthest, fields.position[3 * i]);
    return furthest;
  };
  EXPECT_NEAR(front(cuda.fields()), front(cpu.fields()), 1e-3 * front(cpu.fields()));
}

}  // namespace
}  // namespace shoal::sph
