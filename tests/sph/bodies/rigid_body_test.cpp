// SPDX-License-Identifier: Apache-2.0
// Rigid bodies: free motion, forces of the fluid, and the same bits from any start and number of threads and ranks.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <functional>
#include <numbers>

#include "sph/bodies/body_cases.hpp"
#include "sph/physics/bodies/rigid_body_item.hpp"
#include "sph/ranks/rank_bits.hpp"
#include "sph/snapshots.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryRigidBody : public SphMethodTest {};
class RanksOfRigidBody : public RankBits {};
class FloatingBody : public DeviceTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryRigidBody, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfRigidBody, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllDevices, FloatingBody, every_device, device_test_name);

/// A block of water of a fluid that is not newtonian, and the box beside it.
Case box_beside_mud(Integrator integrator = Integrator::symplectic) {
  Case simulation = box_beside_water(integrator);
  simulation.scheme.laminar_viscosity = true;
  simulation.bodies[0].strain_rate = {3, -3, 0};
  simulation.materials[0].rheology = {
      .model = RheologyModel::bingham, .yield_stress = 10, .consistency = 0.5, .regularization = 0.3};
  return simulation;
}

/// A slab of 8 x 8 x 3 particles that falls on water and turns.
Case slab_on_water(Integrator integrator = Integrator::symplectic) {
  Case simulation = block_of_water(9, 10, 6);
  simulation.walls = {{"slab", {{0.01, 0.02, 0.06}, {0.09, 0.1, 0.09}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.rigid_bodies = {{.wall = "slab", .mass = 0.1, .velocity = {0, 0, -1}, .angular_velocity = {200, 100, 50}}};
  simulation.domain = Box{{-0.3, -0.3, -0.3}, {0.4, 0.4, 0.4}};
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = stable_step(integrator);
  simulation.scheme.artificial_viscosity = 0.1;
  return simulation;
}

/// A cuboid of 4 x 4 x 8 particles far from the water.
Case top_in_free_space(Integrator integrator) {
  Case simulation = block_of_water(2, 2, 2);
  simulation.precision = Precision::double_;
  simulation.walls = {{"top", {{0.2, 0.2, 0.2}, {0.24, 0.24, 0.28}}, {}, 2, ""}};
  simulation.walls[0].solid = true;
  simulation.rigid_bodies = {{.wall = "top", .mass = 0.5, .angular_velocity = {2000, 0, 4000}}};
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.5, 0.5, 0.5}};
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = stable_step(integrator);
  return simulation;
}

TEST_P(EveryRigidBody, FallsFreely) {
  for (const Integrator integrator : integrators) {
    Case simulation = top_in_free_space(integrator);
    simulation.scheme.gravity = {0, 0, -9.81};
    simulation.rigid_bodies[0].velocity = {0.3, -0.1, 0.2};
    Solver run = solver(simulation);
    const Vector start = run.rigid_bodies()[0].center;
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(start[axis], axis == 2 ? 0.24 : 0.22, 1e-9);
    run.advance_steps(90);
    const RigidBodyState body = run.rigid_bodies()[0];
    const double t = run.clock().time;
    EXPECT_NEAR(body.center[0], start[0] + 0.3 * t, 1e-14);
    EXPECT_NEAR(body.center[1], start[1] - 0.1 * t, 1e-14);
    EXPECT_NEAR(body.center[2], start[2] + 0.2 * t - 9.81 / 2 * t * t, 1e-14) << to_name(integrator);
    EXPECT_NEAR(body.velocity[2], 0.2 - 9.81 * t, 1e-13);
  }
}

TEST_P(EveryRigidBody, ASymmetricTopPrecessesAboutItsAngularMomentum) {
  for (const Integrator integrator : integrators) {
    Solver run = solver(top_in_free_space(integrator));
    const Vector before = run.rigid_bodies()[0].angular_momentum;
    const double across = 0.5 / 12 * (0.04 * 0.04 + 0.08 * 0.08), along = 0.5 / 12 * (2 * 0.04 * 0.04);
    const double degree = std::numbers::pi / 180;
    EXPECT_NEAR(before[0], across * 2000 * degree, 1e-9);
    EXPECT_NEAR(before[2], along * 4000 * degree, 1e-9);
    run.advance_steps(400);
    const RigidBodyState body = run.rigid_bodies()[0];
    EXPECT_EQ(body.angular_momentum, before) << to_name(integrator);

    const double size = std::hypot(before[0], before[2]), angle = size / across * run.clock().time;
    const Vector l{before[0] / size, 0, before[2] / size};
    const Matrix3 rotation = rotation_matrix(to_body_state(body).rotation);
    // Rodrigues' formula for the axis (0, 0, 1) about l.
    const double expected[3] = {l[0] * l[2] * (1 - std::cos(angle)), -l[0] * std::sin(angle),
                                std::cos(angle) + l[2] * l[2] * (1 - std::cos(angle))};
    // A turn of at most 0.008 in a step; the error of a step is its cube, over 12, 400 times.
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(rotation[axis][2], expected[axis], 5e-5) << to_name(integrator);
  }
}

TEST_P(EveryRigidBody, ParticlesFollowTheBody) {
  Case simulation = box_beside_water();
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  const Fields drawn = run.fields();
  const Vector start = run.rigid_bodies()[0].center;
  run.advance_steps(60);
  const RigidBodyState body = run.rigid_bodies()[0];
  const Matrix3 rotation = rotation_matrix(to_body_state(body).rotation);
  EXPECT_GT(std::abs(rotation[0][1]), 0.005);
  const Fields fields = run.fields();
  int walls = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (!fields.wall[i]) continue;
    ++walls;
    const double x = drawn.position[3 * i] - start[0], y = drawn.position[3 * i + 1] - start[1];
    for (std::size_t axis = 0; axis < 2; ++axis)
      EXPECT_NEAR(fields.position[3 * i + axis], body.center[axis] + rotation[axis][0] * x + rotation[axis][1] * y,
                  1e-8);
  }
  EXPECT_EQ(walls, 24);
}

