// SPDX-License-Identifier: Apache-2.0
// Iterations to a steady state: acceleration, continuation, and mixtures between closed sides.
#include "gas/mixture_flows.hpp"
#include "gas/shock_flows.hpp"
#include "support/devices.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// Largest difference of density, velocity and temperature.
double difference(const std::vector<VelocityMoments>& a, const std::vector<VelocityMoments>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max({largest, std::abs(a[i].density - b[i].density), std::abs(a[i].temperature - b[i].temperature)});
    for (std::size_t axis = 0; axis < 3; ++axis)
      largest = std::max(largest, std::abs(a[i].velocity[axis] - b[i].velocity[axis]));
  }
  return largest;
}

TEST(AndersonAcceleration, ReachesTheSameShockInHalfOfTheIterations) {
  Gas<double> plain = weak.gas(), accelerated = weak.gas();
  plain.start(weak.start());
  accelerated.start(weak.start());
  const SteadyResult slow = plain.advance_to_steady({.residual = 2e-4, .max_iterations = 1000});
  const SteadyResult quick = accelerated.advance_to_steady({.anderson = 10, .residual = 2e-4, .max_iterations = 1000});
  EXPECT_TRUE(slow.converged && quick.converged);
  EXPECT_LT(quick.iterations, slow.iterations / 2);
  EXPECT_LT(difference(plain.moments(), accelerated.moments()), 2e-3);
}

/// The observer ends an iteration where the history is empty, so that a restart gives the bits of one run.
TEST(AndersonAcceleration, HasTheSameBitsForAnyThreadsAndAfterARestart) {
  const SteadyOptions options{.anderson = 3, .residual = 1e-12, .max_iterations = 20};
  Gas<double> whole = weak.gas(1), first = weak.gas(3), second = weak.gas(2);
  whole.start(weak.start());
  whole.advance_to_steady(options);
  first.start(weak.start());
  EXPECT_EQ(first.advance_to_steady(options, [] { return false; }).iterations, 6);
  const std::vector<double> f = distribution(first);
  second.start(View<const double>(f), first.clock());
  SteadyOptions rest = options;
  rest.max_iterations = 14;
  second.advance_to_steady(rest);
  EXPECT_EQ(distribution(second), distribution(whole));
}

TEST(AndersonAcceleration, KeepsTheMassBetweenWalls) {
  for (const SteadyMethod method : {SteadyMethod::sweeps, SteadyMethod::marching}) {
    Gas<double> flow(Queue::cpu(2), small_grid, uniform_faces(0, 1, 5), different_walls, {.rate = 2},
                     {.model = GasModel::bgk, .limiter = GasLimiter::none});
    flow.start({state(1, {}, 1)});
    const double mass = totals(flow)[0];
    EXPECT_TRUE(flow.advance_to_steady({.method = method, .anderson = 5, .residual = 1e-9}).converged);
    EXPECT_NEAR(totals(flow)[0], mass, 1e-13 * mass) << to_name(method);
  }
}

TEST(SteadyContinuation, BeginsWithTheStateOfACheaperCollisionTerm) {
  const std::vector<double> faces = uniform_faces(0, 1, 4);
  const GasOptions options{.model = GasModel::boltzmann, .collision = {.approach = CollisionApproach::conservative}};
  const auto flow = [&](const GasOptions& given) {
    Gas<double> gas(Queue::cpu(2), small_grid, faces,
                    {GasBoundary{.temperature = 0.9}, GasBoundary{.temperature = 1.1}}, {.rate = 0.5}, given);
    gas.start({state(1, {}, 1)});
    return gas;
  };
  Gas<double> plain = flow(options), continued = flow(options), model = flow({.model = GasModel::shakhov});
  model.advance_to_steady({.residual = 1e-3});
  continued.advance_to_steady({.continuation = SteadyContinuation::shakhov, .residual = 1e-6, .max_iterations = 1});
  EXPECT_EQ(distribution(continued), distribution(model));
  EXPECT_EQ(continued.clock().iterations, 1);
  const SteadyResult rest =
      continued.advance_to_steady({.continuation = SteadyContinuation::shakhov, .residual = 1e-4});
  const SteadyResult complete = plain.advance_to_steady({.residual = 1e-4});
  EXPECT_TRUE(rest.converged && complete.converged);
  EXPECT_LT(rest.iterations, complete.iterations);
  EXPECT_LT(difference(plain.moments(), continued.moments()), 1e-4);
}

