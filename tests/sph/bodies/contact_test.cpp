// SPDX-License-Identifier: Apache-2.0
// Contact of rigid bodies: restitution, friction, momentum, and the same bits from any start and number of ranks.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <functional>
#include <numbers>

#include "core/text.hpp"
#include "sph/bodies/body_cases.hpp"
#include "sph/physics/bodies/contact_item.hpp"
#include "sph/ranks/rank_bits.hpp"
#include "sph/setup/bodies/contacts.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryContact : public SphMethodTest {};
class RanksOfContact : public RankBits {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryContact, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfContact, testing::ValuesIn(methods("sph")), method_test_name);

constexpr double mass = 1.2;       // kg/m
constexpr double stiffness = 1e6;  // N/m2
constexpr double g = 9.81;         // m/s2

/// A solid wall.
Wall block(const std::string& name, const Vector& lower, const Vector& upper) {
  Wall wall{name, {lower, upper}, {}, 3, ""};
  wall.solid = true;
  return wall;
}

/// A box of 6 x 4 particles over a floor whose top is at y = 0.13 m, far from any water.
/// @param gap  m, between both
Case box_over_floor(double gap, Integrator integrator = Integrator::symplectic) {
  Case simulation = block_of_water(2, 2);
  simulation.precision = Precision::double_;
  simulation.walls = {block("floor", {0.1, 0.1, 0}, {0.4, 0.13, 0}),
                      block("box", {0.2, 0.13 + gap, 0}, {0.26, 0.17 + gap, 0})};
  simulation.rigid_bodies = {{.wall = "box", .mass = mass}};
  simulation.contact = {.stiffness = stiffness};
  simulation.domain = Box{{-0.5, -0.5, 0}, {1, 1, 0}};
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = stable_step(integrator);
  return simulation;
}

constexpr double touching = 0.15;  // m, height of the center of a box that touches the floor

/// Two boxes without gravity, of which the first one moves toward the second one.
/// @param lower  m, by which the first one is lower
Case two_boxes(double lower) {
  Case simulation = box_over_floor(0.1);
  simulation.scheme.dt /= 4;
  simulation.walls.push_back(block("other", {0.27, 0.23 - lower, 0}, {0.33, 0.27 - lower, 0}));
  simulation.rigid_bodies[0].velocity = {1, 0, 0};
  simulation.rigid_bodies.push_back({.wall = "other", .mass = 0.8, .velocity = {-0.2, 0.1, 0}});
  return simulation;
}

/// Momentum of two bodies, kg m/s, and along z their angular momentum about the origin, kg m2/s.
/// @param shift  m along x, from the second body to its image beside the first one
Vector momentum_of_two(const Solver& run, double shift = 0) {
  Vector total{};
  const std::vector<RigidBodyState> bodies = run.rigid_bodies();
  for (std::size_t k = 0; k < 2; ++k) {
    const double m = run.simulation().rigid_bodies[k].mass, x = bodies[k].center[0] + (k == 1 ? shift : 0);
    const Vector& v = bodies[k].velocity;
    for (std::size_t axis = 0; axis < 2; ++axis) total[axis] += m * v[axis];
    total[2] += bodies[k].angular_momentum[2] + m * (x * v[1] - bodies[k].center[1] * v[0]);
  }
  return total;
}

/// Two boxes beside water, of which the lower one falls on a floor and the upper one on the lower one.
Case pile_beside_water(Integrator integrator = Integrator::symplectic) {
  Case simulation = block_of_water(12, 10);
  simulation.walls = {block("floor", {0.12, -0.03, 0}, {0.3, 0.01, 0}),
                      block("box", {0.13, 0.013, 0}, {0.19, 0.053, 0}),
                      block("lid", {0.13, 0.055, 0}, {0.2, 0.085, 0})};
  simulation.rigid_bodies = {{.wall = "box", .mass = 1.2, .velocity = {-0.5, -1, 0}, .angular_velocity = {0, 0, 100}},
                             {.wall = "lid", .mass = 2.5, .velocity = {0.2, -1.5, 0}}};
  simulation.contact = {.stiffness = 1e6, .restitution = 0.6, .friction = 0.4};
  simulation.domain = Box{{-0.5, -0.5, 0}, {0.7, 0.7, 0}};
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = stable_step(integrator);
  simulation.scheme.artificial_viscosity = 0.1;
  return simulation;
}

