// SPDX-License-Identifier: Apache-2.0
// Flows of mixtures.
#include <shoal/collision/relaxation.hpp>

#include "gas/mixture/mixture_rates.hpp"
#include "gas/mixture_flows.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

TEST(MixtureTargets, ExchangeMomentumAndEnergy) {
  for (const Mixture& mixture : {maxwell_mixture(), sphere_mixture()}) {
    const SpeciesMoments cell{state(1, {0.2, 0, -0.1}, 1), state(0.6, {-0.3, 0.1, 0.2}, 1.4)};
    double momentum[3] = {}, energy = 0, exchanged = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      NodeFrequency frequency;
      const CellState target = aap_target(mixture, k, cell, frequency);
      const double rate = frequency.rate * mixture.species[k].mass * cell[k].density;
      double square = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double u = cell[k].velocity[axis], v = target.velocity[axis];
        momentum[axis] += rate * (v - u);
        square += v * v - u * u;
      }
      const double change = rate * (3 * (target.temperature - cell[k].temperature) + square) / 2;
      energy += change;
      exchanged += std::abs(change);
      EXPECT_EQ(target.density, cell[k].density);
    }
    for (const double sum : momentum) EXPECT_NEAR(sum, 0, 1e-15);
    EXPECT_NEAR(energy, 0, 1e-15);
    EXPECT_GT(exchanged, 0.01);
  }
}

/// Species of unlike molecules that are alike in all but name have the target of BGK.
TEST(MixtureTargets, OfEqualMoleculesAreThoseOfBgk) {
  const Mixture mixture = equal_gases({.rate = 0.8});
  const SpeciesMoments cell{state(1, {0.3, 0, 0}, 1), state(0.5, {-0.6, 0.3, 0}, 1.3)};
  for (std::size_t k = 0; k < 2; ++k) {
    NodeFrequency frequency;
    const CellState target = aap_target(mixture, k, cell, frequency);
    EXPECT_NEAR(frequency.rate, 0.8 * 1.5 / 2, 1e-15);
    EXPECT_NEAR(target.velocity[0], 0, 1e-15);
    EXPECT_NEAR(target.velocity[1], 0.1, 1e-15);
    // Σ n (3 T + |u_k − u|²) / 3 n with u = (0, 0.1, 0)
    EXPECT_NEAR(target.temperature, (3.1 + 0.5 * (3.9 + 0.36 + 0.04)) / 4.5, 1e-15);
  }
}

/// A bound of the frequency of hard spheres, and their exact frequency at rest in a cold gas.
TEST(MixtureFrequency, BoundsThatOfTheCollisions) {
  const Mixture mixture = sphere_mixture();
  const VelocityGrid grid{.nodes = 16, .half_width = 6.5};
  const std::vector<VelocityMoments> states{state(1, {0.4, 0, 0}, 0.8), state(0.6, {-0.4, 0.2, 0}, 1.8)};
  Gas<double> flow = UniformMixture{mixture, {.model = GasModel::none}, grid}.at(states[0], states[1]);
  Collision<double> collision(Queue::cpu(1), grid, mixture, coarse_spectral());
  std::vector<double> frequency(static_cast<std::size_t>(flow.f().count));
  collision.frequency(flow.f(), frequency);
  const std::size_t nodes = 16 * 16 * 16;
  for (std::size_t k = 0; k < 2; ++k) {
    const NodeFrequency bound = mixture_frequency(mixture, k, {states[0], states[1]});
    double largest_ratio = 0;
    for (std::size_t i = 0; i < nodes; ++i) {
      const auto velocity = [&](int axis, std::size_t place) {
        return grid.velocity(axis, static_cast<int>(place % 16));
      };
      const double limit = bound.at(velocity(0, i), velocity(1, i / 16), velocity(2, i / 256));
      largest_ratio = std::max(largest_ratio, frequency[2 * k * nodes + i] / limit);
    }
    EXPECT_LE(largest_ratio, 1 + 1e-6);
    EXPECT_GE(largest_ratio, 0.95);
  }
}

