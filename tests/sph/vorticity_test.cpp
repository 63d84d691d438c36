// SPDX-License-Identifier: Apache-2.0
// Vorticity of the particles: flows with a known one, walls, ranks and threads, and that of stored fields.
#include <gmock/gmock.h>
#include <shoal/sph/measure.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class EveryVorticity : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryVorticity, testing::ValuesIn(methods("sph")), method_test_name);

using Matrix = std::array<std::array<double, 3>, 3>;

/// Disturbed lattice of particles in a ball (2-D: a disk) of seven spacings, whose velocity is gradient times position.
Case linear_flow(int dimensions, const Matrix& gradient) {
  Case simulation = block_of_water(14, 14, dimensions == 3 ? 14 : 0);
  simulation.precision = Precision::double_;
  simulation.smoothing = 1.5;
  simulation.domain = Box{{-0.2, -0.2, -0.2}, {0.3, 0.3, 0.3}};
  simulation.output.vorticity = true;
  ParticleList list;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> off(-0.002, 0.002);
  for (int i = -7; i <= 7; ++i)
    for (int j = -7; j <= 7; ++j)
      for (int k = dimensions == 3 ? -7 : 0; k <= (dimensions == 3 ? 7 : 0); ++k) {
        if (i * i + j * j + k * k > 49) continue;
        const Vector x{0.01 * i + off(random), 0.01 * j + off(random), dimensions == 3 ? 0.01 * k + off(random) : 0};
        Vector v{};
        for (std::size_t a = 0; a < 3; ++a)
          for (std::size_t b = 0; b < 3; ++b) v[a] += gradient[a][b] * x[b];
        list.position.push_back(x);
        list.velocity.push_back(v);
      }
  simulation.bodies[0].particles = std::make_shared<const ParticleList>(std::move(list));
  return simulation;
}

void expect_vorticity(const Fields& fields, const Vector& expected, double error) {
  ASSERT_EQ(fields.vorticity.size(), 3 * fields.id.size());
  ASSERT_GT(fields.id.size(), 100u);
  for (std::size_t i = 0; i < fields.vorticity.size(); ++i)
    EXPECT_NEAR(fields.vorticity[i], expected[i % 3], error) << "particle " << i / 3;
}

// v = Ω × x has the vorticity 2 Ω. The corrected gradient has it also at the surface, and for disturbed particles.
TEST_P(EveryVorticity, SolidBodyRotationHasTwiceItsAngularVelocity) {
  const Matrix about_z{{{0, -3, 0}, {3, 0, 0}, {0, 0, 0}}};
  expect_vorticity(solver(linear_flow(2, about_z)).fields(), {0, 0, 6}, 1e-5);
  const Matrix rotation{{{0, -3, -2}, {3, 0, -1}, {2, 1, 0}}};  // Ω = (1, −2, 3)
  expect_vorticity(solver(linear_flow(3, rotation)).fields(), {2, -4, 6}, 1e-5);
}

TEST_P(EveryVorticity, StrainHasNoneAndShearHasItsRate) {
  const Matrix strain{{{1, 2, -1}, {2, -3, 4}, {-1, 4, 2}}};  // symmetric
  expect_vorticity(solver(linear_flow(3, strain)).fields(), {0, 0, 0}, 1e-5);
  const Matrix shear{{{0, 5, 0}, {0, 0, 0}, {0, 0, 0}}};  // u = 5 y
  expect_vorticity(solver(linear_flow(2, shear)).fields(), {0, 0, -5}, 1e-5);
}

TEST_P(EveryVorticity, OfFloatsIsThatOfDoublesToRounding) {
  Case simulation = linear_flow(3, {{{0, -3, -2}, {3, 0, -1}, {2, 1, 0}}});
  simulation.precision = Precision::float_;
  expect_vorticity(solver(simulation).fields(), {2, -4, 6}, 1e-3);
}

/// Water with a vortex in a tank, after some steps.
Case vortex_in_a_tank(int layers = 0) {
  Case simulation = block_of_water(20, 16, layers);
  simulation.bodies[0].vortices = {0.5, 0.2};
  simulation.walls = {{"tank", {{0, 0, 0}, {0.2, 0.3, 0.01 * layers}}, {Side::top}, 3, ""}};
  simulation.domain = Box{{-0.05, -0.05, -0.05}, {0.25, 0.4, 0.15}};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.output.vorticity = true;
  return simulation;
}

