// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <functional>

#include "sph_cases.hpp"
#include "support/messages.hpp"

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
  EXPECT_EQ(message_with([](Case& c) { c.output.checkpoint_every = -1; }),
            "sph: run.checkpoint_every = -1 minutes, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case& c) { c.output.ledger_every = -1; }),
            "sph: run.ledger_every = -1 s, expected 0 or a positive number.");
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

TEST(CaseCheck, UnknownMethodsListThoseThatExist) {
  EXPECT_EQ(message_with([](Case& c) { c.method = "linked_list"; }),
            "sph: method `linked_list` is not available on cpu. This build has on cpu: list, serial.");
}

}  // namespace
}  // namespace shoal::sph
