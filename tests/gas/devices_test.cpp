// SPDX-License-Identifier: Apache-2.0
// Flows on CUDA: agreement with the CPU, the same bits on every run and across restarts, errors.
#include "gas/both_devices.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

/// Cells of several pieces of the line, of unequal width.
constexpr int many_cells = 75;
constexpr double rounding = 1e-12;

struct DeviceFlow {
  GasOptions options;
  std::array<GasBoundary, 2> boundaries = different_walls;
  VelocityGrid grid = small_grid;
  int cells = 6;
  Molecules molecules = {.rate = 3};

  template <class Real>
  Gas<Real> on(DeviceKind device) const {
    Gas<Real> flow(queue_on(device), grid, stretched_faces(0, 2, cells, cells > 10 ? 1.02 : 1.1), boundaries, molecules,
                   options);
    flow.start(waves(cells));
    return flow;
  }
};

class GasOnCuda : public testing::Test {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(DeviceKind::cuda); }
};

class EveryModelOnCuda : public testing::TestWithParam<GasModel> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(DeviceKind::cuda); }

  DeviceFlow flow() const { return {.options = {.model = GetParam(), .collision = {.directions = {.degree = 3}}}}; }
};
INSTANTIATE_TEST_SUITE_P(Gas, EveryModelOnCuda, testing::ValuesIn(every_model()),
                         [](const auto& test) { return std::string(to_name(test.param)) + "_cuda"; });

TEST_P(EveryModelOnCuda, StepsAreThoseOfTheCpu) {
  expect_agreement(flow(), [](auto& gas) { gas.advance_to(0.3); });
  expect_agreement<float>(
      flow(), [](auto& gas) { gas.advance_to(0.3); }, 1e-5);
}

TEST_P(EveryModelOnCuda, SweepsAndLocalStepsAreThoseOfTheCpu) {
  for (const SteadyMethod method : {SteadyMethod::sweeps, SteadyMethod::marching})
    expect_agreement(
        flow(), [&](auto& gas) { gas.advance_to_steady({.method = method, .max_iterations = 4}); }, 10 * rounding);
}

TEST_P(EveryModelOnCuda, MomentsFluxesAndResidualAreThoseOfTheCpu) {
  Gas<double> cpu = flow().on<double>(DeviceKind::cpu), cuda = flow().on<double>(DeviceKind::cuda);
  EXPECT_NEAR(cuda.residual() / cpu.residual(), 1, 1e-11);
  cpu.advance_to(0.1);
  cuda.advance_to(0.1);
  const std::vector<VelocityMoments> expected = cpu.moments(), moments = cuda.moments();
  ASSERT_EQ(moments.size(), expected.size());
  for (std::size_t i = 0; i < moments.size(); ++i) {
    EXPECT_NEAR(moments[i].density, expected[i].density, rounding);
    EXPECT_NEAR(moments[i].temperature, expected[i].temperature, rounding);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(moments[i].velocity[k], expected[i].velocity[k], rounding);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(moments[i].stress[k], expected[i].stress[k], rounding);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(moments[i].heat_flux[k], expected[i].heat_flux[k], 10 * rounding);
  }
  for (std::size_t end = 0; end < 2; ++end)
    for (const auto& [flux, reference] : {std::pair{cuda.fluxes()[end], cpu.fluxes()[end]},
                                          std::pair{cuda.clock().transfers[end], cpu.clock().transfers[end]}}) {
      EXPECT_NEAR(flux.mass, reference.mass, rounding);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(flux.momentum[k], reference.momentum[k], rounding);
      EXPECT_NEAR(flux.energy, reference.energy, 10 * rounding);
    }
}

TEST_P(EveryModelOnCuda, GivesTheSameBitsOnEveryRunAndAcrossRestarts) {
  const auto run = [](Gas<double>& gas) {
    gas.advance_to(0.2);
    gas.advance_to_steady({.max_iterations = 3});
    return values(gas, DeviceKind::cuda);
  };
  Gas<double> first = flow().on<double>(DeviceKind::cuda), second = flow().on<double>(DeviceKind::cuda);
  const std::vector<double> expected = run(first);
  EXPECT_EQ(run(second), expected);

  Gas<double> whole = flow().on<double>(DeviceKind::cuda), continued = flow().on<double>(DeviceKind::cuda);
  whole.advance_to(0.1);
  const Queue queue = queue_on(DeviceKind::cuda);
  const Array<double> half = to_device(queue, values(whole, DeviceKind::cuda));
  queue.wait();
  continued.start(half.view(), whole.clock());
  whole.advance_to(0.2);
  continued.advance_to(0.2);
  EXPECT_EQ(values(continued, DeviceKind::cuda), values(whole, DeviceKind::cuda));
  EXPECT_EQ(continued.clock().steps, whole.clock().steps);
  EXPECT_EQ(continued.clock().evaluations, whole.clock().evaluations);
  EXPECT_EQ(continued.clock().transfers[0].energy, whole.clock().transfers[0].energy);
}