TEST_P(EveryRigidBody, BodyAndWaterKeepTheirMomentum) {
  for (const Integrator integrator : integrators) {
    Case simulation = box_beside_water(integrator);
    simulation.precision = Precision::double_;
    Solver run = solver(simulation);
    const Vector before = run.balance().momentum, start = run.rigid_bodies()[0].velocity;
    run.advance_steps(200);
    const Vector after = run.balance().momentum, now = run.rigid_bodies()[0].velocity;
    EXPECT_GT(std::abs(after[0] - before[0]), 0.05) << "the body does not touch the water";
    for (std::size_t axis = 0; axis < 2; ++axis)
      EXPECT_NEAR(after[axis] + 1.2 * now[axis], before[axis] + 1.2 * start[axis], 1e-12) << to_name(integrator);
  }
}

TEST_P(EveryRigidBody, AgreesWithSerial) {
  for (Case simulation : {box_beside_water(), two_boxes_beside_water(), box_beside_mud(), slab_on_water()}) {
    SCOPED_TRACE(testing::Message() << simulation.rigid_bodies.size() << " bodies, " << simulation.dimensions << "-D");
    simulation.precision = Precision::double_;
    Solver run = solver(simulation);
    simulation.method = "serial";
    Solver serial(Queue::cpu(1), simulation);
    const std::vector<RigidBodyState> start = serial.rigid_bodies();
    run.advance_steps(100);
    serial.advance_steps(100);
    const std::vector<RigidBodyState> bodies = run.rigid_bodies(), expected = serial.rigid_bodies();
    ASSERT_EQ(bodies.size(), expected.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      EXPECT_NE(expected[k].angular_momentum, start[k].angular_momentum) << "the body does not touch the water";
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(bodies[k].velocity[axis], expected[k].velocity[axis], 1e-9);
        EXPECT_NEAR(bodies[k].center[axis], expected[k].center[axis], 1e-9);
        EXPECT_NEAR(bodies[k].rotation[axis + 1], expected[k].rotation[axis + 1], 1e-9);
        EXPECT_NEAR(bodies[k].angular_momentum[axis], expected[k].angular_momentum[axis], 1e-11);
      }
    }
  }
}

TEST_P(EveryRigidBody, SeveralBodiesAndWaterKeepTheirMomentum) {
  for (Case simulation : {two_boxes_beside_water(), slab_on_water()}) {
    simulation.precision = Precision::double_;
    Solver run = solver(simulation);
    const auto momentum = [&] {
      Vector total = run.balance().momentum;
      for (std::size_t k = 0; k < simulation.rigid_bodies.size(); ++k)
        for (std::size_t axis = 0; axis < 3; ++axis)
          total[axis] += simulation.rigid_bodies[k].mass * run.rigid_bodies()[k].velocity[axis];
      return total;
    };
    const Vector before = momentum();
    run.advance_steps(20);  // before water reaches the post
    const Vector after = momentum();
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(after[axis], before[axis], 1e-12);
  }
}

