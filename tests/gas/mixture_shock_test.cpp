// SPDX-License-Identifier: Apache-2.0
// Reservoirs on both sides of a normal shock of two gases, and the shock between them.
#include "gas/mixture_flows.hpp"
#include "gas/shock_flows.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

constexpr VelocityGrid grid{.nodes = 14, .half_width = 8, .center = {1.5, 0, 0}};

/// Gas ahead of a shock at Mach 1.5 of the mixture: u = 1.5 √(5/3 p/ρ).
GasBoundary ahead_of_shock() {
  const double molecules = 1, mass = 0.7 + 0.3 * 0.5;
  GasBoundary ahead = reservoir(0.7, 1.5 * std::sqrt(5. / 3 * molecules / mass), 1);
  ahead.second_density = 0.3;
  return ahead;
}

/// Fluxes of the discrete Maxwellian of a reservoir, of species 0 and of species 1.
std::array<GasFlux, 2> fluxes_of(GasBoundary side, const Mixture& mixture) {
  side.kind = GasBoundaryKind::inflow;
  Gas<double> gas(Queue::cpu(1), grid, {0, 1, 2}, {side, side}, mixture, {.model = GasModel::none});
  gas.start({state(side.density, side.velocity, side.temperature),
             state(side.second_density, side.velocity, side.temperature * 2)});
  const std::vector<GasFlux> fluxes = gas.fluxes();
  return {fluxes[0], fluxes[2]};
}

TEST(BehindShockOfMixture, HasTheFluxesOfTheSumsOverTheNodes) {
  const Mixture mixture = sphere_mixture();
  const GasBoundary ahead = ahead_of_shock(), behind = behind_shock(grid, ahead, mixture);
  const std::array<GasFlux, 2> before = fluxes_of(ahead, mixture), after = fluxes_of(behind, mixture);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(after[k].mass / before[k].mass, 1, 1e-12) << k;
  const auto both = [](double first, double second) { return first + 0.5 * second; };
  EXPECT_NEAR(both(after[0].momentum[0], after[1].momentum[0]) / both(before[0].momentum[0], before[1].momentum[0]), 1,
              1e-12);
  EXPECT_NEAR(both(after[0].energy, after[1].energy) / both(before[0].energy, before[1].energy), 1, 1e-12);
  // Rankine and Hugoniot at Mach 1.5: 12/7, and 1.4947917 times the temperature.
  EXPECT_NEAR(behind.density, 0.7 * 12 / 7, 1e-3);
  EXPECT_NEAR(behind.second_density, 0.3 * 12 / 7, 1e-3);
  EXPECT_NEAR(behind.velocity[0], ahead.velocity[0] * 7 / 12, 1e-3);
  EXPECT_NEAR(behind.temperature, 1.4947917, 2e-3);
}

/// Two gases of the same molecules are one gas.
TEST(BehindShockOfMixture, OfEqualMoleculesIsThatOfOneGas) {
  GasBoundary ahead = reservoir(1, 2 * std::sqrt(5. / 3), 1), both = ahead;
  both.density = 0.25, both.second_density = 0.75;
  const GasBoundary one = behind_shock(grid, ahead), two = behind_shock(grid, both, equal_gases({}));
  EXPECT_NEAR(two.density, 0.25 * one.density, 1e-10);
  EXPECT_NEAR(two.second_density, 0.75 * one.density, 1e-10);
  EXPECT_NEAR(two.velocity[0], one.velocity[0], 1e-10);
  EXPECT_NEAR(two.temperature, one.temperature, 1e-10);
}

TEST(BehindShockOfMixture, NamesBadInput) {
  GasBoundary slow = ahead_of_shock();
  slow.velocity[0] = 1.3;  // the speed of sound is 1.4003
  EXPECT_THAT(message_of([&] { behind_shock(grid, slow, sphere_mixture()); }),
              HasSubstr("above that of sound, 1.4002"));
  slow.second_density = 0;
  EXPECT_EQ(message_of([&] { behind_shock(grid, slow, sphere_mixture()); }),
            "gas: the gas ahead of a shock has a density of species 1 of 0 1/m3, expected a positive number.");
}