TEST_P(EveryModelOnCuda, LosesNoMassAtWallsAndBalancesTheRest) {
  Gas<double> gas = flow().on<double>(DeviceKind::cuda);
  const std::array<double, 5> before = totals(gas);
  gas.advance_to(0.5);
  const std::array<double, 5> after = totals(gas);
  EXPECT_NEAR(after[0], before[0], 1e-13);
  const auto& through = gas.clock().transfers;
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(after[axis + 1] - before[axis + 1], through[0].momentum[axis] - through[1].momentum[axis], 1e-13);
  EXPECT_NEAR(after[4] - before[4], through[0].energy - through[1].energy, 1e-13);
}

/// More steps than the device records fluxes of, and fluxes that an observer takes between them.
TEST_F(GasOnCuda, TransfersOfManyStepsAreThoseOfTheCpu) {
  const DeviceFlow flow{.options = {.model = GasModel::bgk, .step_share = 0.02}};
  Gas<double> cpu = flow.on<double>(DeviceKind::cpu), cuda = flow.on<double>(DeviceKind::cuda);
  cpu.advance_to(0.1);
  int taken = 0;
  cuda.advance_to(0.1, [&] { return ++taken % 3 != 0 || cuda.fluxes().size() == 2; });
  ASSERT_GT(cpu.clock().steps, 70);
  EXPECT_EQ(cuda.clock().steps, cpu.clock().steps);
  for (std::size_t end = 0; end < 2; ++end)
    EXPECT_NEAR(cuda.clock().transfers[end].energy, cpu.clock().transfers[end].energy, rounding);
}

/// Lines of one and of several pieces, of a number of nodes that is no multiple of a block.
TEST_F(GasOnCuda, EveryLimiterBoundaryAndLengthAgreesWithTheCpu) {
  const GasBoundary specular{.kind = GasBoundaryKind::specular};
  const GasBoundary inflow{
      .kind = GasBoundaryKind::inflow, .temperature = 1.1, .velocity = {0.3, 0, 0}, .density = 0.9};
  const std::vector<std::array<GasBoundary, 2>> ends{different_walls, periodic_ends, {specular, inflow}};
  for (const GasLimiter limiter : {GasLimiter::none, GasLimiter::minmod, GasLimiter::van_leer, GasLimiter::mc})
    for (const std::array<GasBoundary, 2>& boundaries : ends)
      for (const int cells : {2, 3, 32, 33, many_cells}) {
        SCOPED_TRACE(testing::Message() << to_name(limiter) << " " << to_name(boundaries[0].kind) << " " << cells);
        const DeviceFlow flow{.options = {.model = GasModel::none, .limiter = limiter},
                              .boundaries = boundaries,
                              .grid = {.nodes = 9, .half_width = 4.5},
                              .cells = cells};
        expect_agreement(flow, [](auto& gas) { gas.advance_to(0.02); });
        DeviceFlow bgk = flow;
        bgk.options.model = GasModel::bgk;
        expect_agreement(bgk, [](auto& gas) { gas.advance_to_steady({.max_iterations = 2}); });
      }
}

/// Walls that do not reflect may have a grid whose center moves.
TEST_F(GasOnCuda, AGridThatMovesAgreesWithTheCpu) {
  const DeviceFlow flow{.options = {.model = GasModel::shakhov},
                        .boundaries = {{{.temperature = 0.9}, {.temperature = 1.2}}},
                        .grid = {.nodes = 10, .half_width = 5, .center = {0.7, 0, 0.1}}};
  expect_agreement(flow, [](auto& gas) { gas.advance_to(0.2); });
}

TEST_F(GasOnCuda, GradientsDriveTheFlowOfTheCpu) {
  for (const GasModel model : {GasModel::none, GasModel::shakhov}) {
    const DeviceFlow flow{
        .options = {.model = model, .gradients = {.pressure = 0.02, .temperature = -0.01, .base_temperature = 1.1}}};
    expect_agreement(flow, [](auto& gas) { gas.advance_to(0.2); });
    expect_agreement(flow, [](auto& gas) { gas.advance_to_steady({.max_iterations = 3}); });
  }
}