/// Advances until a condition holds, at most so many steps.
void advance_until(Solver& run, int steps, const std::function<bool(const RigidBodyState&)>& holds) {
  for (int step = 0; step < steps && !holds(run.rigid_bodies()[0]); ++step) run.advance_steps(1);
}

TEST_P(EveryContact, ABodyBouncesToTheHeightOfItsRestitution) {
  for (const double restitution : {0.5, 1.0}) {
    constexpr double fall = 0.02;
    Case simulation = box_over_floor(fall);
    simulation.contact->restitution = restitution;
    simulation.scheme.gravity = {0, -g, 0};
    Solver run = solver(simulation);
    advance_until(run, 2000, [](const RigidBodyState& body) { return body.velocity[1] > 0; });
    EXPECT_LT(run.rigid_bodies()[0].center[1], touching) << "has not reached the floor";
    advance_until(run, 2000, [](const RigidBodyState& body) { return body.velocity[1] < 0; });
    const double height = run.rigid_bodies()[0].center[1] - touching;
    EXPECT_NEAR(height, restitution * restitution * fall, 0.03 * fall) << "restitution " << restitution;
    EXPECT_NEAR(run.rigid_bodies()[0].angular_momentum[2], 0, 1e-9);
  }
}

TEST_P(EveryContact, ACollisionWithoutGravityHasItsRestitution) {
  for (const Integrator integrator : integrators)
    for (const double restitution : {0.3, 0.7, 1.0}) {
      Case simulation = box_over_floor(0.002, integrator);
      simulation.contact->restitution = restitution;
      simulation.rigid_bodies[0].velocity = {0, -1, 0};
      Solver run = solver(simulation);
      run.advance_to(0.01);
      EXPECT_NEAR(run.rigid_bodies()[0].velocity[1], restitution, 0.02)
          << to_name(integrator) << ", restitution " << restitution;
    }
}

TEST_P(EveryContact, ASlabBouncesIn3D) {
  Case simulation = block_of_water(2, 2, 2);
  simulation.precision = Precision::double_;
  simulation.walls = {block("floor", {0.1, 0.1, 0.1}, {0.2, 0.2, 0.13}),
                      block("slab", {0.13, 0.12, 0.132}, {0.17, 0.17, 0.152})};
  simulation.rigid_bodies = {{.wall = "slab", .mass = 0.1, .velocity = {0, 0, -1}}};
  simulation.contact = {.stiffness = 1e5, .restitution = 0.7};
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.4, 0.4, 0.4}};
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.integrator = Integrator::symplectic;
  Solver run = solver(simulation);
  run.advance_to(0.01);
  EXPECT_NEAR(run.rigid_bodies()[0].velocity[2], 0.7, 0.02);
  for (const double component : run.rigid_bodies()[0].angular_momentum) EXPECT_NEAR(component, 0, 1e-9);
}

TEST_P(EveryContact, AMovingWallPushesABody) {
  Case simulation = box_over_floor(0.002);
  simulation.walls[0].motion.kind = MotionKind::translation;
  simulation.walls[0].motion.velocity = {0, 1, 0};
  simulation.contact->restitution = 0.6;
  Solver run = solver(simulation);
  run.advance_to(0.01);
  EXPECT_NEAR(run.rigid_bodies()[0].velocity[1], 1.6, 0.02);
}

