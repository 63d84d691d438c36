// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <functional>

#include "sph/sph_cases.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

std::string message_with(const std::function<void(Case&)>& spoil) {
  Case simulation = dam_break(1);
  spoil(simulation);
  return message_of([&] { Solver(Queue::cpu(1), simulation); });
}

TEST(CaseCheck, TheDamBreakIsFine) {
  EXPECT_EQ(message_with([](Case&) {}), "no error");
}

TEST(CaseCheck, NumbersOfParticlesHaveLimits) {
  for (const double spacing : {1e-300, 1e-100, 1e-20, 1e-15, 1e-9, 1e-7}) {
    const std::string message = message_with([&](Case& c) { c.spacing = spacing; });
    EXPECT_NE(message.find("Enlarge particles.spacing"), std::string::npos) << spacing << " m: " << message;
    EXPECT_EQ(message.find("-9223372036854775808"), std::string::npos) << message;
  }
  const std::string message = message_with([](Case& c) { c.bodies[0].spacing = 1e-300; });
  EXPECT_NE(message.find("Enlarge"), std::string::npos) << message;
}

TEST(CaseCheck, EveryBadValueIsNamed) {
  EXPECT_EQ(message_with([](Case& c) { c.dimensions = 4; }), "sph: particles.dimensions = 4, expected 1, 2 or 3.");
  EXPECT_EQ(message_with([](Case& c) { c.spacing = -0.02; }),
            "sph: particles.spacing = -0.02 m, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.spacing = std::nan(""); }),
            "sph: particles.spacing = nan m, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.smoothing = 0.1; }),
            "sph: particles.smoothing = 0.1, expected a smoothing length of 0.6 to 4 particle spacings.");
  EXPECT_EQ(message_with([](Case& c) { c.duration = -1; }),
            "sph: run.duration = -1 s, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.output.every = -1; }),
            "sph: run.output_every = -1 s, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) {
              c.output.every = 1;
              c.output.times = {1, 2};
            }),
            "sph: run.output_every and run.output_times are both given. Remove one of them.");
  EXPECT_EQ(message_with([](Case& c) {
              c.output.times = {1, 1};
            }),
            "sph: run.output_times has 1 s after 1 s, expected times from 0 on, one later than the other.");
  EXPECT_EQ(message_with([](Case& c) { c.output.restart_every = -1; }),
            "sph: run.restart_every = -1 minutes, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.output.balance_every = -1; }),
            "sph: run.balance_every = -1 s, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.materials.clear(); }),
            "sph: the case has no material. Add a table such as [material.water].");
  EXPECT_EQ(message_with([](Case& c) { c.materials[0].density = 0; }),
            "sph: material.density = 0 kg/m3, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.materials[0].sound_speed = -1; }),
            "sph: material.sound_speed = -1 m/s, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.materials[0].exponent = 0; }),
            "sph: material.exponent = 0, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.materials[0].equation_of_state = EquationOfState::polynomial; }),
            "sph: material.compression[0] = 0 Pa, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.bodies.clear(); }),
            "sph: the case has no particles. Add a [[body]] with a box of fluid.");
  EXPECT_EQ(message_with([](Case& c) { c.bodies[0].material = "watre"; }),
            "sph: body.material = \"watre\" is not a [material.NAME] of the case.");
  EXPECT_EQ(message_with([](Case& c) { c.bodies[0].box.to[1] = 0; }),
            "sph: body.box spans [0, 0] m along y, expected at least one particle spacing, 0.02 m.");
  EXPECT_EQ(message_with([](Case& c) { c.bodies[0].velocity[0] = INFINITY; }),
            "sph: body.velocity has the component inf m/s, expected finite numbers.");
  EXPECT_EQ(message_with([](Case& c) { c.walls[0].layers = 0; }), "sph: wall.layers = 0, expected at least 1.");
  EXPECT_EQ(message_with([](Case& c) { c.walls.push_back(c.walls[0]); }),
            "sph: wall 0 and wall 1 have the same name, \"tank\". Give each its own.");
  EXPECT_EQ(message_with([](Case& c) { c.bodies[0].particles = std::make_shared<ParticleList>(); }),
            "sph: body 0 has no particles: its list is empty.");
  EXPECT_EQ(message_with([](Case& c) {
              c.bodies[0].particles = std::make_shared<ParticleList>(ParticleList{{{0, 0, 0}, {NAN, 0, 0}}, {}});
            }),
            "sph: particle 1 of body 0 is at nan m with 0 m/s along x, expected finite numbers.");
  EXPECT_EQ(message_with([](Case& c) { c.walls[0].material = "steel"; }),
            "sph: wall.material = \"steel\" is not a [material.NAME] of the case.");
  EXPECT_EQ(message_with([](Case& c) { c.scheme.dt = 0; }), "sph: scheme.dt = 0 s, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) {
              c.scheme.time_step = TimeStep::cfl;
              c.scheme.cfl = -0.1;
            }),
            "sph: scheme.cfl = -0.1, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.scheme.artificial_viscosity = -0.1; }),
            "sph: scheme.viscosity.artificial = -0.1, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.scheme.diffusion_coefficient = -0.1; }),
            "sph: scheme.diffusion_coefficient = -0.1, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.scheme.gravity[1] = std::nan(""); }),
            "sph: scheme.gravity has the component nan m/s2, expected finite numbers.");
  EXPECT_EQ(message_with([](Case& c) {
              c.heat = {{{0, 0, 0}, 1, 1}};
            }),
            "sph: the case has [[heat]] but scheme.energy = false. Set scheme.energy = true.");
  EXPECT_EQ(message_with([](Case& c) {
              c.scheme.energy = true;
              c.heat = {{{0, 0, 0}, 0, 1}};
            }),
            "sph: heat.radius = 0 m, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) {
              c.probes.push_back({"p", ProbeKind::pressure, {}, -1});
            }),
            "sph: probe.every = -1 s, expected 0 or a positive number.");
}