/// Shock at Mach 1.4 of 8 cells by collisions that conserve, in a ball.
Gas<double> conservative_shock(const Queue& queue, const Communicator& ranks = Communicator::alone()) {
  const ShockFlow shock{1.4, {.nodes = 8, .half_width = 4.8, .center = {1.4, 0, 0}}, -4, 4, 8};
  const Molecules molecules = molecules_of_knudsen(MoleculeModel::hard_sphere, MeanFreePath::hard_sphere, 1, 1, 1, 1);
  const CollisionOptions in_ball{.approach = CollisionApproach::conservative, .support = CollisionSupport::ball};
  Gas<double> flow(queue, shock.grid, uniform_faces(shock.begin, shock.end, shock.cells),
                   {shock.ahead(), shock.behind()}, molecules, {.collision = in_ball}, ranks);
  flow.start(shock.start());
  return flow;
}

constexpr SteadyOptions corrected{.correction = SteadyContinuation::shakhov,
                                  .correction_sweeps = 20,
                                  .anderson = 10,
                                  .residual = 1e-5,
                                  .max_iterations = 400};

TEST(DefectCorrection, ReachesTheSameStateWithFewerEvaluations) {
  SteadyOptions options = corrected;
  Gas<double> quick = conservative_shock(Queue::cpu(2));
  const SteadyResult with = quick.advance_to_steady(options);
  options.correction = SteadyContinuation::none;
  Gas<double> slow = conservative_shock(Queue::cpu(2));
  const SteadyResult without = slow.advance_to_steady(options);
  EXPECT_TRUE(with.converged && without.converged);
  EXPECT_LT(quick.clock().evaluations, 0.6 * static_cast<double>(slow.clock().evaluations));
  EXPECT_LT(difference(quick.moments(), slow.moments()), 1e-4);
}

TEST(DefectCorrection, HasTheSameBitsForAnyThreadsAndRanksAndAfterARestart) {
  SteadyOptions options = corrected;
  options.anderson = 3, options.max_iterations = 12;
  Gas<double> whole = conservative_shock(Queue::cpu(1)), part = conservative_shock(Queue::cpu(3)),
              rest = conservative_shock(Queue::cpu(2));
  whole.advance_to_steady(options);
  EXPECT_EQ(part.advance_to_steady(options, [] { return false; }).iterations, 6);
  const std::vector<double> f = distribution(part);
  rest.start(View<const double>(f), part.clock());
  options.max_iterations = 6;
  rest.advance_to_steady(options);
  EXPECT_EQ(distribution(rest), distribution(whole));
  run_on_ranks(3, [&](const Communicator& ranks) {
    Gas<double> slab = conservative_shock(Queue::cpu(1), ranks);
    slab.advance_to_steady({.correction = SteadyContinuation::shakhov,
                            .correction_sweeps = 20,
                            .anderson = 3,
                            .residual = 1e-5,
                            .max_iterations = 12});
    EXPECT_EQ(slab.clock().iterations, 12);
    const std::vector<double> part_f = distribution(slab), whole_f = distribution(whole);
    const std::int64_t first = slab.own_cells().first * slab.velocities().node_count();
    EXPECT_TRUE(std::equal(part_f.begin(), part_f.end(), whole_f.begin() + first)) << "rank " << ranks.rank();
  });
}

TEST(DefectCorrection, IsThatOfTheCpuOnCuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  SteadyOptions options = corrected;
  options.max_iterations = 8;
  Gas<double> host = conservative_shock(Queue::cpu(2)), device = conservative_shock(Queue::cuda(0));
  const SteadyResult expected = host.advance_to_steady(options), got = device.advance_to_steady(options);
  EXPECT_NEAR(got.residual, expected.residual, 1e-6 * expected.residual);
  EXPECT_LT(difference(host.moments(), device.moments()), 1e-9);
}

/// Heat between walls in a mixture. On this grid the residual of the integral ends at 5e-3.
TEST(DefectCorrection, EndsWhereSweepsEndInAMixture) {
  const CollisionOptions spectral{
      .approach = CollisionApproach::spectral, .directions = {.degree = 5}, .negative = NegativeDistribution::accept};
  const auto moments_after = [&](const SteadyOptions& options) {
    Gas<double> flow(Queue::cpu(2), {.nodes = 10, .half_width = 7}, uniform_faces(0, 1, 4),
                     {GasBoundary{.temperature = 0.9}, GasBoundary{.temperature = 1.1}}, sphere_mixture(),
                     {.limiter = GasLimiter::none, .collision = spectral});
    flow.start({state(1, {}, 1), state(0.6, {}, 2)});
    const std::array<double, 6> before = mixture_totals(flow, sphere_mixture());
    flow.advance_to_steady(options);
    const std::array<double, 6> after = mixture_totals(flow, sphere_mixture());
    for (std::size_t species : {0, 1}) EXPECT_NEAR(after[species] / before[species], 1, 1e-13);
    return flow.moments();
  };
  const SteadyOptions sweeps{.max_iterations = 30};
  const SteadyOptions with{.correction = SteadyContinuation::aap, .correction_sweeps = 5, .max_iterations = 12};
  EXPECT_LT(difference(moments_after(sweeps), moments_after(with)), 1e-4);
}

