// SPDX-License-Identifier: Apache-2.0
// Open boundaries, apparent viscosities and a rigid body in one run: passes beside the stages of a step that do not disturb
// each other.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <map>
#include <utility>

#include "sph/ranks/rank_bits.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/setup.hpp"
#include "sph/snapshots.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryPass : public SphMethodTest {};
class PlacesOfEveryPass : public SphMethodTest {};
class RanksOfEveryPass : public RankBits {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PlacesOfEveryPass);  // a build without CUDA has no methods of it

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryPass, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, PlacesOfEveryPass, testing::ValuesIn(sph_methods_on(DeviceKind::cuda)),
                         method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfEveryPass, testing::ValuesIn(methods("sph")), method_test_name);

constexpr std::int64_t particles_at_start = 430;

/// Mud that flows through 40 x 10 particles, and a lid of 30 that falls on it.
Case mud_under_a_lid(Integrator integrator = Integrator::symplectic) {
  Case simulation = block_of_water(40, 10);
  simulation.bodies[0].velocity = {2, 0, 0};
  simulation.bodies[0].strain_rate = {3, -2, 0};
  simulation.materials[0].rheology = {
      .model = RheologyModel::bingham, .yield_stress = 10, .consistency = 0.5, .regularization = 0.3};
  simulation.walls = {{"lid", {{0.15, 0.1, 0}, {0.25, 0.13, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.rigid_bodies = {{.wall = "lid", .mass = 2.5, .velocity = {0, -0.8, 0}}};
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.5, 0.3, 0}};
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = integrator == Integrator::verlet ? 2e-5 : 1e-4;
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.artificial_viscosity = 0.1;
  simulation.open_boundaries = {
      {.name = "inlet", .box = {{0, 0, 0}, {0.05, 0.1, 0}}, .fluid = Side::right, .velocity = 2},
      {.name = "outlet", .box = {{0.35, 0, 0}, {0.4, 0.1, 0}}, .fluid = Side::left}};
  return simulation;
}

TEST_P(EveryPass, AgreesWithSerial) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = mud_under_a_lid(integrator);
    simulation.precision = Precision::double_;
    Solver run = solver(simulation);
    simulation.method = "serial";
    Solver serial(Queue::cpu(1), simulation);
    const double time = integrator == Integrator::verlet ? 0.006 : 0.012;
    run.advance_to(time);
    serial.advance_to(time);
    const Fields fields = run.fields(), expected = serial.fields();
    ASSERT_EQ(fields.id, expected.id);
    EXPECT_GE(fields.id.back(), particles_at_start) << "nothing has entered";
    EXPECT_GT(serial.balance().outflow, 0);
    for (std::size_t i = 0; i < fields.id.size(); ++i) {
      EXPECT_NEAR(fields.viscosity[i], expected.viscosity[i], 1e-5 * expected.viscosity[i]);
      for (std::size_t axis = 0; axis < 2; ++axis)
        EXPECT_NEAR(fields.position[3 * i + axis], expected.position[3 * i + axis], 1e-9);
    }
    const RigidBodyState lid = run.rigid_bodies()[0], expected_lid = serial.rigid_bodies()[0];
    EXPECT_GT(expected_lid.velocity[1], -0.79) << "the lid does not touch the mud";
    for (std::size_t axis = 0; axis < 2; ++axis) EXPECT_NEAR(lid.velocity[axis], expected_lid.velocity[axis], 1e-9);
    EXPECT_NEAR(lid.angular_momentum[2], expected_lid.angular_momentum[2], 1e-11);
  }
}

TEST_P(EveryPass, ARestartContinuesWithTheSameBits) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    const Case simulation = mud_under_a_lid(integrator);
    Solver whole = solver(simulation), first = solver(simulation);
    whole.advance_steps(130);
    first.advance_steps(71);
    Solver second = solver(simulation, first.snapshot());
    second.advance_steps(59);
    const Snapshot one = whole.snapshot(), two = second.snapshot();
    EXPECT_EQ(one.id, two.id);
    EXPECT_EQ(one.coordinate, two.coordinate);
    EXPECT_EQ(one.velocity, two.velocity);
    EXPECT_EQ(one.viscosity, two.viscosity);
    expect_same(one.rigid_bodies.at(0), two.rigid_bodies.at(0));
  }
}

/// Bytes of all particles, by id, and the lid after 150 steps.
/// @param spare  places for particles that enter
std::pair<std::map<std::int64_t, std::string>, RigidBodyState> filled(const MethodInfo& method, const Queue& queue,
                                                                      std::int64_t spare) {
  const Case simulation = mud_under_a_lid(Integrator::tvd_rk3);
  auto setup = make_setup<float, 2>(simulation, make_lattice(simulation, 32), queue, nullptr);
  setup.spare_particles = spare;
  const auto stepper = choose_method(method.name, method.device).make<float, 2>()(queue, std::move(setup));
  stepper->advance({.step = 150}, {});
  const HostState<float, 2> state = stepper->download();
  std::map<std::int64_t, std::string> particles;
  for (std::size_t i = 0; i < state.count(); ++i) particles[state.id[i]] = bytes_of_particle(state, i);
  return {particles, state.rigid_bodies.at(0)};
}

TEST_P(PlacesOfEveryPass, ChangeNothing) {
  const auto [particles, lid] = filled(GetParam(), queue(), 1000);
  EXPECT_GE(particles.rbegin()->first, particles_at_start);
  for (const std::int64_t spare : {1, 7}) {
    const auto [same_particles, same_lid] = filled(GetParam(), queue(), spare);
    EXPECT_EQ(particles, same_particles);
    expect_same(lid, same_lid);
  }
}

TEST_P(RanksOfEveryPass, HaveTheBitsOfOneRank) {
  for (const Integrator integrator : integrators)
    expect_bits_of_one_rank<float, 2>(mud_under_a_lid(integrator), {.steps = 120, .rebalance_every = 7}, {3});
}

}  // namespace
}  // namespace shoal::sph