TEST(CaseCheck, EveryBadChoiceOfPhysicsIsNamed) {
  const auto gas = [](Case& c) {
    c.materials[0].equation_of_state = EquationOfState::ideal_gas;
    c.materials[0].exponent = 1.4;
  };
  EXPECT_EQ(message_with(gas),
            "sph: material water is an ideal_gas, whose pressure needs internal energy. Set "
            "scheme.energy = true.");
  EXPECT_EQ(message_with([&](Case& c) {
              gas(c);
              c.materials[0].exponent = 1;
            }),
            "sph: material.exponent = 1, expected more than 1: the ratio of the heats of a gas.");
  EXPECT_EQ(message_with([&](Case& c) {
              gas(c);
              c.scheme.energy = true;
              c.scheme.density_diffusion = DensityDiffusion::fourtakas;
            }),
            "sph: density_diffusion = \"fourtakas\" needs a liquid with a sound_speed; water is a gas.");
  EXPECT_EQ(message_with([](Case& c) {
              c.materials[0].equation_of_state = EquationOfState::mie_grueneisen;
              c.materials[0].hugoniot_slope = 0.5;
            }),
            "sph: material.hugoniot_slope = 0.5, expected 1 or more.");
  EXPECT_EQ(message_with([](Case& c) { c.materials[0].least_pressure = 5; }),
            "sph: material.least_pressure = 5 Pa, expected 0 or a negative number: a tension.");
  EXPECT_EQ(message_with([](Case& c) { c.materials[0].kinematic_viscosity = -1; }),
            "sph: material.kinematic_viscosity = -1 m2/s, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.materials.resize(17, c.materials[0]); }),
            "sph: the case has 17 materials, expected at most 16.");
  EXPECT_EQ(message_with([](Case& c) { c.scheme.quadratic_viscosity = -1; }),
            "sph: scheme.viscosity.quadratic = -1, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.scheme.shifting.surface = 2; }),
            "sph: scheme.shifting.surface = 2, expected at least 0 and less than the number of dimensions, 2.");
  EXPECT_EQ(message_with([](Case& c) { c.most_density_deviation = -1; }),
            "sph: particles.most_density_deviation = -1 kg/m3, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.most_smoothing = 0.5; }),
            "sph: particles.most_smoothing = 0.5, expected 1 to 100 times the smoothing length at the start.");
  EXPECT_EQ(message_with([](Case& c) {
              c.scheme.wall_flow = WallFlow::no_slip;
              c.scheme.walls = Walls::repulsive;
            }),
            "sph: scheme.wall_flow = \"no_slip\" needs walls that take part in sums. Set scheme.walls = \"dynamic\" or "
            "\"adami\".");
}

TEST(CaseCheck, EveryBadRepeatingDomainIsNamed) {
  EXPECT_EQ(message_with([](Case& c) {
              c.domain.reset();
              c.scheme.periodic = {Axis::x};
            }),
            "sph: scheme.periodic needs a [domain]: its length along the axis is the period.");
  EXPECT_EQ(message_with([](Case& c) { c.scheme.periodic = {Axis::z}; }),
            "sph: scheme.periodic has the axis z, which a 2-D case does not have.");
  EXPECT_EQ(message_with([](Case& c) {
              c.bodies[0].box = {{0, 0, 0}, {0.1, 0.1, 0}};
              c.walls.clear();
              c.domain = Box{{0, 0, 0}, {0.1, 4, 0}};
              c.scheme.periodic = {Axis::x};
            }).substr(0, 86),
            "sph: the domain repeats along x every 0.1 m, expected at least 3 supports of the kerne");
}

TEST(CaseCheck, EveryBadBodyBeamAndMovementIsNamed) {
  EXPECT_EQ(message_with([](Case& c) { c.bodies[0].spacing = -1; }),
            "sph: body.spacing = -1 m, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.bodies[0].density = 0; }),
            "sph: body.density = 0 kg/m3, expected a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.bodies[0].energy = 1; }),
            "sph: body.energy is given but scheme.energy = false. Set scheme.energy = true.");
  EXPECT_EQ(message_with([](Case& c) { c.bodies[0].jitter = 0.5; }),
            "sph: body.jitter = 0.5, expected 0 to 0.4 spacings.");
  EXPECT_EQ(message_with([](Case& c) {
              c.scheme.energy = true;
              c.heat = {{{0, 0, 0}, 1, 1}};
              c.heat[0].length = -1;
            }),
            "sph: heat.length = -1 s, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) {
              c.walls[0].motion.kind = MotionKind::oscillation;
              c.walls[0].motion.frequency = -1;
            }),
            "sph: wall.frequency = -1 Hz, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) {
              c.walls[0].motion.kind = MotionKind::rotation;
              c.walls[0].motion.axis = {1, 0, 0};
            }),
            "sph: wall.axis = (1, 0, 0), expected a direction, along z in 2-D.");
}

TEST(CaseCheck, UnknownMethodsListThoseThatExist) {
  EXPECT_EQ(message_with([](Case& c) { c.method = "linked_list"; }),
            "sph: method `linked_list` is not available on cpu. This build has on cpu: " + cpu_methods("sph") + ".");
}

}  // namespace
}  // namespace shoal::sph
