// SPDX-License-Identifier: Apache-2.0
// Reservoirs on both sides of a normal shock, and the shock between them.
#include "gas/shock_flows.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// Fluxes of the discrete Maxwellian of a reservoir.
GasFlux flux_of(GasBoundary side, const VelocityGrid& grid) {
  side.kind = GasBoundaryKind::inflow;
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

/// Fluxes of mass, momentum and energy through the faces between cells of equal width, with the upwind values of van Leer's
/// limiter. The faces next to the ends are left out.
std::vector<std::array<double, 3>> inner_fluxes(const Gas<double>& gas) {
  const std::vector<double> f = distribution(gas);
  const std::size_t cells = gas.faces().size() - 1, nodes = f.size() / cells;
  const int n = gas.velocities().nodes;
  const double spacing = 2 * gas.velocities().half_width / n;
  const auto velocity = [&](std::size_t axis, std::size_t i) {
    return gas.velocities().center[axis] + (static_cast<double>(i) + 0.5 - n / 2.) * spacing;
  };
  std::vector<std::array<double, 3>> fluxes;
  for (std::size_t cell = 1; cell + 2 < cells; ++cell) {
    std::array<double, 3> sum{};
    for (std::size_t k = 0; k < nodes; ++k) {
      const auto size = static_cast<std::size_t>(n);
      const double vx = velocity(0, k % size), vy = velocity(1, k / size % size), vz = velocity(2, k / size / size);
      const std::size_t upwind = vx > 0 ? cell : cell + 1, from = vx > 0 ? cell - 1 : cell + 2,
                        to = vx > 0 ? cell + 1 : cell;
      const double before = f[upwind * nodes + k] - f[from * nodes + k],
                   after = f[to * nodes + k] - f[upwind * nodes + k];
      const double rise = before * after > 0 ? before * after / (before + after) : 0;
      const double flux = vx * (f[upwind * nodes + k] + rise) * spacing * spacing * spacing;
      sum[0] += flux, sum[1] += vx * flux, sum[2] += (vx * vx + vy * vy + vz * vz) / 2 * flux;
    }
    fluxes.push_back(sum);
  }
  return fluxes;
}

class SteadyShocks : public testing::TestWithParam<ShockFlow> {};

/// Sweeps reach the residual of a steady state, whose face fluxes are those of the gas ahead.
TEST_P(SteadyShocks, ConvergeWithEqualFluxesThroughEveryFace) {
  const ShockFlow& shock = GetParam();
  Gas<double> gas = shock.gas();
  gas.start(shock.start());
  const SteadyResult result = gas.advance_to_steady({.residual = 1e-6, .max_iterations = 3000});
  EXPECT_TRUE(result.converged) << result.residual;

  const GasFlux end = gas.fluxes()[0];
  const std::array<double, 3> ahead{end.mass, end.momentum[0], end.energy};
  for (const std::array<double, 3>& flux : inner_fluxes(gas))
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(flux[k], ahead[k], 5e-6 * ahead[k]) << k;
  EXPECT_NEAR(gas.fluxes()[1].mass, end.mass, 5e-6 * end.mass);

  const GasBoundary behind = shock.behind();
  const std::vector<VelocityMoments> moments = gas.moments();
  for (std::size_t cell = 1; cell < moments.size(); ++cell)
    EXPECT_GT(moments[cell].density, moments[cell - 1].density - 1e-3) << cell;
  EXPECT_NEAR(moments.front().density, 1, 2e-3);
  EXPECT_NEAR(moments.back().density, behind.density, 2e-3 * behind.density);
  EXPECT_NEAR(moments.back().temperature, behind.temperature, 2e-3 * behind.temperature);

  double mass = 0, kept = 0;
  for (const VelocityMoments& cell : moments) mass += cell.density;
  for (const VelocityMoments& cell : shock.start()) kept += cell.density;
  EXPECT_NEAR(mass / kept, 1, 5e-3) << "the shock left its place";
}
INSTANTIATE_TEST_SUITE_P(Mach, SteadyShocks, testing::Values(weak, strong, fast), [](const auto& shock) {
  return "Mach" + std::to_string(static_cast<int>(10 * shock.param.mach));
});

/// The stress of ES-BGK decays faster than the collision frequency: sweeps with too small a ν make it oscillate and grow.
TEST(Shocks, StayStableWhereTheStressDecaysFasterThanCollisions) {
  const ShockFlow shock{3, {.nodes = 16, .half_width = 9.6, .center = {1.3, 0, 0}}, -10, 6, 32, GasModel::es_bgk};
  Gas<double> gas = shock.gas();
  gas.start(shock.start());
  const double first = gas.residual();
  EXPECT_GT(first, 1);
  EXPECT_LT(gas.advance_to_steady({.residual = 1e-6, .max_iterations = 40}).residual, 0.02 * first);
}

TEST(Shocks, DriftBetweenReservoirsOfGivenDensity) {
  Gas<double> gas(Queue::cpu(2), fast.grid, uniform_faces(fast.begin, fast.end, fast.cells),
                  {fast.ahead(),
                   [] {
                     GasBoundary behind = fast.behind();
                     behind.kind = GasBoundaryKind::inflow;
                     return behind;
                   }()},
                  molecules_of_knudsen(MoleculeModel::hard_sphere, MeanFreePath::hard_sphere, 1, 1, 1, 1),
                  {.model = GasModel::bgk});
  gas.start(fast.start());
  EXPECT_GT(gas.advance_to_steady({.residual = 1e-6, .max_iterations = 450}).residual, 1e-4);
}

TEST(Shocks, HaveTheSameBitsForAnyThreadsAndAfterARestart) {
  for (const SteadyMethod method : {SteadyMethod::sweeps, SteadyMethod::marching}) {
    Gas<double> whole = weak.gas(1), first = weak.gas(3), second = weak.gas(2);
    whole.start(weak.start());
    whole.advance_to_steady({.method = method, .residual = 1e-12, .max_iterations = 20});
    first.start(weak.start());
    first.advance_to_steady({.method = method, .residual = 1e-12, .max_iterations = 8});
    const std::vector<double> f = distribution(first);
    second.start(View<const double>(f), first.clock());
    EXPECT_EQ(second.residual(), first.residual()) << to_name(method);
    EXPECT_EQ(second.fluxes()[1].mass, first.fluxes()[1].mass) << to_name(method);
    second.advance_to_steady({.method = method, .residual = 1e-12, .max_iterations = 12});
    EXPECT_EQ(distribution(second), distribution(whole)) << to_name(method);
    EXPECT_EQ(second.clock().steady_mass, whole.clock().steady_mass);
  }
}

/// In time the density behind is the given one: the same bits as with a plain inflow.
TEST(Shocks, TakeTheGivenDensityInTime) {
  GasBoundary behind = weak.behind();
  behind.kind = GasBoundaryKind::inflow;
  const Molecules molecules = molecules_of_knudsen(MoleculeModel::hard_sphere, MeanFreePath::hard_sphere, 1, 1, 1, 1);
  Gas<double> held = weak.gas(), plain(Queue::cpu(2), weak.grid, uniform_faces(weak.begin, weak.end, weak.cells),
                                       {weak.ahead(), behind}, molecules, {.model = GasModel::bgk});
  held.start(weak.start());
  held.advance_to_steady({.max_iterations = 3});
  const std::vector<double> f = distribution(held);
  plain.start(View<const double>(f));
  held.advance_to(0.5);
  plain.advance_to(0.5);
  EXPECT_EQ(distribution(held), distribution(plain));
  EXPECT_EQ(held.clock().steady_mass, 0);
}

TEST(Shocks, NeedGasBehindAndAnInflowAhead) {
  Gas<double> gas = weak.gas();
  gas.start({state(1, weak.ahead().velocity, 1)});
  EXPECT_THAT(message_of([&] { gas.advance_to_steady(); }),
              HasSubstr("1/m2, that of the gas ahead of the shock. Start with the gas behind the shock in a part of"));
  const auto message_of_ends = [](const GasBoundary& first, const GasBoundary& last) {
    return message_of([&] {
      Gas<double>(Queue::cpu(1), weak.grid, {0, 1, 2}, {first, last}, {}, {.model = GasModel::none});
    });
  };
  EXPECT_EQ(
      message_of_ends(weak.behind(), weak.ahead()),
      "gas: the boundary at the first face is behind_shock, expected the gas ahead of the shock there, an inflow. Let "
      "the gas flow toward the last face.");
  EXPECT_EQ(
      message_of_ends({}, weak.behind()),
      "gas: the boundary at the last face is behind_shock, but that at the first face is diffuse, expected inflow: "
      "the gas ahead of the shock.");
}

}  // namespace
}  // namespace shoal::gas
