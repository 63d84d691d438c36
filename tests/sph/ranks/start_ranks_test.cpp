// SPDX-License-Identifier: Apache-2.0
// The start of a run on several ranks: each makes the particles of its own slab, with the bits of one rank.
#include <gmock/gmock.h>

#include "sph/ranks/rank_bits.hpp"
#include "sph/ranks/slab_layers.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/setup.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

template <class Real, int dimensions>
std::vector<Setup<Real, dimensions>> setups(const Case& simulation, int count) {
  std::vector<Setup<Real, dimensions>> setups(static_cast<std::size_t>(count));
  run_on_ranks(count, [&](const Communicator& ranks) {
    const Lattice lattice = make_lattice(simulation, 8 * sizeof(Coordinate<Real>));
    auto setup = make_setup<Real, dimensions>(simulation, lattice, Queue::cpu(1), nullptr, ranks);
    setup.ranks = Communicator::alone();  // those of this test end here
    setups[static_cast<std::size_t>(ranks.rank())] = std::move(setup);
  });
  return setups;
}

template <class Real, int dimensions>
void expect_particles_of_one_rank(const Case& simulation) {
  const sph::Setup<Real, dimensions> one = std::move(setups<Real, dimensions>(simulation, 1)[0]);
  std::map<std::int64_t, std::string> expected;
  for (std::size_t i = 0; i < one.state.count(); ++i) expected[one.state.id[i]] = bytes_of_particle(one.state, i);
  ASSERT_EQ(static_cast<std::int64_t>(expected.size()), one.particles);
  for (const int count : {2, 3, 5}) {
    SCOPED_TRACE(testing::Message() << count << " ranks");
    std::map<std::int64_t, std::string> particles;
    const auto parts = setups<Real, dimensions>(simulation, count);
    for (int rank = 0; rank < count; ++rank) {
      const sph::Setup<Real, dimensions>& part = parts[static_cast<std::size_t>(rank)];
      EXPECT_EQ(part.particles, one.particles);
      EXPECT_EQ(part.wall_particles, one.wall_particles);
      EXPECT_EQ(part.state.clock.particles, one.state.clock.particles);
      EXPECT_EQ(part.state.clock.next_dt, one.state.clock.next_dt);
      EXPECT_EQ(part.initial, one.initial);
      EXPECT_TRUE(std::is_sorted(part.state.id.begin(), part.state.id.end()));
      for (std::size_t i = 0; i < part.state.count(); ++i) {
        EXPECT_EQ(owner_of(part.parameters, part.slabs, part.state.position[i]), rank);
        EXPECT_TRUE(particles.emplace(part.state.id[i], bytes_of_particle(part.state, i)).second);
      }
    }
    EXPECT_EQ(particles, expected);
  }
}

/// Water in a tank with a ball in it, and a second wall that shares particles with the tank.
Case filled_tank(int dimensions) {
  Case simulation = dimensions == 3 ? block_of_water(12, 9, 30) : block_of_water(12, 40);
  Body& water = simulation.bodies[0];
  water.pressure = InitialPressure::hydrostatic;
  water.jitter = 0.3;
  water.shape.emplace();
  water.shape->kind = ShapeKind::difference;
  Shape box, ball;
  box.kind = ShapeKind::box;
  box.box = water.box;
  ball.kind = ShapeKind::sphere;
  ball.center = {0.06, 0.05, dimensions == 3 ? 0.14 : 0};
  ball.radius = 0.03;
  water.shape->parts = {box, ball};
  simulation.walls = {{"tank", water.box, {Side::top}, 3, ""}, {"floor", water.box, {}, 2, ""}};
  simulation.walls[1].solid = true;
  simulation.walls[1].box = {{-0.05, -0.05, -0.05}, {0.2, 0.2, 0}};
  if (dimensions == 2) simulation.walls[1].box = {{-0.05, -0.05, 0}, {0.2, 0, 0}};
  simulation.scheme.gravity[static_cast<std::size_t>(dimensions - 1)] = -9.81;
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.domain = Box{{-0.06, -0.06, -0.06}, {0.25, 0.6, 0.6}};
  return simulation;
}

TEST(StartOnRanks, HasTheParticlesOfOneRank) {
  expect_particles_of_one_rank<float, 2>(filled_tank(2));
  expect_particles_of_one_rank<double, 3>(filled_tank(3));
}

