// SPDX-License-Identifier: Apache-2.0
// Rigid bodies that a program drives and pushes.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "sph/bodies/body_cases.hpp"
#include "sph/control/particle_arrays.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryDrivingMethod : public SphMethodTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryDrivingMethod, testing::ValuesIn(methods("sph")), method_test_name);

/// A box at rest beside water, or far from it, which moves along y alone unless it is driven.
Case guided_box(Integrator integrator, bool is_far = false) {
  Case simulation = box_beside_water(integrator);
  simulation.precision = Precision::double_;
  simulation.rigid_bodies = {{.wall = "box", .mass = 1.2, .locked_shifts = {Axis::x}, .locked_turns = {Axis::z}}};
  if (is_far) simulation.walls[0].box = {{0.4, 0.3, 0}, {0.46, 0.34, 0}};
  return simulation;
}

TEST_P(EveryDrivingMethod, ADrivenBodyGoesWhereItIsSent) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = guided_box(integrator, true);
    simulation.scheme.gravity = {0, -9.81, 0};
    Solver run = solver(simulation);
    run.advance_steps(3);
    const RigidBodyState before = run.rigid_bodies()[0];
    const double start = run.clock().time;
    run.drive("box", {-0.8, 0.3, 0}, {0, 0, 400});
    EXPECT_EQ(run.rigid_bodies()[0].velocity, (Vector{-0.8, 0.3, 0}));
    run.advance_steps(60);
    const RigidBodyState after = run.rigid_bodies()[0];
    const double t = run.clock().time - start;
    EXPECT_NEAR(after.center[0], before.center[0] - 0.8 * t, 1e-14);
    EXPECT_NEAR(after.center[1], before.center[1] + 0.3 * t, 1e-14);
    EXPECT_NEAR(2 * std::atan2(after.rotation[3], after.rotation[0]), 400 * t * M_PI / 180, 1e-13);
    EXPECT_EQ(after.velocity, (Vector{-0.8, 0.3, 0}));
    run.release("box");
    EXPECT_EQ(run.rigid_bodies()[0].velocity, (Vector{0, 0.3, 0})) << "0 along the locked axis";
    EXPECT_EQ(run.rigid_bodies()[0].angular_momentum[2], 0);
    run.advance_steps(5);
    EXPECT_EQ(run.rigid_bodies()[0].center[0], after.center[0]);
    EXPECT_LT(run.rigid_bodies()[0].velocity[1], 0.3) << "gravity acts again";
  }
}

TEST_P(EveryDrivingMethod, ThePlaceOfParticlesIsThatOfTheDrivenBody) {
  Solver run = solver(guided_box(Integrator::tvd_rk3));
  const Fields before = run.fields();
  run.drive("box", {1, 0, 0});
  run.advance_steps(20);
  const Fields after = run.fields();
  for (std::size_t i = 0; i < after.id.size(); ++i)
    if (after.wall[i]) {
      EXPECT_NEAR(after.position[3 * i], before.position[3 * i] + run.clock().time, 1e-10);
      EXPECT_FLOAT_EQ(after.velocity[3 * i], 1);
    }
}

TEST_P(EveryDrivingMethod, APushAcceleratesByMassAndInertia) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = guided_box(integrator, true);
    simulation.rigid_bodies[0].locked_shifts = {};
    simulation.rigid_bodies[0].locked_turns = {};
    Solver run = solver(simulation);
    run.push("box", {2.4, -1.2, 0}, {0, 0, 0.01});
    run.advance_steps(40);
    const double t = run.clock().time;
    const RigidBodyState body = run.rigid_bodies()[0];
    EXPECT_NEAR(body.velocity[0], 2 * t, 1e-13);
    EXPECT_NEAR(body.velocity[1], -t, 1e-13);
    EXPECT_NEAR(body.angular_momentum[2], 0.01 * t, 1e-15);
    EXPECT_NEAR(body.center[0], 0.43 + t * t, 1e-9);
    run.push("box", {});
    run.advance_steps(10);
    EXPECT_NEAR(run.rigid_bodies()[0].velocity[0], 2 * t, 1e-13);
  }
}

