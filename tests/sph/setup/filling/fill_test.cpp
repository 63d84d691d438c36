// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/filling/fill.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sph/setup/filling/lattice.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

/// All particles of a case.
Snapshot fill(const Case& simulation, const Lattice& lattice) {
  Snapshot snapshot;
  const Filling filling(simulation, lattice, Queue::cpu(1), Communicator::alone());
  for (std::int64_t plane = 0; plane < filling.planes(); ++plane)
    filling.for_each(plane, [&](const StartParticle& particle) {
      snapshot.id.push_back(particle.id);
      snapshot.tag.push_back(particle.tag);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        snapshot.coordinate[axis].push_back(particle.coordinate[axis]);
        snapshot.velocity[axis].push_back(particle.velocity[axis]);
      }
      snapshot.density_deviation.push_back(particle.density_deviation);
      snapshot.pressure_over_density2.push_back(particle.pressure_over_density2);
      snapshot.energy.push_back(particle.energy);
    });
  EXPECT_EQ(static_cast<std::int64_t>(snapshot.id.size()), filling.count());
  return snapshot;
}

Snapshot filled(const Case& simulation) { return fill(simulation, make_lattice(simulation, 64)); }

TEST(Fill, ThePapersDamBreaksHaveThePapersParticles) {
  EXPECT_EQ(filled(dam_break(1)).id.size(), 6462u);
  EXPECT_EQ(filled(dam_break(2)).id.size(), 22899u);
  EXPECT_EQ(filled(dam_break(4)).id.size(), 85773u);
}

TEST(Fill, TheExceptionOfTheFirstPlaneLeavesWhenPlanesAreTakenAtTheSameTime) {
  const Case simulation = dam_break(1);
  const Filling filling(simulation, make_lattice(simulation, 64), Queue::cpu(4), Communicator::alone());
  ASSERT_GT(filling.planes(), 40);
  std::vector<int> visits(static_cast<std::size_t>(filling.planes()));
  for_each_plane(filling, [&](std::int64_t plane) { ++visits[static_cast<std::size_t>(plane)]; });
  EXPECT_EQ(visits, std::vector<int>(visits.size(), 1));
  for (int repeat = 0; repeat < 20; ++repeat)
    EXPECT_EQ(
        message_of([&] { for_each_plane(filling, [](std::int64_t plane) { require(plane < 11, "plane ", plane); }); }),
        "plane 11");
}

TEST(Fill, WallsOfTheFirstDamBreak) {
  const Snapshot state = filled(dam_break(1));
  EXPECT_EQ(std::count(state.tag.begin(), state.tag.end(), 0x80), 825 + 486);
  for (std::size_t i = 0; i < state.id.size(); ++i)
    EXPECT_EQ(state.coordinate[0][i] & 1, state.tag[i] >> 7) << "the lowest bit of x tells walls from fluid";
}

TEST(Fill, ParticlesSitInTheMiddleOfTheirSquares) {
  const Case simulation = block_of_water(3, 2);
  const Lattice lattice = make_lattice(simulation, 64);
  const Snapshot state = fill(simulation, lattice);
  ASSERT_EQ(state.id.size(), 6u);
  std::vector<double> x;
  for (const std::int64_t units : state.coordinate[0])
    x.push_back(lattice.origin[0] + lattice.unit * static_cast<double>(units));
  for (const std::size_t i : {0, 3}) EXPECT_NEAR(x[i], 0.005, 1e-12);
  for (const std::size_t i : {2, 5}) EXPECT_NEAR(x[i], 0.025, 1e-12);
  EXPECT_NEAR(lattice.origin[1] + lattice.unit * state.coordinate[1][5], 0.015, 1e-12);
}

TEST(Fill, AClosedBoxIn3DHasWallsAllAround) {
  Case simulation = block_of_water(2, 2, 2);
  simulation.walls = {{"box", {{0, 0, 0}, {0.02, 0.02, 0.02}}, {}, 2, ""}};
  EXPECT_EQ(filled(simulation).id.size(), 6u * 6 * 6);
  simulation.walls[0].open = {Side::top, Side::front};
  EXPECT_EQ(filled(simulation).id.size(), 6u * 4 * 4);
}

TEST(Fill, HydrostaticPressureGrowsWithDepth) {
  Case simulation = block_of_water(1, 100);
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  const Snapshot state = filled(simulation);
  const double density = 1000 + state.density_deviation[0];
  EXPECT_NEAR(state.pressure_over_density2[0] * density * density, 1000 * 9.81 * 0.995, 1e-6);
  EXPECT_NEAR(state.pressure_over_density2[99] * 1e6, 1000 * 9.81 * 0.005, 1e-2);
}

TEST(Fill, HydrostaticPressureBeginsWithThatOfTheDensityAtTheTop) {
  Case simulation = block_of_water(1, 100);
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.materials[0].equation_of_state = EquationOfState::linear;
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  simulation.bodies[0].density = 1001;
  const double c = simulation.materials[0].sound_speed, density = 1001 + 9.81 * 0.005 * 1000 / (c * c);
  EXPECT_NEAR(filled(simulation).density_deviation[99], density - 1000, 1e-9);
}

