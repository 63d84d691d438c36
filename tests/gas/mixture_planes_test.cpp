// SPDX-License-Identifier: Apache-2.0
// Mixtures in planes, and mixtures on several ranks.
#include "gas/rank_flows.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

constexpr GasBoundary reservoir_of_both_gases{.kind = GasBoundaryKind::inflow,
                                              .temperature = 1.1,
                                              .velocity = {0.3, 0.1, 0},
                                              .density = 0.9,
                                              .second_density = 0.4};

TEST(MixturePlanes, OfEqualRowsHaveTheBitsOfALine) {
  for (const GasModel model : {GasModel::aap, GasModel::none}) {
    const std::vector<double> x = stretched_faces(0, 2, 4, 1.2);
    const Mixture mixture = sphere_mixture();
    const GasOptions options{.model = model};
    Gas<double> line(Queue::cpu(1), small_grid, x, different_walls, mixture, options);
    Gas<double> plane(Queue::cpu(1), small_grid, {x, uniform_faces(0, 1e9, 2)},
                      {different_walls[0], different_walls[1], periodic_side, periodic_side}, mixture, options);
    const std::vector<VelocityMoments> states = mixture_waves(4);
    line.start(states);
    std::vector<VelocityMoments> rows;
    for (std::size_t species = 0; species < 2; ++species)
      for (int row = 0; row < 2; ++row) {
        const auto first = states.begin() + static_cast<std::ptrdiff_t>(4 * species);
        rows.insert(rows.end(), first, first + 4);
      }
    plane.start(rows);
    line.advance_to(0.1);
    plane.advance_to(0.1);
    ASSERT_EQ(plane.clock().steps, line.clock().steps);
    const std::vector<double> expected = distribution(line), f = distribution(plane);
    const std::size_t nodes = 4 * 512;
    for (std::size_t species = 0; species < 2; ++species)
      for (std::size_t i = 0; i < nodes; ++i)
        for (std::size_t row = 0; row < 2; ++row)
          ASSERT_NEAR(f[(2 * species + row) * nodes + i], expected[species * nodes + i], 1e-15) << to_name(model);
  }
}

/// One gas whose molecules have two names.
TEST(MixturePlanes, OfEqualMoleculesFlowLikeOneGas) {
  const Molecules molecules{.rate = 0.8};
  for (const auto& [mixed, single] :
       {std::pair{GasModel::aap, GasModel::bgk}, std::pair{GasModel::none, GasModel::none}}) {
    Gas<double> one(Queue::cpu(1), small_grid, plane_faces(4, 3), different_sides(), molecules, {.model = single});
    Gas<double> both(Queue::cpu(1), small_grid, plane_faces(4, 3), different_sides(), equal_gases(molecules),
                     {.model = mixed});
    std::vector<VelocityMoments> states = ripples(4, 3), parts;
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
    ASSERT_EQ(both.fluxes().size(), 8u);
    for (std::size_t side = 0; side < 4; ++side) {
      EXPECT_NEAR(both.fluxes()[side].energy + both.fluxes()[side + 4].energy, one.fluxes()[side].energy, 1e-13);
      const int faces = side < 2 ? 3 : 4;
      EXPECT_EQ(both.side_fluxes(static_cast<int>(side + 4)).size(), static_cast<std::size_t>(faces));
    }
  }
}

TEST(MixturePlanes, ConserveWhatCollisionsConserve) {
  const Mixture mixture = sphere_mixture();
  Gas<double> flow(Queue::cpu(1), {10, 5, {}}, plane_faces(3, 3), periodic_sides, mixture, {.model = GasModel::aap});
  flow.start(mixture_ripples(3, 3));
  const std::array<double, 6> before = mixture_totals(flow, mixture);
  flow.advance_to(0.2);
  const std::array<double, 6> after = mixture_totals(flow, mixture);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(after[k], before[k], 1e-13 * before[5]) << k;
}

/// The mass of each species changes by what flows through the sides: by nothing at walls.
TEST(MixturePlanes, BalanceTheMassOfEachSpecies) {
  const Mixture mixture = sphere_mixture();
  std::array<GasBoundary, 4> sides = different_sides();
  sides[3] = reservoir_of_both_gases;
  Gas<double> flow(Queue::cpu(1), {10, 5, {}}, plane_faces(3, 3), sides, mixture, {.model = GasModel::aap});
  flow.start(mixture_ripples(3, 3));
  const std::array<double, 6> before = mixture_totals(flow, mixture);
  flow.advance_to(0.2);
  const std::array<double, 6> after = mixture_totals(flow, mixture);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto* transfers = &flow.clock().transfers[4 * k];
    EXPECT_NEAR(after[k] - before[k], -mixture.species[k].mass * transfers[3].mass, 1e-13);
    EXPECT_GT(std::abs(transfers[3].mass), 1e-3);
    for (std::size_t side = 0; side < 3; ++side) EXPECT_NEAR(transfers[side].mass, 0, 1e-14);
  }
}