TEST_P(EveryDrivingMethod, ARestartHoldsVelocitiesAndIsDrivenAgain) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    const Case simulation = guided_box(integrator);
    const auto drive = [](Solver& run) { run.drive("box", {-0.5, 0.2, 0}, {0, 0, 90}); };
    Solver whole = solver(simulation), first = solver(simulation);
    for (Solver* run : {&whole, &first}) drive(*run);
    whole.advance_steps(30);
    first.advance_steps(15);
    Solver second = solver(simulation, first.snapshot());
    EXPECT_EQ(second.rigid_bodies()[0].velocity, (Vector{-0.5, 0.2, 0}));
    drive(second);
    second.advance_steps(15);
    for (std::size_t axis = 0; axis < 2; ++axis)
      EXPECT_NEAR(whole.rigid_bodies()[0].center[axis], second.rigid_bodies()[0].center[axis], 1e-15);
    expect_near(whole.fields(), second.fields(), 1e-12);
  }
}

TEST_P(EveryDrivingMethod, ACallbackMovesAPistonByTheForceOnIt) {
  Case simulation = guided_box(Integrator::symplectic);
  Solver run = solver(simulation);
  const std::vector<Probe> probes{{.name = "force", .kind = ProbeKind::force, .wall = "box"}};
  double velocity = -1;
  run.on_step([&](Particles& particles) {
    velocity += run.measure(probes)[0] / 1.2 * particles.clock().next_dt;
    run.drive("box", {velocity, 0, 0});
    return true;
  });
  run.advance_steps(200);
  EXPECT_GT(velocity, -0.9) << "the water has slowed the piston";
  Case free = simulation;
  free.rigid_bodies = {
      {.wall = "box", .mass = 1.2, .velocity = {-1, 0, 0}, .locked_shifts = {Axis::y}, .locked_turns = {Axis::z}}};
  Solver coupled = solver(free);
  coupled.advance_steps(200);
  EXPECT_NEAR(velocity, coupled.rigid_bodies()[0].velocity[0], 0.02) << "as the body that the solver moves";
}

/// States of all particles by their ids, and of the body, after steps on several ranks.
std::pair<std::map<std::int64_t, double>, RigidBodyState> run_driven(int count) {
  std::map<std::int64_t, double> positions;
  RigidBodyState body;
  std::mutex mutex;
  run_on_ranks(count, [&](const Communicator& ranks) {
    Solver run(Queue::cpu(1), two_boxes_beside_water(), ranks);
    run.drive("box", {-1, 0.2, 0}, {0, 0, 100});
    run.push("lid", {0, -20, 0}, {0, 0, 0.1});
    run.advance_steps(50);
    const Fields fields = run.fields();
    const std::lock_guard lock(mutex);
    body = run.rigid_bodies()[1];
    for (std::size_t i = 0; i < fields.id.size(); ++i) positions[fields.id[i]] = fields.position[3 * i + 1];
  });
  return {positions, body};
}

TEST(DrivenBodies, HaveTheBitsOfOneRank) {
  const auto [one, body] = run_driven(1);
  const auto [three, same_body] = run_driven(3);
  EXPECT_EQ(one, three);
  expect_same(body, same_body);
}

TEST(DrivenBodies, BadCallsAreErrors) {
  Solver run(Queue::cpu(1), two_boxes_beside_water());
  EXPECT_EQ(message_of([&] { run.drive("pots", {}); }),
            "sph: no rigid body is the wall \"pots\"; the case has \"box\", \"lid\".");
  EXPECT_EQ(message_of([&] {
              run.drive("box", {0, 0, 1});
            }),
            "sph: the velocity of a driven body has the component 1 m/s along z, expected 0 in a 2-D case.");
  EXPECT_EQ(message_of([&] {
              run.drive("box", {std::numeric_limits<double>::infinity(), 0, 0});
            }),
            "sph: the velocity of a driven body has the component inf m/s along x, expected a finite number.");
  EXPECT_EQ(
      message_of([&] {
        run.drive("box", {}, {3, 0, 0});
      }),
      "sph: the angular velocity of a driven body has the component 3 degrees/s along x, expected 0 in a 2-D case.");
  EXPECT_EQ(message_of([&] {
              run.push("lid", {0, std::nan(""), 0});
            }),
            "sph: the force on a body has the component nan N along y, expected a finite number.");
  EXPECT_EQ(message_of([&] {
              run.push("lid", {}, {0, 1, 0});
            }),
            "sph: the moment on a body has the component 1 N m along y, expected 0 in a 2-D case.");
  run.release("box");
  EXPECT_EQ(run.rigid_bodies()[0].velocity, (Vector{-1, 0.5, 0})) << "it was not driven";
  Solver free(Queue::cpu(1), block_of_water(3, 3));
  EXPECT_EQ(message_of([&] { free.release("box"); }),
            "sph: no rigid body is the wall \"box\"; the case has none. Add a [[rigid_body]].");
}

}  // namespace
}  // namespace shoal::sph
