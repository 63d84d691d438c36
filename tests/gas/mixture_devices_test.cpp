// SPDX-License-Identifier: Apache-2.0
// Flows of mixtures on both devices.
#include "gas/both_devices.hpp"
#include "gas/mixture_flows.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

struct MixtureLine {
  Mixture mixture;
  GasOptions options;
  std::array<GasBoundary, 2> ends = different_walls;
  int cells = 7;
  VelocityGrid grid = small_grid;

  template <class Real>
  Gas<Real> on(DeviceKind device) const {
    Gas<Real> flow(queue_on(device), grid, stretched_faces(0, 3, cells, cells > 10 ? 1.01 : 1.2),
                   with_densities(ends, {1, 0.5}), mixture, options);
    flow.start(mixture_waves(cells));
    return flow;
  }
};

class MixturesOnCuda : public testing::Test {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(DeviceKind::cuda); }
};

TEST_F(MixturesOnCuda, StepsAreThoseOfTheCpu) {
  for (const Mixture& mixture : {maxwell_mixture(), sphere_mixture()})
    for (const GasModel model : {GasModel::aap, GasModel::boltzmann, GasModel::none})
      expect_agreement(MixtureLine{mixture, {.model = model, .collision = coarse_spectral()}},
                       [](Gas<double>& flow) { flow.advance_to(0.3); });
}

/// Lines around the pieces of 32 cells that a thread visits, of nodes that do not fill blocks of threads.
TEST_F(MixturesOnCuda, StepsOfLongLinesAreThoseOfTheCpu) {
  for (const std::array<GasBoundary, 2>& ends : {different_walls, periodic_ends})
    for (const int cells : {31, 32, 33, 64, 65, 88, 131}) {
      SCOPED_TRACE(testing::Message() << to_name(ends[0].kind) << " " << cells);
      const MixtureLine line{maxwell_mixture(), {.model = GasModel::aap}, ends, cells, {.nodes = 9, .half_width = 4.5}};
      expect_agreement(line, [](Gas<double>& flow) { flow.advance_to(0.02); });
      expect_agreement<float>(
          line, [](Gas<float>& flow) { flow.advance_to(0.02); }, 1e-5);
    }
}

TEST_F(MixturesOnCuda, SweepsAreThoseOfTheCpu) {
  const GasBoundary inflow{.kind = GasBoundaryKind::inflow, .velocity = {0.2, 0, 0}};
  for (const GasModel model : {GasModel::aap, GasModel::boltzmann})
    expect_agreement(MixtureLine{sphere_mixture(), {.model = model, .collision = coarse_spectral()}, {inflow, inflow}},
                     [](Gas<double>& flow) { flow.advance_to_steady({.max_iterations = 5}); });
}

/// Between walls, where each sweep scales f of each species to its mass.
TEST_F(MixturesOnCuda, SweepsBetweenWallsAreThoseOfTheCpu) {
  for (const int anderson : {0, 2})
    expect_agreement(MixtureLine{sphere_mixture(), {.model = GasModel::aap}},
                     [=](Gas<double>& flow) { flow.advance_to_steady({.anderson = anderson, .max_iterations = 5}); });
}

TEST_F(MixturesOnCuda, FluxesAreThoseOfTheCpu) {
  const MixtureLine line{sphere_mixture(), {.model = GasModel::aap}};
  Gas<double> cpu = line.on<double>(DeviceKind::cpu), cuda = line.on<double>(DeviceKind::cuda);
  cpu.advance_to(0.2);
  cuda.advance_to(0.2);
  const std::vector<GasFlux> expected = cpu.fluxes(), fluxes = cuda.fluxes();
  ASSERT_EQ(fluxes.size(), 4u);
  for (std::size_t side = 0; side < 4; ++side) {
    EXPECT_NEAR(fluxes[side].energy, expected[side].energy, 1e-12);
    EXPECT_NEAR(fluxes[side].momentum[0], expected[side].momentum[0], 1e-12);
    EXPECT_NEAR(cuda.clock().transfers[side].energy, cpu.clock().transfers[side].energy, 1e-12);
  }
}

}  // namespace
}  // namespace shoal::gas