TEST_P(EveryContact, FacesTurnWithTheirWall) {
  Case simulation = box_over_floor(0);
  Motion& motion = simulation.walls[0].motion;  // stands upright, from x = 0.235 m to 0.265 m
  motion.kind = MotionKind::pitch;
  motion.mean_angle = 90;
  motion.about = {0.25, 0.115, 0};
  simulation.walls[1] = block("box", {0.267, 0.1, 0}, {0.327, 0.14, 0});
  simulation.rigid_bodies[0].velocity = {-1, 0, 0};
  simulation.contact->restitution = 0.7;
  Solver run = solver(simulation);
  run.advance_to(0.01);
  EXPECT_NEAR(run.rigid_bodies()[0].velocity[0], 0.7, 0.02);
  EXPECT_NEAR(run.rigid_bodies()[0].velocity[1], 0, 1e-9);
}

TEST_P(EveryContact, BodiesCollideAcrossAPeriodicSide) {
  constexpr double period = 0.6;
  Case simulation = two_boxes(0);
  simulation.domain = Box{{0, -0.1, 0}, {period, 0.5, 0}};
  simulation.scheme.periodic = {Axis::x};
  simulation.walls = {block("box", {0.002, 0.2, 0}, {0.062, 0.24, 0}),
                      block("other", {0.538, 0.185, 0}, {0.598, 0.225, 0})};
  simulation.rigid_bodies[0].velocity = {-1, 0, 0};
  simulation.rigid_bodies[1].velocity = {0, 0, 0};
  Solver run = solver(simulation);
  const Vector before = momentum_of_two(run, -period);
  run.advance_to(0.01);
  const Vector after = momentum_of_two(run, -period);
  EXPECT_GT(run.rigid_bodies()[0].velocity[0] - run.rigid_bodies()[1].velocity[0], 0.2) << "has not bounced";
  EXPECT_GT(std::abs(run.rigid_bodies()[1].angular_momentum[2]), 1e-4) << "turns, because it is hit beside the center";
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 1e-13) << "component " << k;
}

TEST_P(EveryContact, ABodyRestsAtTheDepthOfItsWeight) {
  Case simulation = box_over_floor(0);
  simulation.scheme.gravity = {0, -g, 0};
  Solver run = solver(simulation);
  run.advance_to(0.1);
  const double depth = mass * g / stiffness;
  EXPECT_NEAR(touching - run.rigid_bodies()[0].center[1], depth, 0.01 * depth);
  EXPECT_NEAR(run.rigid_bodies()[0].velocity[1], 0, 1e-6);
}

TEST_P(EveryContact, FrictionStopsASlidingBody) {
  constexpr double friction = 0.3, speed = 0.5;
  Case simulation = box_over_floor(0);
  simulation.scheme.gravity = {0, -g, 0};
  simulation.rigid_bodies[0].velocity = {speed, 0, 0};
  simulation.contact->friction = friction;
  Solver run = solver(simulation);
  const double start = run.rigid_bodies()[0].center[0], way = speed * speed / (2 * friction * g);
  run.advance_to(0.1);
  EXPECT_NEAR(run.rigid_bodies()[0].velocity[0], speed - friction * g * 0.1, 0.01 * speed);
  run.advance_to(0.2);
  EXPECT_NEAR(run.rigid_bodies()[0].center[0] - start, way, 0.01 * way);
  EXPECT_NEAR(run.rigid_bodies()[0].velocity[0], 0, 1e-6);
}

TEST_P(EveryContact, BodiesThatCollideKeepTheirMomentum) {
  for (const double lower : {0.0, 0.013}) {
    Case simulation = two_boxes(lower);
    simulation.contact->restitution = 0.7;
    simulation.contact->friction = lower > 0 ? 0.5 : 0;
    Solver run = solver(simulation);
    const Vector before = momentum_of_two(run);
    run.advance_to(0.02);
    const Vector after = momentum_of_two(run);
    const auto bodies = run.rigid_bodies();
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 1e-13) << "component " << k;
    if (lower == 0) {
      EXPECT_NEAR(bodies[1].velocity[0] - bodies[0].velocity[0], 0.7 * 1.2, 0.02);
    } else {
      EXPECT_GT(std::abs(bodies[0].angular_momentum[2]), 1e-4) << "turns, because it hits beside the center";
    }
  }
}