TEST(MixtureFlows, VelocitiesOfMaxwellMoleculesRelaxExactly) {
  const UniformMixture uniform{maxwell_mixture(), {.model = GasModel::aap, .step_share = 0.25}, {16, 7, {}}};
  Gas<double> flow = uniform.at(state(1, {0.2, 0, 0}, 1), state(0.6, {-0.3, 0.1, 0}, 1.4));
  flow.advance_to(0.5);
  const std::vector<VelocityMoments> moments = flow.moments();
  ASSERT_EQ(moments.size(), 4u);
  const double decay = std::exp(-0.8 * (1. / 3 * 0.6 + 2. / 3 * 1) * 0.5);
  EXPECT_NEAR(moments[0].velocity[0] - moments[2].velocity[0], 0.5 * decay, 2e-4);
  EXPECT_NEAR(moments[1].velocity[1] - moments[3].velocity[1], -0.1 * decay, 2e-4);
}

/// A flow that is the same everywhere relaxes as the collisions of each cell.
TEST(MixtureFlows, UniformMixturesRelaxAsOneCell) {
  const UniformMixture uniform{
      sphere_mixture(), {.model = GasModel::boltzmann, .collision = coarse_spectral()}, small_grid};
  Gas<double> flow = uniform.at(state(1, {0.2, 0, 0}, 1), state(0.6, {-0.3, 0.1, 0}, 1.4));
  const std::vector<double> start = distribution(flow);
  const std::size_t nodes = start.size() / 4;
  const auto one_cell = [&](const std::vector<double>& f) {
    std::vector<double> cell(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(nodes));
    const auto second = f.begin() + static_cast<std::ptrdiff_t>(2 * nodes);
    cell.insert(cell.end(), second, second + static_cast<std::ptrdiff_t>(nodes));
    return cell;
  };
  const double end = 0.2;
  flow.advance_to(end);
  Relaxation<double> relaxation(
      Collision<double>(Queue::cpu(1), small_grid, uniform.mixture, coarse_spectral()),
      {.scheme = RelaxationScheme::tvd_rk2, .step = end / static_cast<double>(flow.clock().steps)});
  relaxation.start(View<const double>(one_cell(start)));
  relaxation.advance_to(end);
  EXPECT_LE(largest_difference(one_cell(distribution(flow)), to_host(Queue::cpu(1), relaxation.f())), 1e-14);
}

/// Temperatures of gases at rest: d(k T₁ − k T₂)/dt = −2 a₁ a₂ κ (n₁ + n₂) (k T₁ − k T₂).
TEST(MixtureFlows, TemperaturesOfMaxwellMoleculesRelaxExactly) {
  const UniformMixture uniform{maxwell_mixture(), {.model = GasModel::aap, .step_share = 0.25}, {16, 7, {}}};
  Gas<double> flow = uniform.at(state(1, {}, 1), state(0.6, {}, 1.4));
  flow.advance_to(1);
  const std::vector<VelocityMoments> moments = flow.moments();
  const double decay = std::exp(-2 * (2. / 3) * (1. / 3) * 0.8 * 1.6);
  EXPECT_NEAR(moments[0].temperature - 0.5 * moments[2].temperature, (1 - 0.7) * decay, 2e-4);
}

/// One gas whose molecules have two names.
TEST(MixtureFlows, EqualMoleculesFlowLikeOneGas) {
  const std::vector<double> faces = stretched_faces(0, 2, 6, 1.2);
  for (const auto& [mixed, single] :
       {std::pair{GasModel::aap, GasModel::bgk}, std::pair{GasModel::boltzmann, GasModel::boltzmann},
        std::pair{GasModel::none, GasModel::none}}) {
    const Molecules molecules{.rate = 0.8};
    Gas<double> one(Queue::cpu(1), small_grid, faces, different_walls, molecules,
                    {.model = single, .collision = coarse_spectral()});
    Gas<double> both(Queue::cpu(1), small_grid, faces, different_walls, equal_gases(molecules),
                     {.model = mixed, .collision = coarse_spectral()});
    std::vector<VelocityMoments> states = waves(6), parts;
    for (const double share : {0.3, 0.7})
      for (VelocityMoments part : states) part.density *= share, parts.push_back(part);
    one.start(states);
    both.start(parts);
    one.advance_to(0.1);
    both.advance_to(0.1);
    EXPECT_EQ(both.clock().steps, one.clock().steps);
    const std::vector<double> expected = distribution(one), f = distribution(both);
    std::vector<double> sum(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(expected.size()));
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += f[expected.size() + i];
    EXPECT_LE(largest_difference(sum, expected), 1e-13) << to_name(mixed);
  }
}