TEST_P(EveryRigidBody, LockedAxesKeepTheirPlace) {
  Case simulation = box_beside_water();
  RigidBody& body = simulation.rigid_bodies[0];
  body.velocity[1] = 0;
  body.angular_velocity = {};
  body.locked_shifts = {Axis::y};
  body.locked_turns = {Axis::z};
  Solver run = solver(simulation);
  const RigidBodyState start = run.rigid_bodies()[0];
  run.advance_steps(100);
  const RigidBodyState now = run.rigid_bodies()[0];
  EXPECT_NE(now.velocity[0], start.velocity[0]);
  EXPECT_EQ(now.center[1], start.center[1]);
  EXPECT_EQ(now.velocity[1], 0);
  EXPECT_EQ(now.rotation, start.rotation);
  EXPECT_EQ(now.angular_momentum, start.angular_momentum);
}

TEST_P(EveryRigidBody, ARestartContinuesWithTheSameBits) {
  for (const Integrator integrator : integrators)
    for (const Case& simulation : {two_boxes_beside_water(integrator), box_beside_mud(integrator)})
      expect_same_bits_after_restart(simulation, 53, 47);
}

TEST_P(EveryRigidBody, RepeatsItsBits) {
  const auto run = [&] {
    Solver slab = solver(slab_on_water());
    slab.advance_steps(60);
    return slab.snapshot();
  };
  expect_same(run(), run());
}

TEST_P(EveryRigidBody, AFailedStepKeepsTheStateBeforeIt) {
  Case simulation = slab_on_water();
  simulation.scheme.dt = 5e-4;  // beyond the stable step
  Solver run = solver(simulation);
  EXPECT_NE(message_of([&] { run.advance_steps(1000); }).find("unstable"), std::string::npos);
  ASSERT_GT(run.clock().step, 0);
  Solver before = solver(simulation);
  before.advance_steps(run.clock().step);
  expect_same(run.snapshot(), before.snapshot());
}

TEST_P(RanksOfRigidBody, HaveTheBitsOfOneRank) {
  for (const Integrator integrator : integrators)
    expect_bits_of_one_rank<float, 2>(two_boxes_beside_water(integrator), {.steps = 30}, {2, 3});
  expect_bits_of_one_rank<double, 2>(box_beside_mud(), {.steps = 30, .rebalance_every = 7}, {3});
  expect_bits_of_one_rank<float, 3>(slab_on_water(), {.steps = 30}, {2});
}

TEST(RigidBody, AnyNumberOfThreadsHasTheSameBits) {
  const auto bits = [](int threads) {
    Solver run(Queue::cpu(threads), box_beside_water());
    run.advance_steps(100);
    return run.snapshot();
  };
  expect_same(bits(1), bits(3));
}

// Archimedes: a box of half the density of water floats half under water.
TEST_P(FloatingBody, ABoxFloatsAtItsDraft) {
  Case simulation = block_of_water(30, 16);
  simulation.spacing = 0.02;
  simulation.materials = {water(15)};
  simulation.walls = {{"tank", {{0, 0, 0}, {0.3, 0.4, 0}}, {Side::top}, 3, ""},
                      {"box", {{0.1, 0.16, 0}, {0.2, 0.26, 0}}, {}, 5, ""}};
  simulation.walls[1].solid = true;
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  simulation.rigid_bodies = {{.wall = "box", .mass = 5, .locked_turns = {Axis::z}}};
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.scheme.integrator = Integrator::symplectic;
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.artificial_viscosity = 0.3;
  simulation.scheme.gravity = {0, -9.81, 0};
  Solver run(queue(), simulation);
  run.advance_to(1);
  double mean = 0;
  constexpr int samples = 20;
  for (int k = 0; k < samples; ++k) {
    run.advance_to(1 + 0.03 * (k + 1));
    mean += run.rigid_bodies()[0].center[1] / samples;
  }
  const double level = (0.3 * 0.16 + 5.0 / 1000) / 0.3;  // water and the part of the box that is under it
  EXPECT_NEAR(mean, level, simulation.spacing);
}