TEST_P(EveryContact, CflStepsLimitThemselves) {
  Case simulation = box_over_floor(0.1);
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.materials[0].sound_speed = 10;
  Solver run = solver(simulation);
  run.advance_steps(3);
  EXPECT_DOUBLE_EQ(run.clock().dt, std::numbers::pi * std::sqrt(mass / stiffness) / 20);
}

TEST_P(EveryContact, AgreesWithSerial) {
  Case simulation = pile_beside_water();
  simulation.precision = Precision::double_;
  Case free = simulation;
  free.contact.reset();
  expect_bodies_of_serial(solver(simulation), solver(free), simulation, 0.1);
}

TEST_P(EveryContact, ARestartContinuesWithTheSameBits) {
  for (const Integrator integrator : integrators) expect_same_bits_after_restart(pile_beside_water(integrator), 33, 47);
}

TEST_P(RanksOfContact, HaveTheBitsOfOneRank) {
  expect_bits_of_one_rank<float, 2>(pile_beside_water(), {.steps = 80}, {2, 3});
}

TEST(ContactItem, OverlapsAcrossFacesOrAsSpheres) {
  const Vector3 none{}, up{{0, 1, 0}}, tilted{{0.6, 0.8, 0}};
  const Overlap spheres = overlap_of(1, {{0.3, -0.4, 0}}, {none, none});
  EXPECT_DOUBLE_EQ(spheres.depth, 0.5);
  EXPECT_DOUBLE_EQ(spheres.normal[0], 0.6);
  EXPECT_DOUBLE_EQ(spheres.normal[1], -0.8);
  const Overlap above = overlap_of(1, {{0.5, 0.9, 0}}, {none, up});
  EXPECT_DOUBLE_EQ(above.depth, 0.1) << "no matter where above the face";
  EXPECT_EQ(above.normal[1], 1);
  const Overlap below = overlap_of(1, {{0.5, -0.9, 0}}, {up, none});
  EXPECT_DOUBLE_EQ(below.depth, 0.1);
  EXPECT_EQ(below.normal[1], -1);
  const Overlap both = overlap_of(1, {{0.5, 0.75, 0}}, {up, tilted});
  EXPECT_NEAR(both.depth, 0.1, 1e-15) << "of the face that is farther";
  EXPECT_EQ(both.normal[0], 0.6);
}

TEST(ContactItem, PushesAndDragsButNeverPulls) {
  const ContactParameters contact{.stiffness = 100, .friction = 0.5, .damping_ratio = 0.25, .spacing = 1};
  constexpr double m = 4;  // √(stiffness m) = 20
  const Overlap overlap{0.2, {{0, 1, 0}}};
  EXPECT_EQ(contact_force(contact, m, overlap, {{0, 0, 0}})[1], 20);
  EXPECT_EQ(contact_force(contact, m, overlap, {{0, -1, 0}})[1], 30);
  EXPECT_EQ(contact_force(contact, m, overlap, {{0, 9, 0}})[1], 0) << "no pull";
  EXPECT_EQ(contact_force(contact, m, overlap, {{3, 0, 0}})[0], -10) << "Coulomb";
  EXPECT_EQ(contact_force(contact, m, overlap, {{0, 0, -0.1}})[2], 2) << "sticks";
}