TEST(MixtureFlows, ModelsConserveWhatCollisionsConserve) {
  for (const Mixture& mixture : {maxwell_mixture(), sphere_mixture()})
    for (const GasModel model : {GasModel::aap, GasModel::boltzmann}) {
      Gas<double> flow(Queue::cpu(1), {10, 5, {}}, uniform_faces(0, 2, 3), periodic_ends, mixture,
                       {.model = model, .collision = coarse_spectral()});
      flow.start(mixture_waves(3));
      const std::array<double, 6> before = mixture_totals(flow, mixture);
      flow.advance_to(0.2);
      const std::array<double, 6> after = mixture_totals(flow, mixture);
      for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(after[k], before[k], 1e-13 * before[5]) << to_name(model) << k;
    }
}

/// The mass of each species changes by what flows through its ends: by nothing at walls.
TEST(MixtureFlows, WallsAndInflowsBalanceEachSpecies) {
  const Mixture mixture = sphere_mixture();
  const GasBoundary inflow{.kind = GasBoundaryKind::inflow, .temperature = 1.1, .velocity = {0.3, 0, 0}};
  const std::vector<double> faces = uniform_faces(0, 3, 5);
  Gas<double> flow(Queue::cpu(1), {12, 6, {}}, faces, with_densities({inflow, different_walls[1]}, {1.2, 0.4}), mixture,
                   {.model = GasModel::aap});
  flow.start(mixture_waves(5));
  const std::array<double, 6> before = mixture_totals(flow, mixture);
  flow.advance_to(0.4);
  const std::array<double, 6> after = mixture_totals(flow, mixture);
  const auto& transfers = flow.clock().transfers;
  for (std::size_t k = 0; k < 2; ++k) {
    const double mass = mixture.species[k].mass;
    EXPECT_NEAR(after[k] - before[k], mass * transfers[2 * k].mass, 1e-13);
    EXPECT_GT(std::abs(transfers[2 * k].mass), 1e-3);
    EXPECT_NEAR(transfers[2 * k + 1].mass, 0, 1e-14);
  }
  ASSERT_EQ(flow.fluxes().size(), 4u);
  for (int side = 0; side < 4; ++side) {
    ASSERT_EQ(flow.side_fluxes(side).size(), 1u);
    EXPECT_EQ(flow.side_fluxes(side)[0].energy, flow.fluxes()[static_cast<std::size_t>(side)].energy);
  }
}

/// Between reservoirs of one state the gas comes to rest in that state.
TEST(MixtureFlows, SweepsReachTheStateOfTheReservoirs) {
  const Mixture mixture = sphere_mixture();
  const GasBoundary inflow{.kind = GasBoundaryKind::inflow};
  Gas<double> flow(Queue::cpu(1), {12, 6, {}}, uniform_faces(0, 1, 3), with_densities({inflow, inflow}, {1.2, 0.4}),
                   mixture, {.model = GasModel::aap});
  flow.start(mixture_waves(3));
  EXPECT_TRUE(flow.advance_to_steady({.residual = 1e-9}).converged);
  const std::vector<VelocityMoments> moments = flow.moments();
  for (std::size_t i = 0; i < moments.size(); ++i) {
    EXPECT_NEAR(moments[i].density, i < 3 ? 1.2 : 0.4, 1e-7);
    EXPECT_NEAR(moments[i].temperature, i < 3 ? 1 : 2, 1e-7);
  }
}

TEST(MixtureFlows, RestartsHaveTheSameBits) {
  const Mixture mixture = sphere_mixture();
  const auto make = [&](int threads) {
    return Gas<double>(Queue::cpu(threads), small_grid, uniform_faces(0, 3, 5), different_walls, mixture,
                       {.model = GasModel::aap});
  };
  Gas<double> whole = make(1), half = make(2), rest = make(1);
  whole.start(mixture_waves(5));
  half.start(mixture_waves(5));
  whole.advance_to(0.2);
  whole.advance_to(0.4);
  half.advance_to(0.2);
  rest.start(half.f(), half.clock());
  rest.advance_to(0.4);
  EXPECT_EQ(distribution(rest), distribution(whole));
  EXPECT_EQ(whole.species(), 2);
}

}  // namespace
}  // namespace shoal::gas
