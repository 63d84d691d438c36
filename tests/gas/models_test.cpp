// SPDX-License-Identifier: Apache-2.0
// Models of the collision term: their targets, and the exact decay of stress and heat flux.
#include "gas/models/bgk.hpp"
#include "gas/models/es_bgk.hpp"
#include "gas/models/shakhov.hpp"

#include "gas/flows.hpp"
#include "gas/physics/limiters.hpp"
#include "gas/physics/transport_item.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

constexpr VelocityGrid grid{.nodes = 20, .half_width = 6, .center = {0.1, 0, -0.1}};

/// A gas far from equilibrium: a cold and a hot Maxwellian with different velocities.
std::vector<double> two_gases() {
  const collision::TwoBeams cold{.density = 0.6, .temperature = 0.6, .velocity = {0.3, 0.2, 0}, .apart = {0.5, 0.3, 0}},
      hot{.density = 0.5, .temperature = 1.3, .velocity = {-0.4, 0, 0.2}, .apart = {0, 0, 0.2}};
  return collision::at_velocities<double>(grid, [&](auto v) { return cold.distribution(v) + hot.distribution(v); });
}

VelocityMoments moments_of(const std::vector<double>& f) {
  return Collision<double>(Queue::cpu(2), grid, {}, {.approach = CollisionApproach::interpolated})
      .moments(View<const double>(f))[0];
}

template <class Model>
std::vector<double> target(double prandtl) {
  Model model;
  DiscreteMaxwellian table;
  const collision::NodeVelocities nodes(grid);
  EXPECT_TRUE(model.fit(SerialTeam(), nodes, moments_of(two_gases()), prandtl, table));
  std::vector<double> values;
  for (int z = 0; z < grid.nodes; ++z)
    for (int y = 0; y < grid.nodes; ++y)
      for (int x = 0; x < grid.nodes; ++x) values.push_back(model.target(nodes, table, x, y, z));
  return values;
}

void expect_same_invariants(const VelocityMoments& a, const VelocityMoments& b) {
  EXPECT_NEAR(a.density, b.density, 1e-13);
  EXPECT_NEAR(a.temperature, b.temperature, 1e-13);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(a.velocity[axis], b.velocity[axis], 1e-13);
}

TEST(Models, BgkRelaxesToTheMaxwellian) {
  const VelocityMoments f = moments_of(two_gases()), g = moments_of(target<Bgk>(2. / 3));
  expect_same_invariants(f, g);
  const double pressure = f.density * f.temperature;
  EXPECT_GT(std::abs(f.stress[0] / pressure - 1), 0.02);
  EXPECT_NEAR(g.stress[0], pressure, 1e-6);
  EXPECT_NEAR(g.stress[3], 0, 1e-12);
  EXPECT_NEAR(g.heat_flux[0], 0, 1e-6);
}

TEST(Models, EsBgkRelaxesToTheGaussianOfItsTensor) {
  const double prandtl = 0.7;
  const VelocityMoments f = moments_of(two_gases()), g = moments_of(target<EsBgk>(prandtl));
  expect_same_invariants(f, g);
  for (std::size_t k = 0; k < 6; ++k) {
    const double isotropic = k < 3 ? f.density * f.temperature : 0;
    EXPECT_NEAR(g.stress[k], isotropic / prandtl + (1 - 1 / prandtl) * f.stress[k], 1e-6) << k;
  }
}

TEST(Models, ShakhovRelaxesToAPartOfTheHeatFlux) {
  const double prandtl = 0.7;
  const VelocityMoments f = moments_of(two_gases()), g = moments_of(target<Shakhov>(prandtl));
  expect_same_invariants(f, g);
  EXPECT_GT(std::abs(f.heat_flux[0]), 0.05);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(g.heat_flux[axis], (1 - prandtl) * f.heat_flux[axis], 1e-6) << axis;
}

class DecayOfModels : public testing::TestWithParam<GasModel> {};
INSTANTIATE_TEST_SUITE_P(Gas, DecayOfModels, testing::Values(GasModel::bgk, GasModel::es_bgk, GasModel::shakhov),
                         [](const auto& test) { return std::string(to_name(test.param)); });