TEST_P(EveryVorticity, IsZeroOnWallsAndOnlyInFieldsThatAskForIt) {
  Case simulation = vortex_in_a_tank();
  Solver run = solver(simulation);
  run.advance_steps(20);
  const Fields fields = run.fields(), later = run.fields_later()();
  float largest = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(fields.vorticity[3 * i + k], 0);
    if (fields.wall[i]) {
      EXPECT_EQ(fields.vorticity[3 * i + 2], 0);
    }
    largest = std::max(largest, std::abs(fields.vorticity[3 * i + 2]));
  }
  EXPECT_GT(largest, 5);
  EXPECT_EQ(later.vorticity, fields.vorticity);
  simulation.output.vorticity = false;
  EXPECT_TRUE(solver(simulation).fields().vorticity.empty());
}

TEST_P(EveryVorticity, OfAParticleAloneIsZero) {
  Case simulation = block_of_water(1, 1);
  simulation.bodies[0].velocity = {3, 4, 0};
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.1, 0.1, 0}};
  simulation.output.vorticity = true;
  EXPECT_THAT(solver(simulation).fields().vorticity, testing::ElementsAre(0, 0, 0));
}

// A flow that repeats: u = −U cos kx sin ky, v = U sin kx cos ky has ω = 2 U k cos kx cos ky.
TEST_P(EveryVorticity, OfVorticesIsThatOfTheirSeriesAcrossPeriodicSides) {
  Case simulation = block_of_water(80, 80);
  simulation.smoothing = 1.5;
  simulation.domain = Box{{0, 0, 0}, {0.8, 0.8, 0}};
  simulation.scheme.periodic = {Axis::x, Axis::y};
  simulation.bodies[0].vortices = {1, 0.8};
  simulation.output.vorticity = true;
  const Fields fields = solver(simulation).fields();
  const double k = 2 * 3.14159265358979 / 0.8;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    const double x = fields.position[3 * i], y = fields.position[3 * i + 1];
    EXPECT_NEAR(fields.vorticity[3 * i + 2], 2 * k * std::cos(k * x) * std::cos(k * y), 0.01 * 2 * k);
  }
}

TEST_P(EveryVorticity, HasTheBitsOfOneRankAndOneThread) {
  for (const int layers : {0, 6}) {
    Case simulation = vortex_in_a_tank(layers);
    simulation.method = GetParam().name;
    Solver alone = solver(simulation);
    alone.advance_steps(20);
    const Fields expected = alone.fields();
    for (const int count : {2, 3}) {
      std::vector<Fields> parts(static_cast<std::size_t>(count));
      run_on_ranks(count, [&](const Communicator& ranks) {
        Solver part(queue_on(GetParam().device), simulation, ranks);
        part.advance_steps(20);
        parts[static_cast<std::size_t>(ranks.rank())] = part.fields();
      });
      std::vector<float> joined;
      for (const Fields& part : parts) joined.insert(joined.end(), part.vorticity.begin(), part.vorticity.end());
      EXPECT_EQ(joined, expected.vorticity) << count << " ranks, " << layers << " layers";
    }
  }
}

TEST(StoredVorticity, IsThatOfTheRun) {
  for (const Precision precision : {Precision::float_, Precision::double_}) {
    Case simulation = vortex_in_a_tank();
    simulation.precision = precision;
    Solver run(Queue::cpu(2), simulation);
    run.advance_steps(20);
    const Fields fields = run.fields();
    const std::vector<float> stored = vorticity(Queue::cpu(2), simulation, fields);
    ASSERT_EQ(stored.size(), fields.vorticity.size());
    for (std::size_t i = 0; i < stored.size(); ++i) EXPECT_NEAR(stored[i], fields.vorticity[i], 1e-4) << i;
    EXPECT_EQ(stored, vorticity(Queue::cpu(1), simulation, fields));
  }
}

TEST(StoredVorticity, OfWrongInputIsAnError) {
  Case simulation = vortex_in_a_tank();
  Fields fields = Solver(Queue::cpu(1), simulation).fields();
  fields.velocity.pop_back();
  EXPECT_THAT(message_of([&] { vorticity(Queue::cpu(1), simulation, fields); }), HasSubstr("values of velocity"));
  Case tube;
  tube.dimensions = 1;
  tube.spacing = 0.01;
  tube.materials = {water()};
  tube.bodies = {{"water", {{0, 0, 0}, {0.1, 0, 0}}, {}, {}}};
  tube.output.vorticity = true;
  EXPECT_THAT(message_of([&] { require_valid(tube); }), HasSubstr("vorticity needs 2 or 3 dimensions, got 1"));
}

}  // namespace
}  // namespace shoal::sph
