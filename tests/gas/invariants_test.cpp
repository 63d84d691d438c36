// SPDX-License-Identifier: Apache-2.0
// What no step may change: equilibrium, mass, momentum and energy, the sign of f, bits.
#include "gas/flows.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

class EveryModel : public testing::TestWithParam<GasModel> {
 protected:
  Gas<double> flow(const std::array<GasBoundary, 2>& boundaries, int cells, int threads = 1) const {
    return Gas<double>(Queue::cpu(threads), small_grid, stretched_faces(0, 2, cells, 1.1), boundaries, {.rate = 3},
                       {.model = GetParam(), .collision = {.directions = {.degree = 3}}});
  }
};
INSTANTIATE_TEST_SUITE_P(Gas, EveryModel, testing::ValuesIn(every_model()),
                         [](const auto& test) { return std::string(to_name(test.param)); });

TEST_P(EveryModel, KeepsAGasInEquilibriumWithItsWalls) {
  const GasBoundary wall{.temperature = 1.1, .velocity = {0, 0.2, -0.1}};
  Gas<double> gas = flow({wall, wall}, 6);
  gas.start({state(2, wall.velocity, wall.temperature)});
  const std::vector<double> before = distribution(gas);
  gas.advance_to(0.5);
  EXPECT_GT(gas.clock().steps, 5);
  EXPECT_LE(largest_difference(before, distribution(gas)), 1e-14);
  EXPECT_LE(gas.residual(), 1e-11);
  for (const GasFlux& flux : gas.fluxes()) {
    EXPECT_NEAR(flux.mass, 0, 1e-14);
    EXPECT_NEAR(flux.momentum[0], gas.moments()[0].stress[0], 1e-13);
    EXPECT_NEAR(flux.momentum[0], 2 * 1.1, 1e-3) << "the pressure, to the error of so coarse a grid";
    EXPECT_NEAR(flux.momentum[1], 0, 1e-14);
    EXPECT_NEAR(flux.energy, 0, 1e-13);
  }
}

TEST_P(EveryModel, ConservesMassMomentumAndEnergyOfAPeriodicLine) {
  Gas<double> gas = flow(periodic_ends, 6);
  gas.start(waves(6));
  const std::vector<double> start = distribution(gas);
  const std::array<double, 5> before = totals(gas);
  gas.advance_to(1);
  EXPECT_GT(largest_difference(start, distribution(gas)), 1e-3) << "something moved";
  const std::array<double, 5> after = totals(gas);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(after[k], before[k], 1e-13 * before[4]) << k;
}

TEST_P(EveryModel, LosesNoMassAtWallsAndBalancesTheRest) {
  Gas<double> gas = flow(different_walls, 6);
  gas.start(waves(6));
  const std::array<double, 5> before = totals(gas);
  gas.advance_to(1);
  const std::array<double, 5> after = totals(gas);
  EXPECT_NEAR(after[0], before[0], 1e-13);
  const auto& through = gas.clock().transfers;
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(after[axis + 1] - before[axis + 1], through[0].momentum[axis] - through[1].momentum[axis], 1e-13);
  EXPECT_NEAR(after[4] - before[4], through[0].energy - through[1].energy, 1e-13);
  EXPECT_GT(std::abs(after[4] - before[4]), 1e-3);
}

TEST_P(EveryModel, TransfersHaveTheSameBitsWithAnObserverThatTakesFluxes) {
  Gas<double> plain = flow(different_walls, 5), observed = flow(different_walls, 5);
  for (Gas<double>* gas : {&plain, &observed}) gas->start(waves(5));
  plain.advance_to(0.3);
  observed.advance_to(0.3, [&] { return observed.fluxes().size() == 2; });
  EXPECT_EQ(observed.clock().steps, plain.clock().steps);
  for (std::size_t end = 0; end < 2; ++end)
    EXPECT_EQ(observed.clock().transfers[end].energy, plain.clock().transfers[end].energy);
}

TEST_P(EveryModel, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto run = [&](int threads) {
    Gas<double> gas = flow(different_walls, 5, threads);
    gas.start(waves(5));
    gas.advance_to(0.2);
    gas.advance_to_steady({.max_iterations = 3});
    return distribution(gas);
  };
  const std::vector<double> one = run(1);
  EXPECT_EQ(run(2), one);
  EXPECT_EQ(run(3), one);
}

