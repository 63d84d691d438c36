// SPDX-License-Identifier: Apache-2.0
// Reservoirs on both sides of a normal shock, and the shock between them.
#include "gas/flows.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

GasBoundary reservoir(double density, double velocity, double temperature) {
  return {
      .kind = GasBoundaryKind::inflow, .temperature = temperature, .velocity = {velocity, 0, 0}, .density = density};
}

/// Fluxes of the discrete Maxwellian of a reservoir.
GasFlux flux_of(const GasBoundary& side, const VelocityGrid& grid) {
  Gas<double> gas(Queue::cpu(1), grid, {0, 1, 2}, {side, side}, {}, {.model = GasModel::none});
  gas.start({state(side.density, side.velocity, side.temperature)});
  return gas.fluxes()[0];
}

TEST(BehindShock, HasTheFluxesOfTheSumsOverTheNodes) {
  const VelocityGrid coarse{.nodes = 20, .half_width = 9, .center = {1.3, 0, 0}};
  const GasBoundary ahead = reservoir(1.5, 3 * std::sqrt(5. / 3), 1), behind = behind_shock(coarse, ahead);
  const GasFlux before = flux_of(ahead, coarse), after = flux_of(behind, coarse);
  EXPECT_NEAR(after.mass / before.mass, 1, 1e-12);
  EXPECT_NEAR(after.momentum[0] / before.momentum[0], 1, 1e-12);
  EXPECT_NEAR(after.energy / before.energy, 1, 1e-12);
  // Rankine and Hugoniot at Mach 3: 3, u / 3, 11/3; the sums of so coarse a grid differ from integrals.
  EXPECT_NEAR(behind.density, 4.5, 1e-4);
  EXPECT_NEAR(behind.velocity[0], std::sqrt(5. / 3), 1e-5);
  EXPECT_NEAR(behind.temperature, 11. / 3, 1e-4);
  EXPECT_NE(behind.density, 4.5);
}

TEST(BehindShock, NamesBadInput) {
  const VelocityGrid grid{.nodes = 20, .half_width = 9, .center = {1.3, 0, 0}};
  EXPECT_EQ(message_of([&] { behind_shock(grid, {}); }),
            "gas: the boundary ahead of a shock is diffuse, expected inflow.");
  EXPECT_THAT(message_of([&] { behind_shock(grid, reservoir(1, 1, 1)); }),
              HasSubstr("the gas ahead of a shock has u_x = 1 m/s, temperature 1 m2/s2 and density 1 1/m3"));
  GasBoundary oblique = reservoir(1, 3, 1);
  oblique.velocity[1] = 0.5;
  EXPECT_THAT(message_of([&] { behind_shock(grid, oblique); }), HasSubstr("moves along y or z at (0.5, 0) m/s"));
  EXPECT_THAT(message_of([&] { behind_shock(grid, reservoir(1, 30, 1)); }),
              HasSubstr("has no Maxwellian of a side of the shock: density 1 1/m3, velocity 30 m/s"));
}

/// A weak shock of the model of Bhatnagar, Gross and Krook: monotone, between its two states.
TEST(Shocks, RiseFromOneReservoirToTheOther) {
  const VelocityGrid grid{.nodes = 14, .half_width = 6, .center = {1.3, 0, 0}};
  const GasBoundary ahead = reservoir(1, 1.5 * std::sqrt(5. / 3), 1), behind = behind_shock(grid, ahead);
  const Molecules molecules = molecules_of_knudsen(MoleculeModel::hard_sphere, MeanFreePath::hard_sphere, 1, 1, 1, 1);
  Gas<double> gas(Queue::cpu(2), grid, uniform_faces(-15, 15, 40), {ahead, behind}, molecules,
                  {.model = GasModel::bgk});
  std::vector<VelocityMoments> states(40, state(1, ahead.velocity, 1));
  for (std::size_t cell = 20; cell < 40; ++cell)
    states[cell] = state(behind.density, behind.velocity, behind.temperature);
  gas.start(states);
  const SteadyResult result = gas.advance_to_steady({.residual = 1e-2, .max_iterations = 1000});
  EXPECT_TRUE(result.converged) << result.residual;
  const std::vector<VelocityMoments> moments = gas.moments();
  for (std::size_t cell = 1; cell < moments.size(); ++cell)
    EXPECT_GT(moments[cell].density, moments[cell - 1].density - 1e-3) << cell;
  EXPECT_NEAR(moments.front().density, 1, 2e-3);
  EXPECT_NEAR(moments.back().density, behind.density, 2e-3 * behind.density);
  const double mass_flux = ahead.velocity[0];
  for (const VelocityMoments& cell : moments) EXPECT_NEAR(cell.density * cell.velocity[0], mass_flux, 2e-3 * mass_flux);
}

}  // namespace
}  // namespace shoal::gas
