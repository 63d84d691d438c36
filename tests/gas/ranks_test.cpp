// SPDX-License-Identifier: Apache-2.0
// Flows on several ranks have the bits of one rank.
#include "gas/rank_flows.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

constexpr GasBoundary flow_in{
    .kind = GasBoundaryKind::inflow, .temperature = 1.1, .velocity = {0.3, 0.1, 0}, .density = 0.9};

std::vector<GasBoundary> sides_of_plane() {
  const std::array<GasBoundary, 4> sides = different_sides();
  return {sides.begin(), sides.end()};
}

/// Steps in time, steps of each cell, sweeps, and steps in time again.
template <class Real>
void run_all(Gas<Real>& flow) {
  flow.advance_to(0.03);
  flow.advance_to_steady({.method = SteadyMethod::marching, .max_iterations = 1});
  flow.advance_to_steady({.max_iterations = 2});
  flow.advance_to(0.04);
}

class RankFlows : public testing::TestWithParam<DeviceKind> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Gas, RankFlows, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& test) { return device_word(test.param); });

TEST_P(RankFlows, HaveTheBitsOfOneRankWithEveryModel) {
  for (const GasModel model : every_model())
    for (const std::vector<GasBoundary>& sides :
         {std::vector(different_walls.begin(), different_walls.end()), sides_of_plane()}) {
      SCOPED_TRACE(testing::Message() << to_name(model) << ", " << sides.size() << " sides");
      const RankFlow flow{.device = GetParam(),
                          .options = {.model = model, .collision = {.directions = {.degree = 3}}},
                          .sides = sides};
      const bool is_slow = model == GasModel::boltzmann && GetParam() == DeviceKind::cpu;
      if (is_slow && sides.size() == 4) continue;
      flow.expect_same_bits<double>(run_all<double>, is_slow ? std::vector{2} : std::vector{2, 3, 4});
      if (model == GasModel::bgk) flow.expect_same_bits<float>(run_all<float>);
    }
}

TEST_P(RankFlows, HaveTheBitsOfOneRankWithEveryBoundary) {
  const GasBoundary wall = different_walls[0];
  const std::vector<std::vector<GasBoundary>> all_sides{
      {specular_side, flow_in},
      {periodic_side, periodic_side},
      {wall, flow_in, periodic_side, periodic_side},
      {periodic_side, periodic_side, specular_side, different_sides()[2]},
      {flow_in, specular_side, flow_in, flow_in}};
  for (const std::vector<GasBoundary>& sides : all_sides) {
    SCOPED_TRACE(testing::Message() << sides.size() << " sides, " << to_name(sides.back().kind));
    RankFlow{.device = GetParam(), .options = {.model = GasModel::bgk}, .sides = sides}.expect_same_bits<double>(
        run_all<double>, {2, 3});
  }
}

TEST_P(RankFlows, HaveTheBitsOfOneRankWithEveryLimiterAndSize) {
  for (const GasLimiter limiter : {GasLimiter::none, GasLimiter::minmod, GasLimiter::mc})
    for (const int cells : {8, 13, 75})
      for (const std::size_t sides : {2, 4}) {
        if (cells > 8 && limiter != GasLimiter::mc) continue;
        SCOPED_TRACE(testing::Message() << to_name(limiter) << ", " << cells << " cells, " << sides << " sides");
        RankFlow flow{.device = GetParam(),
                      .options = {.model = GasModel::none, .limiter = limiter},
                      .cells = cells,
                      .columns = 10};
        if (sides == 4) flow.sides = sides_of_plane();
        flow.expect_same_bits<double>(
            [](Gas<double>& gas) {
              gas.advance_to(0.002);
              gas.advance_to_steady({.max_iterations = 1});
            },
            {2, 4});
      }
}

/// Every rank has two cells: ghosts are all cells of the next ranks.
TEST_P(RankFlows, HaveTheBitsOfOneRankInSlabsOfTwoCells) {
  for (const int count : {2, 3, 4})
    for (const GasBoundary& side : {periodic_side, specular_side}) {
      const RankFlow flow{
          .device = GetParam(), .options = {.model = GasModel::bgk}, .sides = {side, side}, .cells = 2 * count};
      const FlowState<double> expected = flow.run<double>(1, run_all<double>),
                              state = flow.run<double>(count, run_all<double>);
      EXPECT_TRUE(state.f == expected.f) << count << " ranks, " << to_name(side.kind);
      EXPECT_EQ(state.numbers, expected.numbers);
    }
}

TEST_P(RankFlows, HaveTheBitsOfOneRankWithGradientsAndBehindAShock) {
  RankFlow driven{.device = GetParam(), .options = {.model = GasModel::shakhov}};
  driven.options.gradients = {.pressure = 0.1, .temperature = 0.05};
  driven.expect_same_bits<double>(run_all<double>);

  const VelocityGrid grid{.nodes = 14, .half_width = 7.5, .center = {1, 0, 0}};
  const GasBoundary ahead{.kind = GasBoundaryKind::inflow, .temperature = 1, .velocity = {2, 0, 0}, .density = 1};
  const GasBoundary behind = behind_shock(grid, ahead);
  const RankFlow shock{
      .device = GetParam(), .options = {.model = GasModel::bgk}, .sides = {ahead, behind}, .cells = 12, .grid = grid};
  shock.expect_same_bits<double>([&](Gas<double>& flow) {
    std::vector<VelocityMoments> states;
    for (int cell = 0; cell < 12; ++cell)
      states.push_back(cell < 6 ? state(ahead.density, ahead.velocity, ahead.temperature)
                                : state(behind.density, behind.velocity, behind.temperature));
    flow.start(states);
    flow.advance_to_steady({.max_iterations = 5});
    flow.advance_to_steady({.method = SteadyMethod::marching, .max_iterations = 3});
  });
}