TEST_P(EveryModel, ContinuesWithTheSameBits) {
  Gas<double> whole = flow(different_walls, 5);
  whole.start(waves(5));
  whole.advance_to(0.2);
  const std::vector<double> half = distribution(whole);
  const GasClock clock = whole.clock();
  whole.advance_to(0.4);

  Gas<double> second = flow(different_walls, 5);
  second.start(View<const double>(half), clock);
  second.advance_to(0.4);
  EXPECT_EQ(distribution(second), distribution(whole));
  EXPECT_EQ(second.clock().steps, whole.clock().steps);
  EXPECT_EQ(second.clock().evaluations, whole.clock().evaluations);
  for (std::size_t end = 0; end < 2; ++end)
    EXPECT_EQ(second.clock().transfers[end].energy, whole.clock().transfers[end].energy);
}

/// Random collisions differ between evaluations: the evaluation of f that ends an iteration must count as the first one
/// of the run that continues.
TEST(Gas, IterationsContinueWithTheSameBits) {
  GasOptions options{.model = GasModel::boltzmann, .collision = {.approach = CollisionApproach::interpolated}};
  options.collision.integration = CollisionIntegration::statistical;
  options.collision.samples = 20;
  for (const SteadyMethod method : {SteadyMethod::sweeps, SteadyMethod::marching}) {
    const auto make = [&] {
      return Gas<double>(Queue::cpu(1), small_grid, uniform_faces(0, 2, 4), different_walls, {.rate = 3}, options);
    };
    Gas<double> whole = make();
    whole.start(waves(4));
    whole.advance_to_steady({.method = method, .max_iterations = 5});

    Gas<double> first = make(), second = make();
    first.start(waves(4));
    EXPECT_EQ(first.clock().steady_mass, 0);
    first.advance_to_steady({.method = method, .max_iterations = 2});
    EXPECT_GT(first.clock().steady_mass, 0);
    const std::vector<double> half = distribution(first);
    second.start(View<const double>(half), first.clock());
    second.advance_to_steady({.method = method, .max_iterations = 3});
    EXPECT_EQ(distribution(second), distribution(whole)) << to_name(method);
    EXPECT_EQ(second.clock().iterations, 5);
    EXPECT_EQ(second.clock().evaluations, whole.clock().evaluations);
    EXPECT_EQ(second.clock().steady_mass, whole.clock().steady_mass);

    second.advance_to(0.01);
    EXPECT_EQ(second.clock().steady_mass, 0) << "a later iteration keeps the mass of its own start";
  }
}

TEST(Gas, SpecularWallsKeepEnergyAndMomentumAlongThem) {
  const GasBoundary wall{.kind = GasBoundaryKind::specular};
  Gas<double> gas(Queue::cpu(1), small_grid, uniform_faces(0, 1, 5), {wall, wall}, {.rate = 3},
                  {.model = GasModel::bgk});
  gas.start(waves(5));
  const std::array<double, 5> before = totals(gas);
  gas.advance_to(0.5);
  const std::array<double, 5> after = totals(gas);
  for (const std::size_t k : {0, 2, 3, 4}) EXPECT_NEAR(after[k], before[k], 1e-13);
  EXPECT_GT(std::abs(after[1] - before[1]), 1e-3) << "walls push back";
}

/// The H-theorem between specular walls. First order: each step is a convex combination of values of f.
TEST(Gas, EntropyOfAClosedBoxNeverFalls) {
  const GasBoundary wall{.kind = GasBoundaryKind::specular};
  for (const GasModel model : {GasModel::none, GasModel::bgk, GasModel::es_bgk}) {
    Gas<double> gas(Queue::cpu(1), small_grid, uniform_faces(0, 1, 5), {wall, wall}, {.rate = 3},
                    {.model = model, .limiter = GasLimiter::none});
    gas.start(waves(5));
    const auto entropy = [&] {
      double sum = 0;
      for (const double f : distribution(gas)) sum -= f * std::log(f);
      return sum;
    };
    double before = entropy();
    const double start = before;
    gas.advance_to(0.5, [&] {
      const double now = entropy();
      EXPECT_GE(now, before * (1 - 1e-13)) << to_name(model);
      before = now;
      return true;
    });
    EXPECT_GT(before, start * (1 + 1e-4)) << to_name(model);
  }
}

class EveryLimiter : public testing::TestWithParam<GasLimiter> {};
INSTANTIATE_TEST_SUITE_P(Gas, EveryLimiter,
                         testing::Values(GasLimiter::none, GasLimiter::minmod, GasLimiter::van_leer, GasLimiter::mc),
                         [](const auto& test) { return std::string(to_name(test.param)); });