/// In a uniform gas the deviator of the stress decays as exp(−p t / μ), the heat flux as exp(−Pr p t / μ).
TEST_P(DecayOfModels, IsThatOfTheViscosityAndOfThePrandtlNumber) {
  const double prandtl = 0.75, rate = 2;
  const std::vector<double> f = two_gases();
  std::vector<double> cells(f);
  cells.insert(cells.end(), f.begin(), f.end());
  Gas<double> gas(Queue::cpu(2), grid, uniform_faces(0, 100, 2), periodic_ends, {.rate = rate},
                  {.model = GetParam(), .prandtl = prandtl, .step_share = 0.02});
  gas.start(View<const double>(cells));
  const VelocityMoments before = gas.moments()[0];
  const double time = 0.7;
  gas.advance_to(time);
  const VelocityMoments after = gas.moments()[0];
  const double exponent = before.density * rate / 2 * time;  // p / mu = n rate / 2 of Maxwell molecules
  const double heat_share = GetParam() == GasModel::bgk ? 1 : prandtl;
  EXPECT_NEAR(after.stress[3], before.stress[3] * std::exp(-exponent), 1e-5);
  EXPECT_NEAR(after.heat_flux[0], before.heat_flux[0] * std::exp(-heat_share * exponent), 2e-5);
  expect_same_invariants(before, after);
}

TEST(Models, AreNotFittedToStatesThatTheGridCannotHold) {
  const collision::NodeVelocities nodes(grid);
  VelocityMoments far = state(1, {50, 0, 0}, 1), cold = state(1, {}, 1e-4);
  DiscreteMaxwellian table;
  EXPECT_FALSE(Bgk().fit(SerialTeam(), nodes, far, 1, table));
  EXPECT_FALSE(Shakhov().fit(SerialTeam(), nodes, cold, 1, table));
  far.stress = {1, 1, 1, 0, 0, 0};
  EXPECT_FALSE(EsBgk().fit(SerialTeam(), nodes, far, 1, table));
}

TEST(Limiters, HaveTheirTextbookValues) {
  EXPECT_EQ(NoLimiter::rise(1.0, 2.0), 0);
  EXPECT_EQ(Minmod::rise(1.0, 2.0), 1);
  EXPECT_EQ(Minmod::rise(-3.0, -2.0), -2);
  EXPECT_EQ(Minmod::rise(-1.0, 2.0), 0);
  EXPECT_DOUBLE_EQ(VanLeer::rise(1.0, 3.0), 1.5);
  EXPECT_EQ(VanLeer::rise(1.0, -3.0), 0);
  EXPECT_EQ(MonotonizedCentral::rise(1.0, 2.0), 1.5);
  EXPECT_EQ(MonotonizedCentral::rise(1.0, 9.0), 2);
  EXPECT_EQ(MonotonizedCentral::rise(0.0, 9.0), 0);
}

TEST(Limiters, FaceValuesLieBetweenTheCells) {
  // The wide cell would overshoot its narrow left neighbor: 2 + 1 × 0.8 and 2 − 1 × 0.8 > 1 hold, 3 × 0.8 does not.
  EXPECT_DOUBLE_EQ((limited_rise<VanLeer>(1.0, 2.0, 3.0, 0.8, 0.8)), 0.8);
  EXPECT_DOUBLE_EQ((limited_rise<VanLeer>(1.0, 2.0, 8.0, 0.8, 0.8)), 1.0) << "2 − 1 is the left neighbor";
  EXPECT_DOUBLE_EQ((boundary_rise<VanLeer>(1.0, 5.0)), 1.0) << "the value at the boundary is not negative";
  EXPECT_DOUBLE_EQ((boundary_rise<NoLimiter>(1.0, 5.0)), 0.0);
}

TEST(Sweeps, SolveTheBalanceOfACell) {
  const double arriving = 0.5, rise = 0.1, gain = 2, rate = 3, frequency = 4;
  const double value = sweep_value(rate * (arriving - rise), gain, rate, frequency, 0.0);
  EXPECT_NEAR(rate * (value + rise - arriving) + frequency * value, gain, 1e-14);
  EXPECT_EQ(sweep_value(-1.0, 0.0, 1.0, 1.0, 0.0), 0) << "not negative";
  EXPECT_EQ(sweep_value(-1.0, 0.0, 1.0, 1.0, -1.0), -0.5) << "where that is accepted";
}

}  // namespace
}  // namespace shoal::gas