TEST(Fill, HydrostaticPressureOfAnyShapeIsThatOfTheDepthBelowItsTop) {
  Case simulation = block_of_water(1, 1);
  Shape drop;
  drop.kind = ShapeKind::sphere;
  drop.radius = 0.1;
  simulation.bodies[0].shape = drop;
  simulation.bodies[0].pressure = InitialPressure::hydrostatic;
  simulation.scheme.gravity = {0, -9.81, 0};
  const Lattice lattice = make_lattice(simulation, 64);
  const Snapshot state = fill(simulation, lattice);
  for (std::size_t i = 0; i < state.id.size(); ++i) {
    const double density = 1000 + state.density_deviation[i];
    const double y = lattice.origin[1] + lattice.unit * static_cast<double>(state.coordinate[1][i]);
    EXPECT_NEAR(state.pressure_over_density2[i] * density * density, 9810 * (0.1 - y), 1e-6);
  }
}

TEST(Fill, AStrainRateStretchesTheVelocity) {
  Case simulation = block_of_water(3, 2);
  simulation.bodies[0].velocity = {1, 0, 0};
  simulation.bodies[0].strain_rate = {-100, 100, 0};
  const Snapshot state = filled(simulation);
  EXPECT_NEAR(state.velocity[0][2], 1 - 100 * 0.025, 1e-12);
  EXPECT_NEAR(state.velocity[1][3], 100 * 0.015, 1e-12);
}

TEST(Fill, VorticesOfTaylorAndGreen) {
  Case simulation = block_of_water(4, 4);
  simulation.bodies[0].velocity = {1, 0, 0};
  simulation.bodies[0].vortices = {3, 0.04};
  const Snapshot state = filled(simulation);  // the first particle is at an eighth of the length: sin = cos = 1/sqrt 2
  EXPECT_NEAR(state.velocity[0][0], 1 - 1.5, 1e-12);
  EXPECT_NEAR(state.velocity[1][0], 1.5, 1e-12);
  simulation.bodies[0].vortices.length = 0;
  EXPECT_EQ(message_of([&] { require_valid(simulation); }),
            "sph: body.vortices has the speed 3 m/s and the length 0 m, expected finite numbers and a length above 0.");
}

TEST(Fill, PlacedParticlesMayHaveTheirOwnVelocities) {
  Case simulation = block_of_water(1, 1);
  const ParticleList list{{{0.5, 0.5, 0}, {0.51, 0.5, 0}}, {{1, 2, 0}, {3, 4, 0}}};
  simulation.bodies[0].particles = std::make_shared<const ParticleList>(list);
  const Snapshot state = filled(simulation);
  EXPECT_EQ(state.velocity[0], (std::vector<double>{1, 3}));
  EXPECT_EQ(state.velocity[1], (std::vector<double>{2, 4}));
}

TEST(Fill, HeatIsAGaussian) {
  Case simulation = block_of_water(11, 1);
  simulation.scheme.energy = true;
  simulation.heat = {{{0.055, 0.005, 0}, 0.02, 300}};
  const Snapshot state = filled(simulation);
  EXPECT_DOUBLE_EQ(state.energy[5], 300);
  EXPECT_NEAR(state.energy[7], 300 * std::exp(-1.0), 1e-9);
}

TEST(Fill, BodiesMayNotOverlap) {
  Case simulation = block_of_water(4, 4);
  simulation.bodies.push_back({"water", {{0.03, 0.03, 0}, {0.06, 0.06, 0}}, {}, {}});
  EXPECT_EQ(message_of([&] { filled(simulation); }),
            "sph: body 1 and body 0 overlap at (0.035, 0.035) m. Particles may not start on top of each other; move or "
            "shrink one of them.");
}

TEST(Fill, ParticlesMayNotStartInsideWalls) {
  Case simulation = block_of_water(4, 4);
  simulation.walls = {{"tank", {{0.01, 0, 0}, {0.1, 0.1, 0}}, {}, 3, ""}};
  EXPECT_EQ(
      message_of([&] { filled(simulation); }),
      "sph: body 0 reaches into wall \"tank\" at (0.005, 0.005) m. Particles may not start inside walls; shrink the "
      "body or move the wall, whose box or shape is the inside.");
  simulation.walls[0].box.from = {0, 0, 0};
  EXPECT_EQ(message_of([&] { filled(simulation); }), "no error");
}

TEST(Fill, ABodyMayReachThroughAnOpenSide) {
  Case simulation = block_of_water(4, 8);
  simulation.walls = {{"cup", {{0, 0, 0}, {0.04, 0.04, 0}}, {Side::top}, 3, ""}};
  EXPECT_EQ(message_of([&] { filled(simulation); }), "no error");
}

TEST(Fill, ParticlesStartInTheDomain) {
  Case simulation = block_of_water(4, 4);
  simulation.domain = Box{{0, 0, 0}, {0.02, 0.1, 0}};
  EXPECT_EQ(message_of([&] { filled(simulation); }),
            "sph: particle 2 starts outside the domain: x = 0.025 m, allowed [0, 0.02] m. Enlarge [domain] or move the "
            "body.");
}

TEST(Fill, A2DWallHasNoFront) {
  Case simulation = block_of_water(4, 4);
  simulation.walls = {{"cup", {{0, 0, 0}, {0.04, 0.04, 0}}, {Side::front}, 3, ""}};
  EXPECT_EQ(message_of([&] { filled(simulation); }),
            "sph: side \"front\" needs a 3-D case; a 2-D case has left, right, bottom, top.");
}

}  // namespace
}  // namespace shoal::sph