/// A jump to a hundredth of the density, on cells of unequal width, in the longest steps that the bound allows.
TEST_P(EveryLimiter, KeepsFPositiveInTheLongestSteps) {
  Gas<double> gas(Queue::cpu(1), small_grid, stretched_faces(0, 1, 12, 1.6), different_walls, {.rate = 40},
                  {.model = GasModel::bgk, .limiter = GetParam(), .step_share = 1});
  std::vector<VelocityMoments> jump(12, state(1, {}, 1.3));
  for (std::size_t i = 6; i < 12; ++i) jump[i] = state(0.01, {}, 0.8);
  gas.start(jump);
  double least = 1;
  gas.advance_to(0.3, [&] {
    for (const double value : distribution(gas)) least = std::min(least, value);
    return true;
  });
  EXPECT_GT(gas.clock().steps, 50);
  EXPECT_GE(least, 0);
}

TEST(Gas, FlowsOfAMirroredCaseAreMirrored) {
  const int cells = 6;
  const auto run = [&](bool mirrored) {
    std::array<GasBoundary, 2> walls = different_walls;
    std::vector<VelocityMoments> states = waves(cells);
    if (mirrored) {
      std::swap(walls[0], walls[1]);
      std::reverse(states.begin(), states.end());
      for (VelocityMoments& moments : states) moments.velocity[0] *= -1;
    }
    Gas<double> gas(Queue::cpu(1), small_grid, uniform_faces(0, 1, cells), walls, {.rate = 3},
                    {.model = GasModel::shakhov});
    gas.start(states);
    gas.advance_to(0.3);
    return gas.moments();
  };
  const std::vector<VelocityMoments> plain = run(false), mirrored = run(true);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const VelocityMoments &a = plain[i], &b = mirrored[plain.size() - 1 - i];
    EXPECT_NEAR(a.density, b.density, 1e-12);
    EXPECT_NEAR(a.velocity[0], -b.velocity[0], 1e-12);
    EXPECT_NEAR(a.stress[3], -b.stress[3], 1e-12);
    EXPECT_NEAR(a.heat_flux[0], -b.heat_flux[0], 1e-12);
  }
}

/// A uniform periodic gas relaxes as Relaxation does with the same scheme and steps.
TEST(Gas, AUniformGasRelaxesAsInRelaxation) {
  const Queue queue = Queue::cpu(1);
  const Molecules molecules{.rate = 1};
  const collision::TwoBeams beams{.temperature = 0.8, .apart = {0.7, 0, 0}};
  const std::vector<double> f =
      collision::at_velocities<double>(small_grid, [&](auto v) { return beams.distribution(v); });
  std::vector<double> cells(f);
  cells.insert(cells.end(), f.begin(), f.end());
  Gas<double> gas(queue, small_grid, uniform_faces(0, 100, 2), periodic_ends, molecules);
  gas.start(View<const double>(cells));
  gas.advance_to(1);

  const double step = 1.0 / static_cast<double>(gas.clock().steps);
  Relaxation<double> relaxation(Collision<double>(queue, small_grid, molecules),
                                {.scheme = RelaxationScheme::tvd_rk2, .step = step});
  relaxation.start(f);
  relaxation.advance_to(1);
  ASSERT_EQ(relaxation.steps(), gas.clock().steps);
  const std::vector<double> relaxed = to_host(queue, relaxation.f()), flowed = distribution(gas);
  EXPECT_LE(largest_difference(relaxed, flowed), 1e-14);
  EXPECT_GT(largest_difference(relaxed, f), 1e-3);
}

TEST(Gas, SinglePrecisionAgreesWithDouble) {
  const auto run = [&]<class Real>(Real) {
    Gas<Real> gas(Queue::cpu(1), small_grid, uniform_faces(0, 1, 5), different_walls, {.rate = 3},
                  {.model = GasModel::es_bgk});
    gas.start(waves(5));
    gas.advance_to(0.3);
    return gas.moments();
  };
  const std::vector<VelocityMoments> singles = run(0.0F), doubles = run(0.0);
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    EXPECT_NEAR(singles[i].density, doubles[i].density, 1e-5);
    EXPECT_NEAR(singles[i].heat_flux[0], doubles[i].heat_flux[0], 1e-5);
    EXPECT_NE(singles[i].density, doubles[i].density);
  }
}

}  // namespace
}  // namespace shoal::gas