/// On a coarse grid f falls by orders of magnitude from node to node, and inverse collisions take gas from nearly empty nodes. With the
/// frequency of thermal molecules alone the residual stays at 4e-3.
TEST(Sweeps, SettleWhereInverseCollisionsEmptyNodes) {
  const VelocityGrid coarse{.nodes = 8, .half_width = 5.5};
  const CollisionOptions in_ball{.approach = CollisionApproach::conservative, .support = CollisionSupport::ball};
  const Molecules molecules = molecules_of_knudsen(MoleculeModel::hard_sphere, MeanFreePath::hard_sphere, 1, 1, 1, 1);
  Gas<double> gas(Queue::cpu(2), coarse, {0, 1, 2}, periodic_ends, molecules, {.collision = in_ball});
  gas.start({state(1, {}, 1)});
  std::vector<double> f = distribution(gas);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] *= 1 + 0.5 * std::sin(13.0 * static_cast<double>(i));
  gas.start(View<const double>(f));
  EXPECT_GT(gas.residual(), 0.5);
  EXPECT_LT(gas.advance_to_steady({.residual = 1e-5, .max_iterations = 100}).residual, 1e-5);
}

TEST(SteadyOptions, AreChecked) {
  Gas<double> flow = weak.gas();
  flow.start(weak.start());
  EXPECT_EQ(message_of([&] { flow.advance_to_steady({.anderson = -1}); }),
            "gas: anderson = -1, expected 0 to 50 previous iterations.");
  EXPECT_EQ(message_of([&] { flow.advance_to_steady({.continuation = SteadyContinuation::shakhov}); }),
            "gas: continuation = shakhov is for the model boltzmann, and the model is bgk. Use none.");
  Gas<double> boltzmann(Queue::cpu(1), small_grid, {0, 1, 2}, different_walls, Molecules{});
  boltzmann.start({state(1, {}, 1)});
  EXPECT_EQ(message_of([&] { boltzmann.advance_to_steady({.continuation = SteadyContinuation::aap}); }),
            "gas: continuation = aap is for a mixture, and this is one gas. Use shakhov or none.");
  EXPECT_EQ(message_of([&] { boltzmann.advance_to_steady({.correction = SteadyContinuation::aap}); }),
            "gas: correction = aap is for a mixture, and this is one gas. Use shakhov or none.");
  EXPECT_EQ(message_of([&] {
              boltzmann.advance_to_steady({.method = SteadyMethod::marching, .correction = SteadyContinuation::bgk});
            }),
            "gas: correction = bgk is for the method sweeps, and the method is marching. Use none.");
  EXPECT_EQ(message_of([&] { boltzmann.advance_to_steady({.correction_sweeps = 0}); }),
            "gas: correction_sweeps = 0, expected 1 or more.");
}

/// Heat between walls: each species keeps its mass, and the steady state is that of steps in time.
TEST(SteadyMixtures, KeepTheMassOfEachSpeciesBetweenWalls) {
  const Mixture mixture = sphere_mixture();
  const std::array<GasBoundary, 2> walls{GasBoundary{.temperature = 0.9}, GasBoundary{.temperature = 1.1}};
  const auto flow = [&] {
    Gas<double> gas(Queue::cpu(2), {.nodes = 10, .half_width = 6}, uniform_faces(0, 1, 4), walls, mixture,
                    {.model = GasModel::aap, .limiter = GasLimiter::none});
    gas.start({state(1, {}, 1), state(0.6, {}, 2)});
    return gas;
  };
  Gas<double> in_time = flow();
  in_time.advance_to(12);
  for (const SteadyOptions& options : {SteadyOptions{.residual = 1e-6}, SteadyOptions{.anderson = 5, .residual = 1e-6},
                                       SteadyOptions{.method = SteadyMethod::marching, .residual = 1e-6}}) {
    Gas<double> steady = flow();
    const std::array<double, 6> before = mixture_totals(steady, mixture);
    EXPECT_TRUE(steady.advance_to_steady(options).converged);
    const std::array<double, 6> after = mixture_totals(steady, mixture);
    for (std::size_t species : {0, 1}) EXPECT_NEAR(after[species] / before[species], 1, 1e-13);
    EXPECT_LT(difference(steady.moments(), in_time.moments()), 1e-5);
  }
  EXPECT_GT(difference(in_time.moments(), flow().moments()), 0.01);
}

}  // namespace
}  // namespace shoal::gas