TEST_P(FloatingBody, ProbesFollowIt) {
  Case simulation = top_in_free_space(Integrator::symplectic);
  simulation.rigid_bodies[0].velocity = {1, 2, 3};
  simulation.rigid_bodies[0].angular_velocity = {0, 0, 4000};  // about an axis of its symmetry
  Solver run(queue(), simulation);
  const std::vector<Probe> probes{{.name = "center", .kind = ProbeKind::body_center, .wall = "top"},
                                  {.name = "turn", .kind = ProbeKind::body_rotation, .wall = "top"}};
  const std::vector<double> start = run.measure(probes);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(start[k], k < 2 ? 0.22 : k == 2 ? 0.24 : 0, 1e-9);
  for (const double angle : {100.0, -160.0}) {  // 100 and 200 degrees
    run.advance_to(run.clock().time + 0.025);
    const std::vector<double> values = run.measure(probes);
    const double time = run.clock().time;
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(values[axis], start[axis] + static_cast<double>(axis + 1) * time, 1e-12);
    EXPECT_NEAR(values[3], 0, 1e-9);
    EXPECT_NEAR(values[4], 0, 1e-9);
    EXPECT_NEAR(values[5], angle + 4000 * (time - (angle > 0 ? 0.025 : 0.05)), 1e-6);
  }
}

TEST(RigidBody, AProbeNeedsOne) {
  Case simulation = box_beside_water();
  simulation.probes = {{.name = "b", .kind = ProbeKind::body_center, .wall = "box"}};
  EXPECT_EQ(message_of([&] { require_valid(simulation); }), "no error");
  simulation.rigid_bodies.clear();
  EXPECT_EQ(
      message_of([&] { require_valid(simulation); }),
      "sph: probe \"b\" is a body_center of the wall \"box\", which is no rigid body; the case has none. Give the wall "
      "a [[rigid_body]], or remove the probe.");
}

std::string message_of_box(const std::function<void(Case&)>& spoil) {
  Case simulation = box_beside_water();
  spoil(simulation);
  return message_of([&] { require_valid(simulation); });
}

TEST(RigidBody, EveryBadValueIsNamed) {
  EXPECT_EQ(message_of_box([](Case&) {}), "no error");
  EXPECT_EQ(message_of_box([](Case& c) { c.rigid_bodies[0].wall = "hull"; }),
            "sph: rigid_body.wall = \"hull\", expected the name of a wall: box.");
  EXPECT_EQ(message_of_box([](Case& c) { c.rigid_bodies[0].mass = 0; }),
            "sph: rigid_body.mass = 0 kg/m, expected a positive number.");
  EXPECT_EQ(message_of_box([](Case& c) { c.rigid_bodies.push_back(c.rigid_bodies[0]); }),
            "sph: the wall \"box\" is a rigid body twice. Remove one.");
  EXPECT_EQ(message_of_box([](Case& c) { c.walls[0].motion.kind = MotionKind::translation; }),
            "sph: the wall \"box\" is a rigid body and has a motion, of which each decides where it goes. Remove one.");
  EXPECT_EQ(message_of_box([](Case& c) { c.scheme.walls = Walls::adami; }),
            "sph: scheme.walls = \"adami\" carries no rigid body. Set scheme.walls = \"dynamic\".");
  EXPECT_EQ(message_of_box([](Case& c) { c.rigid_bodies[0].velocity[0] = std::nan(""); }),
            "sph: rigid_body.velocity has the component nan m/s along x, expected a finite number.");
  EXPECT_EQ(message_of_box([](Case& c) { c.rigid_bodies[0].velocity[2] = 1; }),
            "sph: rigid_body.velocity has the component 1 m/s along z, expected 0: the axis is locked.");
  EXPECT_EQ(
      message_of_box([](Case& c) { c.rigid_bodies[0].locked_turns = {Axis::z}; }),
      "sph: rigid_body.angular_velocity has the component 300 degrees/s along z, expected 0: the axis is locked.");
}

TEST(RigidBody, ASnapshotWithoutItsBodiesIsRefused) {
  Solver run(Queue::cpu(1), box_beside_water());
  Snapshot snapshot = run.snapshot();
  snapshot.rigid_bodies.clear();
  EXPECT_EQ(message_of([&] { Solver(Queue::cpu(1), box_beside_water(), snapshot); }),
            "sph: the snapshot has 0 rigid bodies, the case 1. Resume the case that it was taken from.");
}

}  // namespace
}  // namespace shoal::sph
