// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gas/mixture_flows.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

std::string flow_message(const std::array<GasBoundary, 2>& ends, const GasOptions& options,
                         const Mixture& mixture = sphere_mixture()) {
  return message_of([&] { Gas<double>(Queue::cpu(1), small_grid, {0, 1, 2}, ends, mixture, options); });
}

TEST(MixtureFlowErrors, NameWhatIsForOneGas) {
  const std::array<GasBoundary, 2> walls = different_walls;
  EXPECT_EQ(flow_message(walls, {.model = GasModel::aap}), "no error");
  EXPECT_EQ(flow_message(walls, {.model = GasModel::es_bgk}),
            "gas: the model es_bgk is for one gas, and this is a mixture. Use aap, boltzmann or none.");
  EXPECT_EQ(flow_message(walls, {.model = GasModel::aap, .gradients = {.pressure = 0.1}}),
            "gas: gradients along y drive a mixture, expected one gas.");
  EXPECT_EQ(flow_message(walls, {}),
            "collision: a mixture needs approach spectral, got conservative. Set approach = \"spectral\".");
  EXPECT_EQ(message_of([] {
              Gas<double>(Queue::cpu(1), small_grid, {0, 1, 2}, different_walls, Molecules{}, {.model = GasModel::aap});
            }),
            "gas: the model aap is for a mixture, and this is one gas. Use bgk.");
}

TEST(MixtureFlowErrors, NameTheBoundaryOfASpecies) {
  std::array<GasBoundary, 2> ends = different_walls;
  ends[1] = {.kind = GasBoundaryKind::inflow, .second_density = -1};
  EXPECT_EQ(flow_message(ends, {.model = GasModel::aap}),
            "gas: the inflow boundary at the last face has a density of species 1 of -1 1/m3, expected a positive "
            "number.");
  ends = different_walls;
  ends[0].temperature = -1;
  EXPECT_THAT(flow_message(ends, {.model = GasModel::aap}),
              HasSubstr("diffuse boundary at the first face has a temperature of -1 m2/s2"));
  Mixture mixture = sphere_mixture();
  mixture.species[1].mass = 0;
  EXPECT_EQ(flow_message(different_walls, {.model = GasModel::aap}, mixture),
            "collision: the mass of the molecules of species 1 is 0, but a mixture needs a positive number.");
}

TEST(MixtureFlowErrors, NameTheCellOfASpecies) {
  const Mixture mixture = sphere_mixture();
  Gas<double> flow(Queue::cpu(1), small_grid, {0, 1, 2}, different_walls, mixture, {.model = GasModel::aap});
  EXPECT_EQ(message_of([&] { flow.start({state(1, {}, 1)}); }),
            "gas: 1 states to start from, expected 4, the number of cells, or 2, one for each species.");
  EXPECT_THAT(message_of([&] {
                flow.start({state(1, {}, 1), state(1, {}, 1), state(1, {}, 1), state(1, {9, 0, 0}, 1)});
              }),
              HasSubstr("has no Maxwellian of the start in cell 1 of species 1"));
  flow.start({state(1, {}, 1), state(1, {}, 1.5)});
  EXPECT_EQ(message_of([&] { flow.side_fluxes(4); }), "gas: there is no side 4, expected 0 to 3.");
  std::vector<double> f = distribution(flow);
  f[3 * 512 + 5] = -1;
  EXPECT_EQ(message_of([&] { flow.start(View<const double>(f)); }),
            "gas: f is -1 at node 5 of cell 1 of species 1, expected a finite number of 0 or more.");
}

TEST(MixtureFlowErrors, NameAnEmptyCellOfASpecies) {
  Gas<double> flow(Queue::cpu(1), small_grid, {0, 1, 2}, different_walls, sphere_mixture(), {.model = GasModel::aap});
  flow.start({state(1, {}, 1), state(1, {}, 1.5)});
  std::vector<double> f = distribution(flow);
  std::fill(f.end() - 512, f.end(), 0.0);
  flow.start(View<const double>(f));
  EXPECT_EQ(message_of([&] { flow.advance_to(1); }),
            "gas: cell 1 of species 1 has a density of 0 1/m3, expected a positive number: f is 0 at all of its nodes. "
            "Start with gas in each cell and of each species, of densities that the precision can represent.");
}

TEST(MixtureFlowErrors, WarnOfWideCellsOfASpecies) {
  const Mixture mixture = sphere_mixture();
  Gas<double> flow(Queue::cpu(1), small_grid, {0, 1, 9}, different_walls, mixture, {.model = GasModel::aap});
  flow.start({state(1, {}, 1), state(0.1, {}, 1.5)});
  const std::vector<Warning> warnings = flow.warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].message, HasSubstr("gas: cell 1 of species "));
  EXPECT_GT(warnings[0].value, 1);
}

}  // namespace
}  // namespace shoal::gas