TEST_P(RankFlows, ContinueARestartOfAnotherNumberOfRanks) {
  for (const std::vector<GasBoundary>& sides :
       {std::vector(different_walls.begin(), different_walls.end()), sides_of_plane()}) {
    const RankFlow flow{.device = GetParam(), .options = {.model = GasModel::shakhov}, .sides = sides};
    const FlowState<double> first = flow.run<double>(3, run_all<double>);
    const auto go_on = [](Gas<double>& gas) {
      gas.advance_to_steady({.max_iterations = 2});
      gas.advance_to(0.2);
    };
    const FlowState<double> expected = flow.run<double>(1, go_on, &first);
    for (const int count : {2, 4}) {
      const FlowState<double> state = flow.run<double>(count, go_on, &first);
      EXPECT_TRUE(state.f == expected.f) << count << " ranks";
      EXPECT_EQ(state.numbers, expected.numbers);
    }
  }
}

/// Runs `work` on ranks, and returns the message of each.
std::vector<std::string> messages_of(int count, const std::function<void(const Communicator&)>& work) {
  std::vector<std::string> messages(static_cast<std::size_t>(count));
  run_on_ranks(count, [&](const Communicator& ranks) {
    messages[static_cast<std::size_t>(ranks.rank())] = message_of([&] { work(ranks); });
  });
  return messages;
}

TEST_P(RankFlows, AreTheSameErrorOnAllRanks) {
  RankFlow flow{.device = GetParam(), .options = {.model = GasModel::bgk}, .cells = 5};
  EXPECT_THAT(messages_of(3, [&](const Communicator& ranks) { flow.make<double>(flow.queue(), ranks); }),
              Each(AllOf(HasSubstr("5 layers of cells for 3 ranks, expected at least 6: 2 a rank"),
                         HasSubstr("Use at most 2 ranks"))));
  flow.cells = 9;
  EXPECT_THAT(messages_of(3,
                          [&](const Communicator& ranks) {
                            Gas<double> gas = flow.make<double>(flow.queue(), ranks);
                            std::vector<VelocityMoments> states = flow.start();
                            states[7].temperature = 30;
                            gas.start(states);
                          }),
              Each(HasSubstr("the start in cell 7")));
  EXPECT_THAT(messages_of(3,
                          [&](const Communicator& ranks) {
                            const Queue queue = flow.queue();
                            Gas<double> gas = flow.make<double>(queue, ranks);
                            std::vector<double> f(3 * 512, 1.0);
                            if (ranks.rank() > 0) f[512 + 5] = std::nan("");
                            gas.start(to_device(queue, f));
                          }),
              Each(HasSubstr("f is nan at node 5 of cell 4")));
  EXPECT_THAT(messages_of(2,
                          [&](const Communicator& ranks) {
                            const Queue queue = flow.queue();
                            Gas<double> gas = flow.make<double>(queue, ranks);
                            gas.start(to_device(queue, std::vector<double>(512, 1.0)));
                          }),
              Each(HasSubstr("f has 512 elements")));
  EXPECT_THAT(messages_of(3,
                          [&](const Communicator& ranks) {
                            const Queue queue = flow.queue();
                            Gas<double> gas = flow.make<double>(queue, ranks);
                            std::vector<double> f(3 * 512, 1.0);
                            if (ranks.rank() == 1) std::fill(f.begin() + 512, f.begin() + 1024, 0.0);
                            gas.start(to_device(queue, f));
                            gas.advance_to(0.1);
                          }),
              Each(AllOf(HasSubstr("cell 4 has a density of 0"), HasSubstr("rank 1 of 3"))));
}

/// Warnings name cells by their number among those of all ranks, in their order.
TEST_P(RankFlows, WarnAboutCellsOfAllRanks) {
  const RankFlow flow{.device = GetParam(),
                      .options = {.model = GasModel::boltzmann, .collision = {.directions = {.degree = 3}}},
                      .molecules = {.rate = 30}};
  const auto texts_on = [&](int count) {
    std::vector<std::vector<std::string>> texts(static_cast<std::size_t>(count));
    run_on_ranks(count, [&](const Communicator& ranks) {
      Gas<double> gas = flow.make<double>(flow.queue(), ranks);
      gas.start(flow.start());
      texts[static_cast<std::size_t>(ranks.rank())] = warning_texts(gas.warnings());
    });
    for (const std::vector<std::string>& of_rank : texts) EXPECT_EQ(of_rank, texts[0]);
    return texts[0];
  };
  const std::vector<std::string> expected = texts_on(1);
  EXPECT_GE(expected.size(), 2U);
  EXPECT_EQ(texts_on(3), expected);
}

}  // namespace
}  // namespace shoal::gas
