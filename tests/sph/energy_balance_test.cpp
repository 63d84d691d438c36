// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "sph/physics/equations_of_state/equations_of_state.hpp"
#include "sph/sph_cases.hpp"

namespace shoal::sph {
namespace {

/// ρ₀ = 1000 kg/m³ and c = 50 m/s, with coefficients of similar size for every equation of state.
Material material_of(EquationOfState kind) {
  Material material = testing_support::water();
  material.equation_of_state = kind;
  material.compression = {2.5e6, 4e6, 5e6};
  material.tension = {2.5e6, 1e6};
  material.energy = {0.3, 0.2};
  material.grueneisen = 0.5;
  material.hugoniot_slope = 1.9;
  if (kind == EquationOfState::ideal_gas) material.exponent = 1.4;
  return material;
}

class EveryEquationOfState : public testing::TestWithParam<EquationOfState> {
 protected:
  EveryEquationOfState() : material_(material_of(GetParam())) {}

  /// A block of liquid in free space, compressed by 2 %: it expands and contracts.
  Case oscillating_block(bool energy) const {
    Case simulation = testing_support::block_of_water(12, 12);
    simulation.precision = Precision::double_;
    simulation.materials = {material_};
    simulation.bodies[0].density = 1.02 * material_.density;
    simulation.scheme.dt = 2e-5;
    simulation.scheme.density_diffusion = DensityDiffusion::none;
    simulation.scheme.artificial_viscosity = 0;
    simulation.scheme.energy = energy;
    if (GetParam() == EquationOfState::ideal_gas) {  // fills a periodic domain, in which it swirls
      simulation.bodies[0].energy = 50 * 50 / 1.4 / 0.4;
      simulation.bodies[0].vortices = {.speed = 5, .length = 0.12};
      simulation.domain = simulation.bodies[0].box;
      simulation.scheme.periodic = {Axis::x, Axis::y};
    }
    return simulation;
  }

  Material material_;
};

/// Error of the balance, in units of the largest kinetic energy: third-order Runge-Kutta damps the shortest waves.
constexpr double balance_tolerance = 1e-3;

/// The largest error of the sum of all energies, over the largest kinetic energy.
double balance_error(const Case& simulation) {
  Solver solver(Queue::cpu(1), simulation);
  const double total = solver.balance().total();
  double error = 0, kinetic = 0;
  for (int part = 0; part < 10; ++part) {
    solver.advance_steps(20);
    const Balance balance = solver.balance();
    kinetic = std::max(kinetic, balance.kinetic);
    error = std::max(error, std::abs(balance.total() - total));
  }
  EXPECT_GT(kinetic, 0);
  return error / kinetic;
}

TEST_P(EveryEquationOfState, KeepsKineticAndElasticEnergyWithoutDissipation) {
  if (GetParam() == EquationOfState::ideal_gas) GTEST_SKIP() << "a gas needs internal energy";
  EXPECT_LT(balance_error(oscillating_block(false)), balance_tolerance);
}

TEST_P(EveryEquationOfState, KeepsEnergyInTension) {
  if (GetParam() == EquationOfState::ideal_gas) GTEST_SKIP() << "a gas has no tension";
  material_.least_pressure = -2e4;
  Case simulation = oscillating_block(false);
  simulation.bodies[0].strain_rate = {20, 20, 0};
  EXPECT_LT(balance_error(simulation), balance_tolerance);
}

TEST_P(EveryEquationOfState, KeepsEnergyWithHeating) {
  Case simulation = oscillating_block(true);
  simulation.scheme.artificial_viscosity = 0.1;
  EXPECT_LT(balance_error(simulation), balance_tolerance);
}

TEST_P(EveryEquationOfState, ElasticEnergyIsTheIntegralOfPressure) {
  if (GetParam() != EquationOfState::ideal_gas) material_.least_pressure = -1e5;
  const EosParameters<double> eos = make_eos<double>(material_);
  for (const double end : {0.8, 0.97, 1.0, 1.01, 1.2}) {
    constexpr int parts = 20'000;
    const double width = (end - 1) * material_.density / parts;
    double sum = 0;
    for (int part = 0; part < parts; ++part) {
      const double deviation = (part + 0.5) * width, density = material_.density + deviation;
      sum += pressure(eos, deviation, 0.0) / (density * density) * width;
    }
    EXPECT_NEAR(elastic_energy(material_, end * material_.density), sum, 1e-6 * sum + 1e-9) << end;
  }
}

INSTANTIATE_TEST_SUITE_P(AllEquations, EveryEquationOfState,
                         testing::Values(EquationOfState::tait, EquationOfState::polynomial, EquationOfState::linear,
                                         EquationOfState::mie_grueneisen, EquationOfState::ideal_gas),
                         [](const auto& equation) { return std::string(to_name(equation.param)); });

TEST(ElasticEnergy, OfWaterByHand) {
  // c²/7 ((1.02⁶ − 1)/6 + 1/1.02 − 1) and c² (ln 1.02 + 1/1.02 − 1)
  EXPECT_NEAR(elastic_energy(material_of(EquationOfState::tait), 1020), 0.50686669288515, 1e-9);
  EXPECT_NEAR(elastic_energy(material_of(EquationOfState::linear), 1020), 0.48696039731203, 1e-9);
  EXPECT_NEAR(elastic_energy(material_of(EquationOfState::polynomial), 1020), 0.49750833331512, 1e-9);
  EXPECT_NEAR(elastic_energy(material_of(EquationOfState::mie_grueneisen), 1020), 0.50383604951723, 1e-9);
  EXPECT_EQ(elastic_energy(material_of(EquationOfState::ideal_gas), 1020), 0);
}

}  // namespace
}  // namespace shoal::sph