TEST(MixturePlanes, SweepToTheStateOfTheReservoirs) {
  const Mixture mixture = sphere_mixture();
  const GasBoundary inflow{.kind = GasBoundaryKind::inflow, .density = 1.2, .second_density = 0.4};
  Gas<double> flow(Queue::cpu(1), {12, 6, {}}, plane_faces(3, 2), {inflow, inflow, inflow, inflow}, mixture,
                   {.model = GasModel::aap});
  flow.start(mixture_ripples(3, 2));
  EXPECT_TRUE(flow.advance_to_steady({.residual = 1e-8}).converged);
  const std::vector<VelocityMoments> moments = flow.moments();
  for (std::size_t i = 0; i < moments.size(); ++i) {
    EXPECT_NEAR(moments[i].density, i < 6 ? 1.2 : 0.4, 1e-6);
    EXPECT_NEAR(moments[i].temperature, i < 6 ? 1 : 2, 1e-6);
  }
}

TEST(MixturePlanes, NameCellsAndSides) {
  Gas<double> flow(Queue::cpu(1), small_grid, plane_faces(3, 2), different_sides(), sphere_mixture(),
                   {.model = GasModel::aap});
  std::vector<VelocityMoments> states = mixture_ripples(3, 2);
  states[6 + 4].velocity[0] = 9;
  EXPECT_THAT(message_of([&] { flow.start(states); }), HasSubstr("the start in cell 4 of species 1"));
  flow.start(mixture_ripples(3, 2));
  EXPECT_EQ(message_of([&] { flow.side_fluxes(8); }), "gas: there is no side 8, expected 0 to 7.");
  std::vector<double> f = distribution(flow);
  f[(6 + 4) * 512 + 5] = -1;
  EXPECT_THAT(message_of([&] { flow.start(View<const double>(f)); }),
              HasSubstr("f is -1 at node 5 of cell 4 of species 1"));
}

/// Steps in time, and sweeps where sides are open.
template <class Real>
void run_open(Gas<Real>& flow) {
  flow.advance_to(0.03);
  flow.advance_to_steady({.method = SteadyMethod::marching, .max_iterations = 1});
  flow.advance_to_steady({.max_iterations = 2});
  flow.advance_to(0.04);
}

class RanksOfMixtures : public testing::TestWithParam<DeviceKind> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }

  RankFlow flow(GasModel model, bool plane) const {
    RankFlow ranks{.device = GetParam(),
                   .options = {.model = model, .collision = coarse_spectral()},
                   .sides = {different_walls[0], reservoir_of_both_gases},
                   .cells = 7,
                   .mixture = sphere_mixture()};
    if (plane) ranks.sides = {different_walls[0], reservoir_of_both_gases, different_sides()[2], specular_side};
    return ranks;
  }
};
INSTANTIATE_TEST_SUITE_P(Gas, RanksOfMixtures, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& test) { return device_word(test.param); });

TEST_P(RanksOfMixtures, HaveTheBitsOfOneRank) {
  for (const GasModel model : {GasModel::aap, GasModel::none, GasModel::boltzmann})
    for (const bool plane : {false, true}) {
      SCOPED_TRACE(testing::Message() << to_name(model) << (plane ? ", plane" : ", line"));
      if (model == GasModel::boltzmann && plane && GetParam() == DeviceKind::cpu) continue;  // slow
      flow(model, plane).expect_same_bits<double>(run_open<double>, {2, 3});
      if (model == GasModel::aap) flow(model, plane).expect_same_bits<float>(run_open<float>, {2});
    }
}

TEST_P(RanksOfMixtures, ContinueARestartOfAnotherNumberOfRanks) {
  const RankFlow ranks = flow(GasModel::aap, true);
  const FlowState<double> first = ranks.run<double>(3, run_open<double>);
  const auto go_on = [](Gas<double>& gas) { gas.advance_to(0.1); };
  const FlowState<double> expected = ranks.run<double>(1, go_on, &first), state = ranks.run<double>(2, go_on, &first);
  EXPECT_TRUE(state.f == expected.f);
  EXPECT_EQ(state.numbers, expected.numbers);
}

/// Planes of odd sizes, on both devices.
TEST(MixturePlanesOnCuda, AreThoseOfTheCpu) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  for (const GasModel model : {GasModel::aap, GasModel::none, GasModel::boltzmann})
    for (const int columns : {2, 3, 9}) {
      SCOPED_TRACE(testing::Message() << to_name(model) << ", " << columns << " columns");
      RankFlow flow{
          .options = {.model = model, .collision = coarse_spectral()},
          .sides = {reservoir_of_both_gases, different_walls[1], reservoir_of_both_gases, different_sides()[2]},
          .cells = columns == 9 ? 35 : 3,
          .columns = columns,
          .mixture = sphere_mixture()};
      if (model == GasModel::boltzmann && columns == 9) continue;
      const FlowState<double> expected = flow.run<double>(1, run_open<double>);
      flow.device = DeviceKind::cuda;
      const FlowState<double> state = flow.run<double>(1, run_open<double>);
      EXPECT_LE(largest_difference(state.f, expected.f), 1e-12);
      EXPECT_EQ(state.clock.steps, expected.clock.steps);
      for (std::size_t side = 0; side < 8; ++side)
        EXPECT_NEAR(state.clock.transfers[side].energy, expected.clock.transfers[side].energy, 1e-12);
    }
}

}  // namespace
}  // namespace shoal::gas
