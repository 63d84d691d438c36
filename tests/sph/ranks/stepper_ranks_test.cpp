// SPDX-License-Identifier: Apache-2.0
// Steps of several ranks: every particle and the clock have the bits of one rank.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <mutex>

#include "sph/setup/lattice.hpp"
#include "sph/setup/setup.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method.hpp"
#include "support/method_suite.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

/// Particles of all ranks as bytes, by id, and the clock.
struct Result {
  std::map<std::int64_t, std::string> particles;
  Clock clock;
  std::string failure;  ///< message of an unstable run
};

template <class T>
void append_bytes(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Steps and slabs of a run.
struct Plan {
  int steps = 60;
  int rebalance_every = 0;             ///< 0: only uneven ranks are rebalanced
  std::vector<std::int64_t> cut = {};  ///< first slabs; empty: by the number of particles
};

class RanksOfSph : public MethodTest {
 protected:
  template <class Real, int dimensions>
  Result run(const Case& simulation, int count, const Plan& plan) const {
    Result result;
    std::mutex mutex;
    run_on_ranks(count, [&](const Communicator& ranks) {
      const Queue queue = this->queue();
      const Lattice lattice = make_lattice(simulation, 8 * sizeof(Coordinate<Real>));
      sph::Setup<Real, dimensions> setup = make_setup<Real, dimensions>(simulation, lattice, queue, nullptr);
      setup.ranks = ranks;
      setup.slabs.cut = count > 1 ? plan.cut : std::vector<std::int64_t>();
      setup.rebalance_every = plan.rebalance_every;
      const Method& method = choose_method(GetParam().name, GetParam().device);
      const auto stepper = method.make<Real, dimensions>()(queue, std::move(setup));
      std::string failure;
      try {
        stepper->advance({.step = plan.steps}, {});
      } catch (const Error& error) {
        failure = error.what();
      }
      const HostState<Real, dimensions> state = stepper->download();
      const std::lock_guard lock(mutex);
      result.clock = state.clock;
      result.failure = failure;
      for (std::size_t i = 0; i < state.count(); ++i) {
        std::string bytes;
        for (int axis = 0; axis < dimensions; ++axis) {
          append_bytes(state.position[i].x[axis], bytes);
          append_bytes(state.velocity[i].v[axis], bytes);
        }
        append_bytes(state.position[i].density, bytes);
        append_bytes(state.particle(i).pressure_over_density2(), bytes);
        append_bytes(state.energy[i], bytes);
        append_bytes(state.tag[i], bytes);
        if (!state.properties.empty()) {  // by member: there may be padding
          append_bytes(state.properties[i].mass, bytes);
          append_bytes(state.properties[i].smoothing_length, bytes);
          append_bytes(state.properties[i].sound_speed, bytes);
          append_bytes(state.properties[i].movement(), bytes);
        }
        if (!state.previous.empty()) append_bytes(state.previous[i], bytes);
        EXPECT_TRUE(result.particles.emplace(state.id[i], bytes).second) << "two ranks have particle " << state.id[i];
      }
    });
    return result;
  }

  template <class Real, int dimensions>
  void expect_bits_of_one_rank(const Case& simulation, const Plan& plan = {}, std::vector<int> counts = {2, 3, 4}) {
    const Result one = run<Real, dimensions>(simulation, 1, plan);
    ASSERT_FALSE(one.particles.empty());
    for (const int count : counts) {
      SCOPED_TRACE(testing::Message() << count << " ranks, " << dimensions << "-D, " << 8 * sizeof(Real) << " bits");
      const Result several = run<Real, dimensions>(simulation, count, plan);
      EXPECT_EQ(one.failure, several.failure);
      EXPECT_EQ(one.clock.step, several.clock.step);
      EXPECT_EQ(one.clock.time, several.clock.time);
      EXPECT_EQ(one.clock.dt, several.clock.dt);
      EXPECT_EQ(one.clock.next_dt, several.clock.next_dt);
      EXPECT_EQ(one.clock.particles, several.clock.particles);
      EXPECT_EQ(one.clock.lost, several.clock.lost);
      ASSERT_EQ(one.particles.size(), several.particles.size());
      std::size_t differences = 0;
      for (const auto& [id, bytes] : one.particles) differences += several.particles.at(id) != bytes;
      EXPECT_EQ(differences, 0u) << "particles with other bits";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfSph, testing::ValuesIn(methods("sph")), method_test_name);

/// Water that moves through a tank, with particles that cross layers in both directions.
Case moving_block(int dimensions, Walls walls) {
  Case simulation = dimensions == 3 ? block_of_water(14, 12, 24) : block_of_water(30, 40);
  Body& body = simulation.bodies[0];
  Body second = body;
  const int up = dimensions - 1;
  const double middle = body.box.to[up] / 2;
  body.box.to[up] = second.box.from[up] = middle;
  body.velocity[0] = 0.4;
  body.velocity[up] = 1.5;
  second.velocity[up] = -1;
  simulation.bodies.push_back(second);
  Box tank{{0, 0, 0}, body.box.to};
  tank.to[up] = 3 * middle;
  simulation.walls = {{"tank", tank, {Side::top}, 3, ""}};
  simulation.scheme.walls = walls;
  simulation.scheme.gravity[up] = -9.81;
  return simulation;
}

/// A periodic box of moving water.
Case periodic_box(int dimensions, std::vector<Axis> axes) {
  Case simulation = dimensions == 3 ? block_of_water(10, 11, 20) : block_of_water(12, 26);
  simulation.dimensions = dimensions;
  simulation.domain = simulation.bodies[0].box;
  simulation.scheme.periodic = std::move(axes);
  simulation.bodies[0].jitter = 0.2;
  simulation.bodies[0].velocity[dimensions - 1] = 2;
  return simulation;
}

TEST_P(RanksOfSph, WallsOfEveryKind) {
  for (const Walls walls : {Walls::adami, Walls::dynamic, Walls::repulsive}) {
    SCOPED_TRACE(to_name(walls));
    expect_bits_of_one_rank<float, 2>(moving_block(2, walls));
    expect_bits_of_one_rank<float, 3>(moving_block(3, walls), {.steps = 30}, {2, 3});
  }
  expect_bits_of_one_rank<double, 2>(moving_block(2, Walls::adami));
}

TEST_P(RanksOfSph, EveryIntegratorAndStepControl) {
  for (const Integrator integrator : {Integrator::symplectic, Integrator::verlet})
    for (const TimeStep time_step : {TimeStep::fixed, TimeStep::cfl}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ' ' << to_name(time_step));
      Case simulation = moving_block(2, Walls::adami);
      simulation.scheme.integrator = integrator;
      simulation.scheme.time_step = time_step;
      simulation.scheme.dt = 5e-5;
      simulation.scheme.energy = true;
      expect_bits_of_one_rank<float, 2>(simulation, {}, {3});
    }
}

TEST_P(RanksOfSph, PeriodicAlongAndAcrossTheCut) {
  expect_bits_of_one_rank<float, 1>(periodic_box(1, {Axis::x}), {.steps = 20}, {2});
  expect_bits_of_one_rank<float, 2>(periodic_box(2, {Axis::x}));
  expect_bits_of_one_rank<float, 2>(periodic_box(2, {Axis::y}));
  expect_bits_of_one_rank<float, 2>(periodic_box(2, {Axis::x, Axis::y}));
  expect_bits_of_one_rank<float, 3>(periodic_box(3, {Axis::x, Axis::y, Axis::z}), {.steps = 20}, {2, 3});
}

TEST_P(RanksOfSph, MovingWallsInGeneralPhysics) {
  for (const Walls walls : {Walls::adami, Walls::dynamic}) {
    Case simulation = general_case(Integrator::tvd_rk3, walls, Kernel::wendland_c4, DensityDiffusion::fourtakas);
    simulation.walls[0].motion.amplitude = {0.002, 0.02, 0};
    simulation.walls[0].motion.frequency = 10;
    expect_bits_of_one_rank<float, 2>(simulation);
    simulation.smoothing_length = SmoothingLength::by_density;
    simulation.scheme.time_step = TimeStep::cfl;
    expect_bits_of_one_rank<double, 2>(simulation, {}, {3});
  }
}

TEST_P(RanksOfSph, ParticlesThatLeaveTheDomain) {
  Case simulation = block_of_water(20, 40);
  simulation.bodies[0].velocity = {6, 8, 0};
  simulation.domain = Box{{0, 0, 0}, {0.21, 0.41, 0}};
  const Result one = run<float, 2>(simulation, 1, {});
  EXPECT_GT(one.clock.lost, 0);
  expect_bits_of_one_rank<float, 2>(simulation);
}

TEST_P(RanksOfSph, CutsThatMove) {
  const Plan plan{.steps = 60, .rebalance_every = 5, .cut = {0, 2, 4, 0}};
  for (const int dimensions : {2, 3}) {
    Case simulation = moving_block(dimensions, Walls::adami);
    Plan skewed = plan;
    const Lattice lattice = make_lattice(simulation, 32);
    skewed.cut.back() = lattice.cells[dimensions - 1] - 2;
    if (dimensions == 2)
      expect_bits_of_one_rank<float, 2>(simulation, skewed, {3});
    else
      expect_bits_of_one_rank<float, 3>(simulation, skewed, {3});
  }
  Case repeated = periodic_box(2, {Axis::x, Axis::y});
  Plan skewed = plan;
  skewed.cut.back() = make_lattice(repeated, 32).cells[1] - 2;
  expect_bits_of_one_rank<float, 2>(repeated, skewed, {3});
}

TEST_P(RanksOfSph, AllRanksThrowTheErrorOfOneRank) {
  Case simulation = moving_block(2, Walls::adami);
  simulation.scheme.dt = 5e-3;
  const Result one = run<float, 2>(simulation, 1, {.steps = 200});
  EXPECT_NE(one.failure, "");
  expect_bits_of_one_rank<float, 2>(simulation, {.steps = 200}, {2});
}

}  // namespace
}  // namespace shoal::sph