TEST_F(GasOnCuda, AShockIsHeldAsOnTheCpuAndAcrossRestarts) {
  const VelocityGrid grid{.nodes = 12, .half_width = 6, .center = {1.3, 0, 0}};
  const GasBoundary ahead{.kind = GasBoundaryKind::inflow, .temperature = 1, .velocity = {1.8, 0, 0}, .density = 0.5};
  const DeviceFlow flow{.options = {.model = GasModel::bgk},
                        .boundaries = {{ahead, behind_shock(grid, ahead)}},
                        .grid = grid,
                        .cells = 33};
  for (const SteadyMethod method : {SteadyMethod::sweeps, SteadyMethod::marching}) {
    expect_agreement(
        flow, [&](auto& gas) { gas.advance_to_steady({.method = method, .max_iterations = 4}); }, 10 * rounding);
    Gas<double> whole = flow.on<double>(DeviceKind::cuda), continued = flow.on<double>(DeviceKind::cuda);
    whole.advance_to_steady({.method = method, .max_iterations = 3});
    const Queue queue = queue_on(DeviceKind::cuda);
    const Array<double> half = to_device(queue, values(whole, DeviceKind::cuda));
    queue.wait();
    continued.start(half.view(), whole.clock());
    whole.advance_to_steady({.method = method, .max_iterations = 2});
    continued.advance_to_steady({.method = method, .max_iterations = 2});
    EXPECT_EQ(values(continued, DeviceKind::cuda), values(whole, DeviceKind::cuda)) << to_name(method);
  }
}

TEST_F(GasOnCuda, MoleculesOfAnyExponentAgreeWithTheCpu) {
  const Molecules hard_spheres{.model = MoleculeModel::hard_sphere, .diameter = 0.6};
  Molecules vhs{.model = MoleculeModel::vhs, .diameter = 0.6, .viscosity_exponent = 0.74};
  vhs.reference_temperature = 1;
  vhs.mass = 1.380649e-23;
  for (const Molecules& molecules : {hard_spheres, vhs})
    for (const GasModel model : {GasModel::bgk, GasModel::boltzmann}) {
      const DeviceFlow flow{.options = {.model = model, .collision = {.directions = {.degree = 3}}},
                            .molecules = molecules};
      expect_agreement(flow, [](auto& gas) { gas.advance_to(0.1); });
      expect_agreement(flow, [](auto& gas) { gas.advance_to_steady({.max_iterations = 3}); });
    }
}

TEST_F(GasOnCuda, ErrorsNameTheFirstFault) {
  const Queue queue = queue_on(DeviceKind::cuda);
  Gas<double> gas(queue, small_grid, {0, 1, 2}, {}, {.rate = 1}, {.model = GasModel::bgk});
  EXPECT_EQ(message_of([&] { gas.moments(); }), "gas: there is no distribution yet. Call start() first.");
  std::vector<double> f(1024, 1e-3);
  const auto start = [&] {
    const Array<double> on_device = to_device(queue, f);
    gas.start(on_device.view());
    queue.wait();
  };
  EXPECT_THAT(message_of([&] { gas.start(View<const double>(f)); }), testing::HasSubstr("gas: f is on cpu"));
  f[515] = -1;
  EXPECT_EQ(message_of(start), "gas: f is -1 at node 3 of cell 1, expected a finite number of 0 or more.");
  f[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of(start), "gas: f is nan at node 2 of cell 0, expected a finite number of 0 or more.");
  f[2] = 1e-3;
  std::fill(f.begin() + 512, f.end(), 0.0);
  start();
  EXPECT_THAT(message_of([&] { gas.advance_to(1); }), testing::HasSubstr("gas: cell 1 has a density of 0 1/m3"));
  f[512 + 300] = 1;  // one node: a temperature of zero
  start();
  EXPECT_THAT(message_of([&] { gas.advance_to(1); }), testing::HasSubstr("gas: cell 1 has a density of 1 1/m3"));
}

TEST_F(GasOnCuda, WarningsAreThoseOfTheCpu) {
  DeviceFlow flow{.options = {.model = GasModel::bgk}, .molecules = {.rate = 300}};
  Gas<double> cpu = flow.on<double>(DeviceKind::cpu), cuda = flow.on<double>(DeviceKind::cuda);
  ASSERT_EQ(cuda.warnings().size(), 1U);
  const Warning warning = cuda.warnings()[0], expected = cpu.warnings()[0];
  EXPECT_EQ(warning.name, expected.name);
  EXPECT_NEAR(warning.value / expected.value, 1, rounding);
}

}  // namespace
}  // namespace shoal::gas
