// SPDX-License-Identifier: Apache-2.0
// Couette and Fourier flow between diffuse walls, against published solutions of the linearized equations.
#include <numbers>

#include "gas/flows.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

const double unit_speed = std::sqrt(2.0);  // sqrt(2 T0)
constexpr double share = 0.02;             // of the walls' differences: nonlinear terms are of the order of its square

/// Steady flow of a gas of density and temperature 1 in a slab of width 1.
Gas<double> steady(const std::array<GasBoundary, 2>& walls, const Molecules& molecules, const GasOptions& options,
                   int nodes, int cells, const SteadyOptions& steady_options = {.residual = 1e-5}) {
  Gas<double> gas(Queue::cpu(2), {.nodes = nodes, .half_width = 5.5}, stretched_faces(0, 1, cells, 1.1), walls,
                  molecules, options);
  gas.start({state(1, {}, 1)});
  const SteadyResult result = gas.advance_to_steady(steady_options);
  EXPECT_TRUE(result.converged) << "residual " << result.residual;
  return gas;
}

std::array<GasBoundary, 2> sliding_walls(double difference) {
  return {{{.velocity = {0, -difference / 2, 0}}, {.velocity = {0, difference / 2, 0}}}};
}

struct SlabReference {
  double delta;      ///< L p / (mu sqrt(2 T))
  double shear;      ///< -p_xy / (p0 dU / v0)
  double heat_flux;  ///< q / (p0 v0 dT / T0)
};

class BgkSlabs : public testing::TestWithParam<SlabReference> {};
/// Solutions of the integral equations of the linearized model; docs/theory/gas.md.
INSTANTIATE_TEST_SUITE_P(Gas, BgkSlabs,
                         testing::Values(SlabReference{0.1, 0.52232, 0.52761}, SlabReference{1, 0.33893, 0.36156},
                                         SlabReference{5, 0.1423, 0.1647}),
                         [](const auto& test) { return "delta_" + std::to_string(test.index); });

TEST_P(BgkSlabs, AgreeWithTheLinearizedEquation) {
  const SlabReference reference = GetParam();
  const Molecules molecules{.rate = 2 * reference.delta * unit_speed};  // mu = 2 T / rate
  const double speed = share * unit_speed;
  Gas<double> couette = steady(sliding_walls(speed), molecules, {.model = GasModel::bgk}, 24, 16);
  const double shear = -couette.moments()[8].stress[3] / (speed / unit_speed);
  EXPECT_NEAR(shear, reference.shear, 0.01 * reference.shear);
  EXPECT_NEAR(couette.fluxes()[1].momentum[1], couette.fluxes()[0].momentum[1], 1e-3 * share);

  Gas<double> fourier = steady({{{.temperature = 1 - share / 2}, {.temperature = 1 + share / 2}}}, molecules,
                               {.model = GasModel::bgk}, 24, 16);
  const double heat = -fourier.fluxes()[0].energy / (unit_speed * share);
  EXPECT_NEAR(heat, reference.heat_flux, 0.01 * reference.heat_flux);
}

#ifdef SHOAL_FAST_FOURIER
/// Hard spheres, k = (sqrt(pi) / 2) Kn = 1: Sone, Takata and Ohwada (1990), Ohwada, Aoki and Sone (1989).
TEST(BoltzmannSlabs, AgreeWithTheLinearizedEquationOfHardSpheres) {
  const Molecules molecules = molecules_of_knudsen(MoleculeModel::hard_sphere, MeanFreePath::hard_sphere,
                                                   2 / std::sqrt(std::numbers::pi), 1, 1, 1);
  GasOptions options{.model = GasModel::boltzmann};
  options.collision = {.approach = CollisionApproach::carleman,
                       .equilibrium_preserving = true,
                       .projection = CollisionProjection::maxwellian,
                       .negative = NegativeDistribution::accept};
  const double speed = share * unit_speed;
  Gas<double> couette = steady(sliding_walls(speed), molecules, options, 16, 8);
  EXPECT_NEAR(-couette.moments()[4].stress[3] / share, 0.3687, 0.02 * 0.3687);
  EXPECT_GT(couette.clock().evaluations, 0);
}
#endif

/// Marching and sweeps end at the same state.
TEST(SteadyStates, DoNotDependOnTheIteration) {
  const auto run = [](SteadyMethod method, int iterations) {
    Gas<double> gas(Queue::cpu(1), small_grid, stretched_faces(0, 1, 4, 1.3), different_walls, {.rate = 3},
                    {.model = GasModel::shakhov});
    gas.start({state(1, {}, 1)});
    const SteadyResult result =
        gas.advance_to_steady({.method = method, .residual = 1e-6, .max_iterations = iterations});
    EXPECT_TRUE(result.converged) << to_name(method) << " residual " << result.residual;
    EXPECT_EQ(result.iterations, gas.clock().steps);
    EXPECT_EQ(gas.clock().time, 0);
    EXPECT_NEAR(totals(gas)[0], 1, 1e-12) << "the mass is that of the start";
    return gas.moments();
  };
  const std::vector<VelocityMoments> marched = run(SteadyMethod::marching, 20'000),
                                     swept = run(SteadyMethod::sweeps, 500);
  for (std::size_t i = 0; i < marched.size(); ++i) {
    EXPECT_NEAR(marched[i].density, swept[i].density, 2e-6);
    EXPECT_NEAR(marched[i].velocity[1], swept[i].velocity[1], 2e-6);
    EXPECT_NEAR(marched[i].heat_flux[0], swept[i].heat_flux[0], 2e-6);
  }
}

TEST(SteadyStates, SayIfTheyAreNotReached) {
  Gas<double> gas(Queue::cpu(1), small_grid, uniform_faces(0, 1, 4), different_walls, {.rate = 3},
                  {.model = GasModel::bgk});
  gas.start({state(1, {}, 1)});
  const SteadyResult result = gas.advance_to_steady({.residual = 1e-12, .max_iterations = 2});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_GT(result.residual, 1e-12);
  int calls = 0;
  gas.advance_to_steady({.residual = 1e-12}, [&] { return ++calls < 3; });
  EXPECT_EQ(calls, 3) << "the observer stops the iteration";
}

}  // namespace
}  // namespace shoal::gas