TEST(ContactItem, RestitutionAndDampingRatioAreInverse) {
  EXPECT_EQ(restitution_of(0), 1);
  EXPECT_DOUBLE_EQ(restitution_of(1), std::exp(-2.0));
  // ω t = π − atan2(2 · 0.6 · 0.8, 1 − 2 · 0.36), and the speed falls by exp(−0.6/0.8 ω t).
  EXPECT_DOUBLE_EQ(restitution_of(0.6), std::exp(-0.75 * (std::numbers::pi - std::atan2(0.96, 0.28))));
  EXPECT_NEAR(restitution_of(1 - 1e-9), restitution_of(1 + 1e-9), 1e-8);
  for (const double restitution : {0.05, 0.1, 0.5, 0.9, 0.999})
    EXPECT_NEAR(restitution_of(damping_ratio_of(restitution)), restitution, 1e-12);
  EXPECT_EQ(damping_ratio_of(1), 0);
}

TEST(WallFaces, AreOnFlatSidesAwayFromEdges) {
  Case simulation = box_over_floor(0.02);
  simulation.walls.push_back(block("plate", {0.5, 0.5, 0}, {0.55, 0.51, 0}));
  const Lattice lattice = make_lattice(simulation, 64);
  const Filling filling(simulation, lattice, Queue::cpu(1), Communicator::alone());
  const WallFaces faces(simulation, filling, lattice);
  const auto count = [&](std::size_t wall, int axis) {
    int particles = 0;
    const IdRange ids = filling.part_ids().of_wall(wall);
    for (std::int64_t id = ids.first; id < ids.end; ++id) particles += faces.axis(id) == axis;
    return particles;
  };
  EXPECT_EQ(count(1, 0), 4) << "2 of the 4 particles of each side";
  EXPECT_EQ(count(1, 1), 8) << "4 of the 6 below and above";
  EXPECT_EQ(count(1, -1), 24 - 12) << "corners and the interior";
  EXPECT_EQ(count(2, 1), 3) << "of the 5 in one layer, with a face on each side";
  EXPECT_EQ(faces.axis(0), -1) << "fluid";
}

std::string message_of_pile(const std::function<void(Case&)>& spoil) {
  Case simulation = pile_beside_water();
  spoil(simulation);
  return message_of([&] { require_valid(simulation); });
}

TEST(Contact, EveryBadValueIsNamed) {
  EXPECT_EQ(message_of_pile([](Case&) {}), "no error");
  EXPECT_EQ(message_of_pile([](Case& c) { c.contact->stiffness = 0; }),
            "sph: contact.stiffness = 0 N/m2, expected a positive number.");
  EXPECT_EQ(message_of_pile([](Case& c) { c.contact->restitution = 0; }),
            "sph: contact.restitution = 0, expected 0.05 to 1.");
  EXPECT_EQ(message_of_pile([](Case& c) { c.contact->restitution = std::nan(""); }),
            "sph: contact.restitution = nan, expected 0.05 to 1.");
  EXPECT_EQ(message_of_pile([](Case& c) { c.contact->friction = -1; }),
            "sph: contact.friction = -1, expected 0 or a positive number.");
  EXPECT_EQ(message_of_pile([](Case& c) { c.rigid_bodies.clear(); }),
            "sph: the case has a contact, but no rigid body. Add a [[rigid_body]], or remove [contact].");
  EXPECT_EQ(message_of_pile([](Case& c) { c.smoothing = 0.8; }),
            "sph: the support of the kernel is 1.6 spacings, and a contact needs at least 1.75. Raise "
            "particles.smoothing.");
  const double most = std::numbers::pi * std::sqrt(1 / (1 / 1.2 + 1 / 2.5) / 1e8) / 20;
  EXPECT_EQ(message_of_pile([](Case& c) { c.contact->stiffness = 1e8; }),
            text("sph: scheme.dt = 0.0001 s, expected at most ", most,
                 " s, 1/20 of the shortest contact. Reduce scheme.dt or contact.stiffness."));
}

}  // namespace
}  // namespace shoal::sph
