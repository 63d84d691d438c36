// SPDX-License-Identifier: Apache-2.0
// Agreement of every method with serial, of the two models with each other, and of CUDA with the CPU.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>

#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "sph/sph_states.hpp"
#include "support/enumerators.hpp"

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
  for (const Walls walls : every<Walls>())
    for (const Kernel kernel : every<Kernel>())
      for (const DensityDiffusion diffusion : every<DensityDiffusion>()) {
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

TEST_P(EverySphMethod, AgreesWithSerialInGeneralPhysics) {
  for (const Integrator integrator : every<Integrator>())
    for (const Walls walls : every<Walls>())
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
  for (const Integrator integrator : every<Integrator>())
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

TEST_P(EverySphMethod, MovingWallsInPlainPhysicsFollowThoseInGeneralPhysics) {
  Case simulation = block_of_water(30, 20);
  simulation.precision = Precision::double_;
  simulation.materials[0].equation_of_state = EquationOfState::linear;  // one sound speed, as plain physics has
  simulation.walls = {{"tank", {{0, 0, 0}, {0.4, 0.3, 0}}, {Side::top, Side::right}, 3, ""},
                      {"paddle", {{0.3, 0, 0}, {0.33, 0.3, 0}}, {}, 3, ""}};
  simulation.walls[1].solid = true;
  simulation.walls[1].motion = {.kind = MotionKind::oscillation, .amplitude = {1e-3, 2e-4, 0}, .frequency = 50};
  simulation.scheme.gravity = {0, -9.81, 0};
  Case full = simulation;
  full.heat = {{{0, 0, 0}, 0.1, 0}};  // a heat pulse without energy selects the general model
  full.heat[0].start = 1;
  full.scheme.energy = simulation.scheme.energy = true;
  for (const Integrator integrator : every<Integrator>())
    for (const Walls walls : {Walls::adami, Walls::dynamic}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << to_name(walls));
      for (Case* each : {&simulation, &full}) each->scheme.integrator = integrator, each->scheme.walls = walls;
      ASSERT_FALSE(needs_general_pairs(simulation));
      ASSERT_TRUE(needs_general_physics(simulation) && needs_general_pairs(full));
      const Snapshot start = disturbed(solver(simulation).snapshot(), simulation, units_a_spacing(simulation));
      Solver plain_run = solver(simulation, start), full_run = solver(full, start);
      plain_run.advance_steps(5);
      full_run.advance_steps(5);
      const Difference d = difference(plain_run.fields(), full_run.fields());
      EXPECT_LE(d.velocity, 1e-6);
      EXPECT_LE(d.density, 1e-3);
      EXPECT_LE(d.position, 1e-12);
    }
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
