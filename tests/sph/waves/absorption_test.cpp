// SPDX-License-Identifier: Apache-2.0
// Active absorption in a flume: reflection at a paddle that absorbs, and the same bits from any start and number of threads and
// ranks.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>
#include <vector>

#include "sph/ranks/rank_bits.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using std::numbers::pi;

class EveryAbsorption : public SphMethodTest {};
class RanksOfAbsorption : public RankBits {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryAbsorption, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfAbsorption, testing::ValuesIn(methods("sph")), method_test_name);

constexpr double period = 0.8, depth = 0.2, flume_length = 1.4;

/// A flume with a piston at each end: the left one makes waves, the right one absorbs them or stands still.
Case flume(bool absorbs) {
  constexpr double spacing = 0.02, thick = 3 * spacing;
  Case simulation;
  simulation.dimensions = 2;
  simulation.spacing = spacing;
  simulation.smoothing = 1.5;
  simulation.duration = 8;
  simulation.materials = {water(10)};
  simulation.bodies = {{"water", {{0, 0, 0}, {flume_length, depth, 0}}, {}, InitialPressure::hydrostatic}};
  simulation.walls = {{.name = "bed",
                       .box = {{-0.15, 0, 0}, {flume_length + 0.15, 0.3, 0}},
                       .open = {Side::left, Side::right, Side::top}},
                      {.name = "left", .box = {{-thick, 0, 0}, {0, 0.3, 0}}, .open = {}},
                      {.name = "right", .box = {{flume_length, 0, 0}, {flume_length + thick, 0.3, 0}}, .open = {}}};
  simulation.walls[1].solid = simulation.walls[2].solid = true;
  simulation.domain = Box{{-0.2, -0.1, 0}, {flume_length + 0.2, 0.4, 0}};
  simulation.scheme.integrator = Integrator::symplectic;
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.density_diffusion = DensityDiffusion::fourtakas;
  simulation.scheme.artificial_viscosity = 0.01;
  simulation.wavemakers = {{.wall = "left", .depth = depth, .period = period, .height = 0.03}};
  if (!absorbs) return simulation;
  simulation.wavemakers.push_back(
      {.wall = "right", .depth = depth, .period = period, .height = 0, .direction = {-1, 0, 0}});
  simulation.wavemakers.back().absorption_gauge = Vector{flume_length - 4 * spacing, 0, 0};
  return simulation;
}

/// Amplitude of a wave that runs back over that of one which runs on, from gauges (Mansard and Funke 1980).
/// @param from, periods  the time over which elevations are taken
double reflection(Solver& run, double from, int periods) {
  constexpr int samples = 40;  // a period
  const double omega = 2 * pi / period, k = wave_number(period, depth, 9.81);
  const std::array<double, 3> places{0.5, 0.59, 0.72};
  std::vector<Probe> gauges;
  for (const double x : places) gauges.push_back({.name = "", .kind = ProbeKind::water_height, .at = {x, 0, 0}});
  std::array<std::complex<double>, 3> amplitude{};
  for (int sample = 0; sample < periods * samples; ++sample) {
    run.advance_to(from + sample * period / samples);
    const std::vector<double> level = run.measure(gauges);
    for (std::size_t m = 0; m < 3; ++m) amplitude[m] += level[m] * std::polar(1.0, -omega * run.clock().time);
  }
  std::complex<double> plus, minus, e;
  for (std::size_t m = 0; m < 3; ++m) {
    plus += amplitude[m] * std::polar(1.0, k * places[m]);
    minus += amplitude[m] * std::polar(1.0, -k * places[m]);
    e += std::polar(1.0, 2 * k * places[m]);
  }
  const std::complex<double> on = 3.0 * plus - e * minus, back = 3.0 * minus - std::conj(e) * plus;
  return std::abs(back / on);
}

// Longer than other tests: the waves run through the flume, and back where nothing absorbs them.
TEST(Absorption, LessThanFivePercentOfAWaveComesBack) {
  Solver absorbing(Queue::cpu(2), flume(true)), still(Queue::cpu(2), flume(false));
  EXPECT_LT(reflection(absorbing, 3.2, 1), 0.05);
  EXPECT_GT(reflection(still, 3.2, 1), 0.5);
}

/// A short basin whose water runs against the right piston, both of which absorb.
Case basin(Integrator integrator) {
  Case simulation = flume(true);
  simulation.duration = 1;
  simulation.scheme.integrator = integrator;
  simulation.bodies[0].box = {{1, 0, 0}, {flume_length, 0.16, 0}};
  simulation.bodies[0].velocity = {0.4, 0, 0};
  simulation.walls[1].box = {{0.94, 0, 0}, {1, 0.3, 0}};
  Wavemaker& left = simulation.wavemakers[0];
  left.ramp = 0;
  left.height = 0.05;
  left.absorption_gauge = Vector{1.08, 0, 0};
  return simulation;
}