TEST(StartOnRanks, HasTheParticlesOfOneRankInGeneralPhysics) {
  for (const Integrator integrator : {Integrator::tvd_rk3, Integrator::verlet}) {
    Case simulation = general_case(integrator, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
    simulation.scheme.time_step = TimeStep::cfl;
    simulation.scheme.periodic = {Axis::x, Axis::y};
    expect_particles_of_one_rank<float, 2>(simulation);
  }
}

// A paddle that starts upside down has its lowest particles at its highest ones' places.
TEST(StartOnRanks, PlacesWallsThatStartDisplaced) {
  Case simulation = block_of_water(10, 40);
  simulation.walls = {{"tank", simulation.bodies[0].box, {Side::top, Side::right}, 3, ""},
                      {"paddle", {{0.2, 0, 0}, {0.23, 0.3, 0}}, {}, 3, ""}};
  simulation.walls[1].solid = true;
  simulation.walls[1].motion = {.kind = MotionKind::pitch,
                                .frequency = 2,
                                .phase = 40,
                                .mean_angle = 160,
                                .angle_amplitude = 15,
                                .about = {0.25, 0.2, 0}};
  simulation.domain = Box{{-0.2, -0.5, 0}, {1, 1, 0}};
  expect_particles_of_one_rank<float, 2>(simulation);
}

TEST(StartOnRanks, TakesListedParticlesAndThoseAtTheEndOfTheDomain) {
  Case simulation = block_of_water(1, 1);
  ParticleList list;
  for (int i = 0; i < 200; ++i) {
    list.position.push_back({0.01 * (i % 7), 0.01 * ((37 * i) % 100), 0});
    list.velocity.push_back({0.1 * i, 0, 0});
  }
  list.position.push_back({0.3, 0.0, 0});  // at the end of 12 cells: outside all of them
  list.velocity.push_back({});
  simulation.bodies[0].particles = std::make_shared<const ParticleList>(list);
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.3, 1.1, 0}};
  expect_particles_of_one_rank<double, 2>(simulation);
}

TEST(StartOnRanks, ARankHasNoParticlesOfOthers) {
  const auto parts = setups<float, 3>(filled_tank(3), 4);
  for (const sph::Setup<float, 3>& part : parts)
    EXPECT_LT(static_cast<std::int64_t>(part.state.count()), part.particles / 2);
}

// Half of the work: 1200 of 7200 are the floor, or 12000 of 18000.
TEST(StartOnRanks, IsCutByTheWorkForItsParticles) {
  constexpr double layer = 60;  // most particles of a layer
  const auto adami = setups<float, 2>(water_on_a_thick_floor(Walls::adami), 2);
  EXPECT_NEAR(static_cast<double>(adami[0].state.count()), 1200 + 240, layer);
  const auto dynamic = setups<float, 2>(water_on_a_thick_floor(Walls::dynamic), 2);
  EXPECT_NEAR(static_cast<double>(dynamic[0].state.count()), 900, layer);
}

std::string message_on(int count, const Case& simulation) {
  std::vector<std::string> messages(static_cast<std::size_t>(count));
  run_on_ranks(count, [&](const Communicator& ranks) {
    messages[static_cast<std::size_t>(ranks.rank())] = message_of([&] { Solver(Queue::cpu(1), simulation, ranks); });
  });
  for (const std::string& message : messages) EXPECT_EQ(message, messages[0]);
  return messages[0];
}

void expect_message_of_one_rank(const Case& simulation, const std::string& part) {
  const std::string one = message_on(1, simulation);
  EXPECT_THAT(one, HasSubstr(part));
  for (const int count : {2, 3}) EXPECT_EQ(message_on(count, simulation), one);
}

TEST(StartOnRanks, ErrorsAreThoseOfOneRank) {
  Case overlapping = filled_tank(2);
  overlapping.bodies.push_back(overlapping.bodies[0]);
  overlapping.bodies[1].shape->parts[1].radius = 0.02;
  expect_message_of_one_rank(overlapping, "body 1 and body 0 overlap at");
  Case reaching = filled_tank(2);
  reaching.walls[0].box.from[0] += 0.02;
  expect_message_of_one_rank(reaching, "body 0 reaches into wall \"tank\" at");
  Case outside = filled_tank(2);
  outside.domain->to[1] = 0.2;
  expect_message_of_one_rank(outside, "starts outside the domain: y = ");
  Case empty = filled_tank(2);
  empty.bodies[0].shape->parts[1].radius = 1;
  expect_message_of_one_rank(empty, "body 0 has no particles");
  Case dense = general_case(Integrator::tvd_rk3, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
  dense.materials[1].equation_of_state = EquationOfState::mie_grueneisen;
  dense.materials[1].hugoniot_slope = 1.5;
  dense.bodies[1].density = 3.1 * dense.materials[1].density;  // beyond the pole
  expect_message_of_one_rank(dense, "starts outside the range of its equation of state");
}

}  // namespace
}  // namespace shoal::sph
