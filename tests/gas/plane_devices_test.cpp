// SPDX-License-Identifier: Apache-2.0
// Flows in a plane on CUDA: agreement with the CPU, the same bits on every run and across restarts.
#include "gas/both_devices.hpp"
#include "gas/planes.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

constexpr double rounding = 1e-12;

struct DevicePlane {
  GasOptions options;
  std::array<GasBoundary, 4> sides = different_sides();
  VelocityGrid grid = small_grid;
  int columns = 6, rows = 5;

  template <class Real>
  Gas<Real> on(DeviceKind device) const {
    Gas<Real> flow(queue_on(device), grid, plane_faces(columns, rows), sides, {.rate = 3}, options);
    flow.start(ripples(columns, rows));
    return flow;
  }
};

class PlaneOnCuda : public testing::Test {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(DeviceKind::cuda); }
};

class EveryModelInAPlaneOnCuda : public testing::TestWithParam<GasModel> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(DeviceKind::cuda); }

  DevicePlane plane() const { return {.options = {.model = GetParam(), .collision = {.directions = {.degree = 3}}}}; }
};
INSTANTIATE_TEST_SUITE_P(Gas, EveryModelInAPlaneOnCuda, testing::ValuesIn(every_model()),
                         [](const auto& test) { return std::string(to_name(test.param)) + "_cuda"; });

TEST_P(EveryModelInAPlaneOnCuda, StepsAreThoseOfTheCpu) {
  expect_agreement(plane(), [](auto& gas) { gas.advance_to(0.2); });
  expect_agreement<float>(
      plane(), [](auto& gas) { gas.advance_to(0.2); }, 1e-5);
}

TEST_P(EveryModelInAPlaneOnCuda, SweepsAndLocalStepsAreThoseOfTheCpu) {
  for (const SteadyMethod method : {SteadyMethod::sweeps, SteadyMethod::marching})
    expect_agreement(
        plane(), [&](auto& gas) { gas.advance_to_steady({.method = method, .max_iterations = 4}); }, 10 * rounding);
}

TEST_P(EveryModelInAPlaneOnCuda, MomentsFluxesAndResidualAreThoseOfTheCpu) {
  Gas<double> cpu = plane().on<double>(DeviceKind::cpu), cuda = plane().on<double>(DeviceKind::cuda);
  EXPECT_NEAR(cuda.residual() / cpu.residual(), 1, 1e-11);
  cpu.advance_to(0.1);
  cuda.advance_to(0.1);
  const std::vector<VelocityMoments> expected = cpu.moments(), moments = cuda.moments();
  ASSERT_EQ(moments.size(), expected.size());
  for (std::size_t i = 0; i < moments.size(); ++i) {
    EXPECT_NEAR(moments[i].density, expected[i].density, rounding);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(moments[i].velocity[k], expected[i].velocity[k], rounding);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(moments[i].heat_flux[k], expected[i].heat_flux[k], 10 * rounding);
  }
  const std::vector<GasFlux> cuda_fluxes = cuda.fluxes(), cpu_fluxes = cpu.fluxes();
  ASSERT_EQ(cuda_fluxes.size(), 4U);
  for (std::size_t side = 0; side < 4; ++side)
    for (const auto& [flux, reference] : {std::pair{cuda_fluxes[side], cpu_fluxes[side]},
                                          std::pair{cuda.clock().transfers[side], cpu.clock().transfers[side]}}) {
      EXPECT_NEAR(flux.mass, reference.mass, rounding);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(flux.momentum[k], reference.momentum[k], 10 * rounding);
      EXPECT_NEAR(flux.energy, reference.energy, 10 * rounding);
    }
  const std::vector<GasFlux> bottom = cuda.side_fluxes(2), expected_bottom = cpu.side_fluxes(2);
  ASSERT_EQ(bottom.size(), expected_bottom.size());
  for (std::size_t i = 0; i < bottom.size(); ++i)
    EXPECT_NEAR(bottom[i].momentum[0], expected_bottom[i].momentum[0], 10 * rounding);
}

TEST_P(EveryModelInAPlaneOnCuda, GivesTheSameBitsOnEveryRunAndAcrossRestarts) {
  const auto run = [&](bool stops) {
    Gas<double> gas = plane().on<double>(DeviceKind::cuda), second = plane().on<double>(DeviceKind::cuda);
    gas.advance_to(0.1);
    gas.advance_to_steady({.max_iterations = 3});
    Gas<double>& last = stops ? second : gas;
    if (stops) second.start(gas.f(), gas.clock());
    last.advance_to_steady({.max_iterations = 3});
    last.advance_to(0.15);
    return values(last, DeviceKind::cuda);
  };
  const std::vector<double> expected = run(false);
  EXPECT_EQ(run(false), expected);
  EXPECT_EQ(run(true), expected);
}

/// Planes of every size around the tiles and pieces of the kernels, with each kind of side.
TEST_F(PlaneOnCuda, EverySizeLimiterAndSideAgreesWithTheCpu) {
  const GasBoundary inflow{
      .kind = GasBoundaryKind::inflow, .temperature = 1.1, .velocity = {0.3, 0.1, 0}, .density = 0.9};
  const std::vector<std::array<GasBoundary, 4>> all_sides{
      different_sides(), periodic_sides, {specular_side, inflow, periodic_side, periodic_side}};
  const std::vector<std::array<int, 2>> sizes{{2, 2}, {3, 9}, {8, 4}, {9, 5}, {17, 3}, {2, 65}, {5, 70}, {9, 70}};
  for (const GasLimiter limiter : {GasLimiter::none, GasLimiter::minmod, GasLimiter::van_leer, GasLimiter::mc})
    for (const std::array<GasBoundary, 4>& sides : all_sides)
      for (const auto [columns, rows] : sizes) {
        SCOPED_TRACE(testing::Message() << to_name(limiter) << " " << to_name(sides[2].kind) << " " << columns << " by "
                                        << rows);
        const DevicePlane plane{.options = {.model = GasModel::none, .limiter = limiter},
                                .sides = sides,
                                .grid = {.nodes = 9, .half_width = 4.5},
                                .columns = columns,
                                .rows = rows};
        expect_agreement(plane, [](auto& gas) { gas.advance_to(0.005); });
        DevicePlane bgk = plane;
        bgk.options.model = GasModel::bgk;
        expect_agreement(bgk, [](auto& gas) { gas.advance_to_steady({.max_iterations = 2}); });
      }
}

/// Some steps of many inner cells, which advance beside those at the sides.
TEST_F(PlaneOnCuda, InnerCellsAndThoseAtTheSidesAgreeWithTheCpu) {
  for (const GasModel model : {GasModel::none, GasModel::bgk}) {
    const DevicePlane plane{
        .options = {.model = model}, .grid = {.nodes = 10, .half_width = 4.5}, .columns = 24, .rows = 40};
    expect_agreement(plane, [](auto& gas) { gas.advance_to(0.02); });
    expect_agreement<float>(
        plane, [](auto& gas) { gas.advance_to(0.02); }, 1e-5);
    const auto run = [&] {
      Gas<float> gas = plane.on<float>(DeviceKind::cuda);
      gas.advance_to(0.02);
      return values(gas, DeviceKind::cuda);
    };
    EXPECT_EQ(run(), run());
  }
}

}  // namespace
}  // namespace shoal::gas