TEST_P(EveryAbsorption, MovesThePaddleAwayFromARisingLevelWithItsWall) {
  const Case simulation = basin(Integrator::symplectic);
  Solver run = solver(simulation);
  run.advance_steps(1);
  const std::vector<AbsorptionState> first = run.snapshot().absorption;
  ASSERT_EQ(first.size(), 2u);
  EXPECT_NEAR(first[1].still_level, 0.16, 1e-6);
  EXPECT_EQ(first[1].displacement, 0);
  run.advance_steps(149);
  const Snapshot after = run.snapshot();
  const AbsorptionState paddle = after.absorption[1];
  EXPECT_LT(paddle.displacement, -1e-5) << "against the direction of its waves";
  EXPECT_LT(paddle.velocity, 0);
  const Fields fields = run.fields();
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall_number[i] != 2) continue;
    const double layer = (fields.position[3 * i] - flume_length + paddle.displacement) / simulation.spacing - 0.5;
    EXPECT_NEAR(layer, std::round(layer), 1e-3);
    EXPECT_NEAR(fields.velocity[3 * i], -paddle.velocity, 1e-6);
  }
}

TEST_P(EveryAbsorption, AgreesWithSerial) {
  Case simulation = basin(Integrator::tvd_rk3);
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  simulation.method = "serial";
  Solver serial(Queue::cpu(1), simulation);
  run.advance_steps(60);
  serial.advance_steps(60);
  expect_near(run.fields(), serial.fields(), 1e-9);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(run.snapshot().absorption[k].velocity, serial.snapshot().absorption[k].velocity, 1e-9);
}

TEST_P(EveryAbsorption, ARestartContinuesWithTheSameBits) {
  for (const Integrator integrator : integrators) expect_same_bits_after_restart(basin(integrator), 31, 22);
}

TEST_P(EveryAbsorption, ARepeatedRunHasTheSameBits) {
  Solver one = solver(basin(Integrator::symplectic)), other = solver(basin(Integrator::symplectic));
  one.advance_steps(60);
  for (int step = 0; step < 60; step += 20) other.advance_steps(20);
  expect_same(one.snapshot(), other.snapshot());
}

// A step that fails leaves the states of the paddles as they were.
TEST_P(EveryAbsorption, AStepThatFailsIsUndone) {
  Case simulation = basin(Integrator::symplectic);
  Solver run = solver(simulation);
  run.advance_steps(10);
  const Snapshot start = run.snapshot();
  Snapshot spoiled = start;
  for (std::size_t i = 0; i < spoiled.id.size(); ++i)
    if (!(spoiled.tag[i] & 0x80)) spoiled.velocity[0][i] = 1e4;
  Solver unstable = solver(simulation, spoiled);
  EXPECT_THROW(unstable.advance_steps(1), Error);
  EXPECT_TRUE(unstable.snapshot().absorption == start.absorption);
}

TEST_P(EveryAbsorption, WorksIn3D) {
  Case simulation = basin(Integrator::symplectic);
  simulation.dimensions = 3;
  const auto stand_up = [](Box& box) {  // y becomes z, and the basin is 0.1 m wide
    for (Vector* corner : {&box.from, &box.to}) std::swap((*corner)[1], (*corner)[2]);
    box.to[1] = 0.1;
  };
  for (Body& body : simulation.bodies) stand_up(body.box);
  for (Wall& wall : simulation.walls) stand_up(wall.box);
  stand_up(*simulation.domain);
  simulation.domain->from[1] = -0.05;
  simulation.domain->to[1] = 0.15;
  simulation.scheme.periodic = {};
  simulation.scheme.gravity = {0, 0, -9.81};
  for (Wavemaker& wavemaker : simulation.wavemakers) (*wavemaker.absorption_gauge)[1] = 0.05;
  Solver run = solver(simulation);
  run.advance_steps(20);
  EXPECT_NEAR(run.snapshot().absorption[1].still_level, 0.16, 1e-6);
  EXPECT_LT(run.snapshot().absorption[1].displacement, 0);
}

TEST_P(RanksOfAbsorption, HaveTheBitsOfOneRank) {
  for (const Integrator integrator : integrators)
    expect_bits_of_one_rank<float, 2>(basin(integrator), {.steps = 40, .rebalance_every = 7}, {2, 3});
}

TEST(Absorption, AnyNumberOfThreadsHasTheSameBits) {
  const auto state = [](int threads) {
    Solver run(Queue::cpu(threads), basin(Integrator::symplectic));
    run.advance_steps(60);
    return run.snapshot();
  };
  expect_same(state(1), state(3));
}

}  // namespace
}  // namespace shoal::sph
