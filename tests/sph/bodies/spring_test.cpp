// SPDX-License-Identifier: Apache-2.0
// Springs between rigid bodies and fixed points: oscillations, mooring lines, and the same bits from any start.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <functional>
#include <numbers>

#include "sph/bodies/body_cases.hpp"
#include "sph/physics/bodies/spring_item.hpp"
#include "sph/ranks/rank_bits.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EverySpring : public SphMethodTest {};
class RanksOfSpring : public RankBits {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EverySpring, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfSpring, testing::ValuesIn(methods("sph")), method_test_name);

constexpr double box_mass = 1.2;                                 // kg/m
constexpr double angular_frequency = 2 * std::numbers::pi * 50;  // rad/s
constexpr double spring_stiffness = box_mass * angular_frequency * angular_frequency;
constexpr Vector center{0.23, 0.22, 0};  // m

/// A box of 6 x 4 particles around `center`, far from any water.
Case box_in_free_space(Integrator integrator = Integrator::symplectic) {
  Case simulation = block_of_water(2, 2);
  simulation.precision = Precision::double_;
  simulation.walls = {{"box", {{0.2, 0.2, 0}, {0.26, 0.24, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.rigid_bodies = {{.wall = "box", .mass = box_mass}};
  simulation.domain = Box{{-0.5, -0.5, 0}, {1, 1, 0}};
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = stable_step(integrator);
  return simulation;
}

/// The same on a spring along x, stretched by 5 cm.
Case box_on_a_spring(Integrator integrator, double damping) {
  Case simulation = box_in_free_space(integrator);
  simulation.springs = {{.name = "line",
                         .body = "box",
                         .at = center,
                         .anchor = {0.53, 0.22, 0},
                         .length = 0.25,
                         .stiffness = spring_stiffness,
                         .damping = damping}};
  return simulation;
}

/// Two boxes that touch water, held by a spring to a fixed point and by a line between them.
Case moored_boxes_beside_water(Integrator integrator = Integrator::symplectic) {
  Case simulation = two_boxes_beside_water(integrator);
  simulation.springs = {{.name = "spring",
                         .body = "box",
                         .at = {0.18, 0.05, 0},
                         .anchor = {0.4, 0.1, 0},
                         .stiffness = 2e4,
                         .damping = 10},
                        {.name = "line",
                         .body = "lid",
                         .at = {0.1, 0.12, 0},
                         .second_body = "box",
                         .anchor = {0.13, 0.05, 0},
                         .length = 0.07,
                         .stiffness = 1e4,
                         .slack = true}};
  return simulation;
}

TEST_P(EverySpring, SwingsAsAHarmonicOscillator) {
  for (const Integrator integrator : integrators)
    for (const double ratio : {0.0, 0.1}) {
      Solver run = solver(box_on_a_spring(integrator, 2 * ratio * box_mass * angular_frequency));
      for (int part = 0; part < 4; ++part) {
        run.advance_to(run.clock().time + 0.007);
        const double t = run.clock().time, decay = ratio * angular_frequency;
        const double damped = angular_frequency * std::sqrt(1 - ratio * ratio);
        const double stretch =
            0.05 * std::exp(-decay * t) * (std::cos(damped * t) + decay / damped * std::sin(damped * t));
        const RigidBodyState body = run.rigid_bodies()[0];
        EXPECT_NEAR(body.center[0], 0.53 - 0.25 - stretch, 1e-4) << to_name(integrator) << " at " << t << " s";
        EXPECT_EQ(body.center[1], run.rigid_bodies()[0].center[1]);
        EXPECT_NEAR(body.angular_momentum[2], 0, 1e-12);
      }
    }
}

TEST_P(EverySpring, TurnsABodyThatItHoldsBesideItsCenter) {
  Case simulation = box_in_free_space();
  constexpr double arm = 0.03, inertia = box_mass / 12 * (0.06 * 0.06 + 0.04 * 0.04), rate = 0.5;  // m, kg m, rad/s
  const double frequency = arm * std::sqrt(spring_stiffness / inertia);
  simulation.rigid_bodies[0].locked_shifts = {Axis::x, Axis::y};
  simulation.rigid_bodies[0].angular_velocity = {0, 0, rate * 180 / std::numbers::pi};
  simulation.springs = {
      {.body = "box", .at = {center[0] + arm, center[1], 0}, .anchor = {0.26, 0.72, 0}, .stiffness = spring_stiffness}};
  Solver run = solver(simulation);
  const std::vector<Probe> turn{{.name = "turn", .kind = ProbeKind::body_rotation, .wall = "box"}};
  for (int part = 0; part < 4; ++part) {
    run.advance_steps(37);
    const double expected = rate / frequency * std::sin(frequency * run.clock().time);
    EXPECT_NEAR(run.measure(turn)[0] * std::numbers::pi / 180, expected, 0.01 * rate / frequency);
  }
}

TEST_P(EverySpring, BetweenTwoBodiesKeepsTheirMomentum) {
  Case simulation = box_on_a_spring(Integrator::symplectic, 0);
  constexpr double other_mass = 0.8, start_length = 0.3, stretch = 0.05;
  simulation.walls.push_back({"other", {{0.5, 0.2, 0}, {0.56, 0.24, 0}}, {}, 3, ""});
  simulation.walls[1].solid = true;
  simulation.rigid_bodies.push_back({.wall = "other", .mass = other_mass, .velocity = {0.3, -0.2, 0}});
  simulation.rigid_bodies[0].velocity = {0.3, -0.2, 0};
  simulation.springs[0].second_body = "other";
  Solver run = solver(simulation);
  const double frequency = std::sqrt(spring_stiffness * (1 / box_mass + 1 / other_mass));
  for (int part = 0; part < 4; ++part) {
    run.advance_steps(41);
    const auto bodies = run.rigid_bodies();
    EXPECT_NEAR(box_mass * bodies[0].velocity[0] + other_mass * bodies[1].velocity[0], 0.3 * (box_mass + other_mass),
                1e-12);
    EXPECT_NEAR(box_mass * bodies[0].velocity[1] + other_mass * bodies[1].velocity[1], -0.2 * (box_mass + other_mass),
                1e-12);
    EXPECT_NEAR(bodies[1].center[0] - bodies[0].center[0],
                start_length - stretch + stretch * std::cos(frequency * run.clock().time), 1e-4);
  }
}

TEST_P(EverySpring, ASlackLineHoldsABodyOnlyAtItsLength) {
  Case simulation = box_in_free_space();
  constexpr double g = 9.81, fall = 0.01;
  simulation.scheme.gravity = {0, -g, 0};
  simulation.springs = {{.name = "line",
                         .body = "box",
                         .at = center,
                         .anchor = {center[0], 0.42, 0},
                         .length = 0.2 + fall,
                         .stiffness = spring_stiffness,
                         .slack = true}};
  Solver run = solver(simulation);
  const std::vector<Probe> force{{.name = "pull", .kind = ProbeKind::spring_force, .spring = "line"}};
  run.advance_to(0.04);
  EXPECT_NEAR(run.rigid_bodies()[0].center[1], center[1] - g / 2 * 0.04 * 0.04, 1e-9);
  for (const double component : run.measure(force)) EXPECT_EQ(component, 0);
  while (run.rigid_bodies()[0].velocity[1] < 0) run.advance_steps(1);
  // Energy at the lowest point: m g (fall + s) = k s²/2.
  const double lowest =
      (box_mass * g + std::sqrt(box_mass * g * (box_mass * g + 2 * spring_stiffness * fall))) / spring_stiffness;
  const double stretch = center[1] - run.rigid_bodies()[0].center[1] - fall;
  EXPECT_NEAR(stretch, lowest, 0.01 * lowest);
  const std::vector<double> pull = run.measure(force);
  EXPECT_NEAR(pull[0], 0, 1e-6);
  EXPECT_NEAR(pull[1], spring_stiffness * stretch, 1e-6 * spring_stiffness * stretch);
}

TEST_P(EverySpring, AgreesWithSerial) {
  Case simulation = moored_boxes_beside_water();
  simulation.precision = Precision::double_;
  Case free = simulation;
  free.springs.clear();
  expect_bodies_of_serial(solver(simulation), solver(free), simulation, 1e-3);
}

TEST_P(EverySpring, ARestartContinuesWithTheSameBits) {
  for (const Integrator integrator : integrators)
    expect_same_bits_after_restart(moored_boxes_beside_water(integrator), 53, 47);
}

TEST_P(RanksOfSpring, HaveTheBitsOfOneRank) {
  expect_bits_of_one_rank<float, 2>(moored_boxes_beside_water(), {.steps = 30}, {2, 3});
}

TEST(SpringItem, PullsAndPushesByStretchAndRate) {
  const SpringParameters spring{.length = 2, .stiffness = 10, .damping = 3};
  EXPECT_EQ(tension(spring, 2.5, 0), 5);
  EXPECT_EQ(tension(spring, 1.5, 0), -5);
  EXPECT_EQ(tension(spring, 2, -1), -3);
  SpringParameters line = spring;
  line.slack = true;
  EXPECT_EQ(tension(line, 2.5, 1), 8);
  EXPECT_EQ(tension(line, 1.5, 9), 0) << "shorter than its length";
  EXPECT_EQ(tension(line, 2.5, -9), 0) << "a line does not push";
}

TEST(SpringItem, EndsAtOnePlaceHaveNoForce) {
  const SpringParameters spring{.length = 1, .stiffness = 10};
  const SpringEnd end{{}, {{1, 2, 3}}, {{4, 5, 6}}};
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(pull(spring, end, end)[axis], 0);
}

std::string message_of_boxes(const std::function<void(Case&)>& spoil) {
  Case simulation = moored_boxes_beside_water();
  spoil(simulation);
  return message_of([&] { require_valid(simulation); });
}

TEST(Spring, EveryBadValueIsNamed) {
  EXPECT_EQ(message_of_boxes([](Case&) {}), "no error");
  EXPECT_EQ(message_of_boxes([](Case& c) { c.springs[0].body = "hull"; }),
            "sph: spring.body = \"hull\", expected the wall of a rigid body: box, lid.");
  EXPECT_EQ(message_of_boxes([](Case& c) { c.springs[1].second_body = "post"; }),
            "sph: spring.second_body = \"post\", expected the wall of a rigid body: box, lid.");
  EXPECT_EQ(
      message_of_boxes([](Case& c) { c.springs[1].second_body = "lid"; }),
      "sph: spring.second_body = \"lid\" is also spring.body, expected another rigid body, or none for a fixed point.");
  EXPECT_EQ(message_of_boxes([](Case& c) { c.springs[0].at[1] = std::nan(""); }),
            "sph: spring.at has the component nan m, expected finite numbers.");
  EXPECT_EQ(message_of_boxes([](Case& c) { c.springs[0].anchor[2] = 1; }),
            "sph: spring.anchor has z = 1 m, expected 0 in 2-D.");
  EXPECT_EQ(message_of_boxes([](Case& c) { c.springs[0].length = -1; }),
            "sph: spring.length = -1 m, expected 0 or a positive number.");
  EXPECT_EQ(message_of_boxes([](Case& c) { c.springs[0].stiffness = -1; }),
            "sph: spring.stiffness = -1 N/m2, expected 0 or a positive number.");
  EXPECT_EQ(message_of_boxes([](Case& c) { c.springs[0].damping = INFINITY; }),
            "sph: spring.damping = inf N s/m2, expected 0 or a positive number.");
  EXPECT_EQ(message_of_boxes([](Case& c) { c.springs[0].stiffness = c.springs[0].damping = 0; }),
            "sph: a spring has neither stiffness nor damping, and does nothing. Set one of them.");
  EXPECT_EQ(
      message_of_boxes([](Case& c) { c.probes = {{.name = "p", .kind = ProbeKind::spring_force, .spring = "rope"}}; }),
      "sph: probe \"p\" is on the spring \"rope\", which is not there; the case has spring, line.");
  EXPECT_EQ(message_of_boxes([](Case& c) {
              c.springs.clear();
              c.probes = {{.name = "p", .kind = ProbeKind::spring_force, .spring = "rope"}};
            }),
            "sph: probe \"p\" is on the spring \"rope\", which is not there; the case has no springs.");
}

}  // namespace
}  // namespace shoal::sph