/// A shock in the model aap, from a jump.
struct MixtureShock {
  static constexpr int cells = 30;
  Mixture mixture = sphere_mixture();
  GasBoundary ahead = ahead_of_shock(), behind = behind_shock(grid, ahead, mixture);

  Gas<double> gas(int threads = 2) const {
    return {Queue::cpu(threads), grid,    uniform_faces(-12, 12, cells),
            {ahead, behind},     mixture, {.model = GasModel::aap}};
  }
  std::vector<VelocityMoments> start() const {
    std::vector<VelocityMoments> states;
    for (const bool second : {false, true})
      for (int cell = 0; cell < cells; ++cell) {
        const GasBoundary& side = cell < cells / 2 ? ahead : behind;
        states.push_back(
            state(second ? side.second_density : side.density, side.velocity, side.temperature * (second ? 2 : 1)));
      }
    return states;
  }
};

/// One factor for the densities of both gases holds the shock: the residual is that of a steady state, and each gas carries the
/// same mass through both ends.
TEST(MixtureShocks, ConvergeAtTheirPlace) {
  const MixtureShock shock;
  Gas<double> gas = shock.gas();
  gas.start(shock.start());
  const SteadyResult result = gas.advance_to_steady({.anderson = 20, .residual = 1e-6, .max_iterations = 2000});
  EXPECT_TRUE(result.converged) << result.residual;
  const std::vector<GasFlux> fluxes = gas.fluxes();
  for (std::size_t k = 0; k < 4; k += 2) EXPECT_NEAR(fluxes[k + 1].mass / fluxes[k].mass, 1, 5e-6) << k;
  const auto both = [&](std::size_t side) { return fluxes[side].energy + 0.5 * fluxes[side + 2].energy; };
  EXPECT_NEAR(both(1) / both(0), 1, 5e-6);

  const std::vector<VelocityMoments> moments = gas.moments();
  constexpr std::size_t cells = MixtureShock::cells;
  EXPECT_NEAR(moments[cells - 1].density, shock.behind.density, 3e-3);
  EXPECT_NEAR(moments.back().density, shock.behind.second_density, 3e-3);
  EXPECT_NEAR(moments[cells - 1].temperature, shock.behind.temperature, 5e-3);
  double mass = 0, kept = 0;
  const std::vector<VelocityMoments> start = shock.start();
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const double relative_mass = i < cells ? 1 : 0.5;
    mass += relative_mass * moments[i].density, kept += relative_mass * start[i].density;
  }
  EXPECT_NEAR(mass / kept, 1, 5e-3) << "the shock left its place";
}

TEST(MixtureShocks, HaveTheSameBitsForAnyThreadsAndAfterARestart) {
  const MixtureShock shock;
  Gas<double> whole = shock.gas(1), first = shock.gas(2), second = shock.gas(2);
  whole.start(shock.start());
  whole.advance_to_steady({.residual = 1e-12, .max_iterations = 9});
  first.start(shock.start());
  first.advance_to_steady({.residual = 1e-12, .max_iterations = 4});
  const std::vector<double> f = distribution(first);
  second.start(View<const double>(f), first.clock());
  EXPECT_EQ(second.residual(), first.residual());
  second.advance_to_steady({.residual = 1e-12, .max_iterations = 5});
  EXPECT_EQ(distribution(second), distribution(whole));
}

TEST(MixtureShocks, NeedGasBehind) {
  const MixtureShock shock;
  Gas<double> gas = shock.gas();
  gas.start({state(0.7, shock.ahead.velocity, 1), state(0.3, shock.ahead.velocity, 2)});
  EXPECT_THAT(message_of([&] { gas.advance_to_steady(); }),
              HasSubstr("expected more than 20.4 1/m2, that of the gas ahead of the shock."));
}

}  // namespace
}  // namespace shoal::gas
