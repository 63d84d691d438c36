// SPDX-License-Identifier: Apache-2.0
// Vorticity at a point: flows that are linear in space have their own, also at a surface and between disturbed particles.
#include <gmock/gmock.h>
#include <shoal/sph/measure.hpp>

#include <random>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class EveryVorticityProbe : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryVorticityProbe, testing::ValuesIn(methods("sph")), method_test_name);

using Matrix = std::array<std::array<double, 3>, 3>;

Probe vorticity_at(const Vector& point) {
  Probe probe{"omega", ProbeKind::vorticity};
  probe.at = point;
  return probe;
}

/// Disturbed lattice of particles with the velocity (1, 2, 3) m/s plus gradient times position.
Case linear_flow(int dimensions, const Matrix& gradient, Precision precision = Precision::double_) {
  Case simulation = block_of_water(14, 12, dimensions == 3 ? 10 : 0);
  simulation.precision = precision;
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.3, 0.3, 0.3}};
  ParticleList list;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> off(-0.002, 0.002);
  for (int i = 0; i < 14; ++i)
    for (int j = 0; j < 12; ++j)
      for (int k = 0; k < (dimensions == 3 ? 10 : 1); ++k) {
        const Vector x{0.01 * i + off(random), 0.01 * j + off(random), dimensions == 3 ? 0.01 * k + off(random) : 0};
        Vector v{1, 2, dimensions == 3 ? 3.0 : 0};
        for (std::size_t a = 0; a < 3; ++a)
          for (std::size_t b = 0; b < 3; ++b) v[a] += gradient[a][b] * x[b];
        list.position.push_back(x);
        list.velocity.push_back(v);
      }
  simulation.bodies[0].particles = std::make_shared<const ParticleList>(std::move(list));
  return simulation;
}

constexpr Matrix turn_about_z{{{0, -3, 0}, {3, 0, 0}, {0, 0, 0}}};
constexpr Matrix turn{{{0, -3, -2}, {3, 0, -1}, {2, 1, 0}}};  // Ω = (1, −2, 3)

TEST_P(EveryVorticityProbe, SolidBodyRotationHasTwiceItsAngularVelocity) {
  const Solver flat = solver(linear_flow(2, turn_about_z));
  const Solver deep = solver(linear_flow(3, turn));
  for (const Vector point : {Vector{0.061, 0.053, 0.047}, Vector{0.05, 0.11, 0.05}, Vector{0.127, 0.112, 0.092}}) {
    const std::vector<double> about_z = flat.measure({vorticity_at(point)});
    ASSERT_EQ(about_z.size(), 1u);
    EXPECT_NEAR(about_z[0], 6, 1e-10);
    const std::vector<double> about_all = deep.measure({vorticity_at(point)});
    ASSERT_EQ(about_all.size(), 3u);
    EXPECT_NEAR(about_all[0], 2, 1e-10);
    EXPECT_NEAR(about_all[1], -4, 1e-10);
    EXPECT_NEAR(about_all[2], 6, 1e-10);
  }
}

TEST_P(EveryVorticityProbe, ShearHasItsRateAndStrainHasNone) {
  const Matrix shear{{{0, 5, 0}, {0, 0, 0}, {0, 0, 0}}};  // u = 5 y
  EXPECT_NEAR(solver(linear_flow(2, shear)).measure({vorticity_at({0.06, 0.05, 0})})[0], -5, 1e-10);
  const Matrix strain{{{1, 2, -1}, {2, -3, 4}, {-1, 4, 2}}};  // symmetric
  for (const double component : solver(linear_flow(3, strain)).measure({vorticity_at({0.06, 0.05, 0.04})}))
    EXPECT_NEAR(component, 0, 1e-10);
}

TEST_P(EveryVorticityProbe, InFloatIsThatOfDoubleToRounding) {
  const Solver run = solver(linear_flow(3, turn, Precision::float_));
  const std::vector<double> values = run.measure({vorticity_at({0.06, 0.05, 0.04})});
  EXPECT_NEAR(values[0], 2, 1e-3);
  EXPECT_NEAR(values[1], -4, 1e-3);
  EXPECT_NEAR(values[2], 6, 1e-3);
}

TEST_P(EveryVorticityProbe, IsZeroWithoutFluidAndBesideOneParticle) {
  EXPECT_EQ(solver(linear_flow(2, turn_about_z)).measure({vorticity_at({0.25, 0.25, 0})}), std::vector<double>{0});
  Case alone = block_of_water(1, 1);
  alone.bodies[0].velocity = {3, 4, 0};
  alone.domain = Box{{-0.1, -0.1, 0}, {0.1, 0.1, 0}};
  EXPECT_NEAR(solver(alone).measure({vorticity_at({0.01, 0.008, 0})})[0], 0, 1e-6);
}

TEST(VorticityProbe, OfStoredFieldsIsThatOfTheRun) {
  const Case simulation = linear_flow(3, turn);
  const Solver run(Queue::cpu(2), simulation);
  const std::vector<double> values =
      measure(Queue::cpu(2), simulation, run.fields(), {vorticity_at({0.06, 0.05, 0.04})});
  ASSERT_EQ(values.size(), 3u);
  EXPECT_NEAR(values[0], 2, 1e-5);
  EXPECT_NEAR(values[1], -4, 1e-5);
  EXPECT_NEAR(values[2], 6, 1e-5);
}

TEST(VorticityProbe, HasOneColumnInTwoDimensionsAndNoneOnALine) {
  EXPECT_THAT(probe_columns(vorticity_at({}), 2), testing::ElementsAre("vorticity_z [1/s]"));
  EXPECT_THAT(probe_columns(vorticity_at({}), 3),
              testing::ElementsAre("vorticity_x [1/s]", "vorticity_y [1/s]", "vorticity_z [1/s]"));
  Case tube;
  tube.dimensions = 1;
  tube.spacing = 0.01;
  tube.materials = {water()};
  tube.bodies = {{"water", {{0, 0, 0}, {0.1, 0, 0}}, {}, {}}};
  tube.probes = {vorticity_at({0.05, 0, 0})};
  EXPECT_THAT(message_of([&] { require_valid(tube); }), HasSubstr("is a vorticity, but particles.dimensions = 1"));
}

}  // namespace
}  // namespace shoal::sph
