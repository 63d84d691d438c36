// SPDX-License-Identifier: Apache-2.0
// Bad arguments: each message names the argument, its value and what was expected; and warnings.
#include <limits>

#include "gas/flows.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using Ends = std::array<GasBoundary, 2>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string plan_message(const VelocityGrid& grid, const std::vector<double>& faces, const Ends& ends = {},
                         const GasOptions& options = {.model = GasModel::bgk}, const Molecules& molecules = {}) {
  return message_of([&] { Gas<double>(Queue::cpu(1), grid, faces, ends, molecules, options); });
}

std::string message_of_ends(const Ends& ends, const VelocityGrid& grid = small_grid) {
  return plan_message(grid, {0, 1, 2}, ends);
}

TEST(GasErrors, NameTheGridAndTheFaces) {
  EXPECT_EQ(plan_message({.nodes = 6}, {0, 1, 2}),
            "gas: a velocity grid of 6 nodes along each axis, expected 8 to 128.");
  EXPECT_EQ(plan_message({.nodes = 8, .half_width = 0}, {0, 1, 2}),
            "gas: the half width of the velocity grid is 0 m/s, expected a positive number.");
  EXPECT_EQ(plan_message({.nodes = 8, .half_width = 4, .center = {nan, 0, 0}}, {0, 1, 2}),
            "gas: the center of the velocity grid is not finite.");
  EXPECT_THAT(plan_message({.nodes = 8, .half_width = 4, .center = {5, 0, 0}}, {0, 1, 2}),
              HasSubstr("all nodes of the velocity grid move to the same side"));
  EXPECT_EQ(plan_message(small_grid, {0, 1}), "gas: 2 faces of cells, expected 3 or more, for two cells.");
  EXPECT_EQ(plan_message(small_grid, {0, 1, 1}),
            "gas: face 2 of the cells is at x = 1 m, expected finite positions in ascending order.");
  EXPECT_EQ(message_of([] { uniform_faces(1, 1, 4); }),
            "gas: the cells extend from 1 m to 1 m, expected finite ends in ascending order.");
  EXPECT_EQ(message_of([] { uniform_faces(0, 1, 1); }), "gas: 1 cells, expected 2 to 1000000.");
  EXPECT_EQ(message_of([] { stretched_faces(0, 1, 4, 0.5); }),
            "gas: wall_ratio is 0.5, expected the ratio of the widths of neighbors, 1 to 2.");
}

TEST(GasErrors, NameTheBoundary) {
  using enum GasBoundaryKind;
  EXPECT_EQ(message_of_ends({{{.kind = periodic}, {}}}),
            "gas: one boundary is periodic and the other is not. Make both periodic or none.");
  EXPECT_EQ(message_of_ends({{{}, {.temperature = 0}}}),
            "gas: the diffuse boundary at the last face has a temperature of 0 m2/s2, expected a positive number.");
  EXPECT_EQ(message_of_ends({{{.kind = inflow, .density = -1}, {}}}),
            "gas: the inflow boundary at the first face has a density of -1 1/m3, expected a positive number.");
  EXPECT_EQ(message_of_ends({{{.kind = inflow, .velocity = {nan, 0, 0}}, {}}}),
            "gas: the inflow boundary at the first face has a velocity that is not finite.");
  EXPECT_EQ(message_of_ends({{{.velocity = {0.5, 0, 0}}, {}}}),
            "gas: the diffuse boundary at the first face moves along x at 0.5 m/s, expected 0: the cells do not move. "
            "Let it move along y or z.");
  EXPECT_EQ(message_of_ends({{{.accommodation = 1.5}, {}}}),
            "gas: the diffuse boundary at the first face has accommodation 1.5, expected 0 to 1.");
  EXPECT_EQ(
      message_of_ends({{{}, {.kind = specular}}}, {.nodes = 8, .half_width = 4, .center = {0.5, 0, 0}}),
      "gas: the specular boundary at the last face reflects v_x, but the velocity grid has its center at v_x = 0.5 "
      "m/s, so reflected velocities are not nodes. Set the x component of the center to 0.");
  EXPECT_THAT(
      message_of_ends({{{.velocity = {0, 30, 0}}, {}}}),
      HasSubstr("has no Maxwellian of the boundary at the first face: density 1 1/m3, velocity (0, 30, 0) m/s"));
}

TEST(GasErrors, NameTheGradient) {
  const auto message = [](const GasGradients& gradients) {
    return plan_message(small_grid, {0, 1, 2}, {}, {.model = GasModel::bgk, .gradients = gradients});
  };
  EXPECT_EQ(message({.pressure = nan}), "gas: a gradient along y is nan 1/m, expected a finite number.");
  EXPECT_EQ(
      message({.temperature = 0.1, .base_density = -1}),
      "gas: the base state of the gradients has a density of -1 1/m3 and a temperature of 1 m2/s2, expected positive "
      "numbers.");
  EXPECT_THAT(message({.temperature = 0.1, .base_temperature = 1e-4}),
              HasSubstr("has no Maxwellian of the base state of the gradients"));
  EXPECT_EQ(message({.base_density = -1}), "no error") << "without a gradient there is no base state";
}

TEST(GasErrors, NameTheOption) {
  EXPECT_EQ(plan_message(small_grid, {0, 1, 2}, {}, {.step_share = 1.1}),
            "gas: step_share is 1.1, expected a share of the longest step, above 0 and at most 1.");
  EXPECT_EQ(plan_message(small_grid, {0, 1, 2}, {}, {.model = GasModel::es_bgk, .prandtl = 0.5}),
            "gas: the Prandtl number of es_bgk is 0.5, expected 2/3 to 1.");
  EXPECT_EQ(plan_message(small_grid, {0, 1, 2}, {}, {.model = GasModel::shakhov, .prandtl = 0}),
            "gas: the Prandtl number of shakhov is 0, expected a number above 0 and at most 1.");
  EXPECT_EQ(plan_message(small_grid, {0, 1, 2}, {}, {.model = GasModel::bgk}, {.rate = 0}),
            "collision: rate of the molecules is 0, but maxwell needs a positive number.");
  EXPECT_EQ(message_of([] { from_name<GasModel>("BGK"); }),
            "unknown name \"BGK\"; expected one of none, bgk, es_bgk, shakhov, boltzmann, aap.");
}

class GasCalls : public testing::Test {
 protected:
  Gas<double> gas{Queue::cpu(1), small_grid, {0, 1, 2}, {}, {.rate = 1}, {.model = GasModel::bgk}};
  std::vector<double> f = std::vector<double>(1024, 1e-3);
};

TEST_F(GasCalls, NeedAStart) {
  const char* expected = "gas: there is no distribution yet. Call start() first.";
  EXPECT_EQ(message_of([&] { gas.advance_to(1); }), expected);
  EXPECT_EQ(message_of([&] { gas.advance_to_steady(); }), expected);
  EXPECT_EQ(message_of([&] { gas.moments(); }), expected);
  EXPECT_EQ(message_of([&] { gas.fluxes(); }), expected);
  EXPECT_EQ(message_of([&] { gas.residual(); }), expected);
  EXPECT_EQ(message_of([&] { gas.warnings(); }), expected);
}

TEST_F(GasCalls, CheckTheStart) {
  EXPECT_EQ(message_of([&] { gas.start(std::vector<VelocityMoments>(3)); }),
            "gas: 3 states to start from, expected 2, the number of cells, or 1 for all.");
  EXPECT_THAT(message_of([&] {
                gas.start({state(1, {}, 1), state(1, {}, -1)});
              }),
              HasSubstr("has no Maxwellian of the start in cell 1"));
  EXPECT_THAT(message_of([&] { gas.start({state(-1, {}, 1)}); }), HasSubstr("density -1 1/m3"));
  const std::vector<double> short_f(512, 1);
  EXPECT_EQ(message_of([&] { gas.start(View<const double>(short_f)); }),
            "gas: f has 512 elements, expected 1024: 2 cells of 512 nodes.");
  f[515] = -1;
  EXPECT_EQ(message_of([&] { gas.start(View<const double>(f)); }),
            "gas: f is -1 at node 3 of cell 1, expected a finite number of 0 or more.");
  f[2] = nan;
  EXPECT_EQ(message_of([&] { gas.start(View<const double>(f)); }),
            "gas: f is nan at node 2 of cell 0, expected a finite number of 0 or more.");
  EXPECT_EQ(message_of([&] { gas.moments(); }), "gas: there is no distribution yet. Call start() first.");
}

TEST_F(GasCalls, CheckTheClockOfTheStart) {
  const auto message = [&](const GasClock& clock) {
    return message_of([&] { gas.start(View<const double>(f), clock); });
  };
  EXPECT_EQ(message({.time = nan}), "gas: the time at the start is nan s, expected a finite number.");
  const std::string counts =
      " evaluations at the start, expected numbers of 0 or more, and no more iterations than steps.";
  EXPECT_EQ(message({.steps = -1}), "gas: -1 steps, 0 iterations and 0" + counts);
  EXPECT_EQ(message({.steps = 1, .iterations = 2}), "gas: 1 steps, 2 iterations and 0" + counts);
  EXPECT_EQ(message({.evaluations = -3}), "gas: 0 steps, 0 iterations and -3" + counts);
  EXPECT_EQ(message({.steady_mass = -1}),
            "gas: the iteration keeps a mass of -1 1/m2, expected a finite number of 0 or more.");
  GasClock clock;
  clock.transfers[1].momentum[2] = nan;
  EXPECT_EQ(message(clock), "gas: a transfer at the start is nan, expected a finite number.");
}

TEST_F(GasCalls, CheckTimesAndIterations) {
  gas.start({state(1, {}, 1)});
  gas.advance_to(0.1);
  EXPECT_EQ(message_of([&] { gas.advance_to(0.05); }), "gas: cannot advance to 0.05 s, the time is 0.1 s.");
  EXPECT_EQ(message_of([&] { gas.advance_to(nan); }), "gas: cannot advance to nan s, the time is 0.1 s.");
  EXPECT_EQ(message_of([&] { gas.advance_to_steady({.residual = 0}); }),
            "gas: the residual of a steady state is 0, expected a positive number.");
  EXPECT_EQ(message_of([&] { gas.advance_to_steady({.max_iterations = 0}); }),
            "gas: max_iterations = 0, expected 1 or more.");
}

TEST_F(GasCalls, NameACellWithoutGas) {
  std::fill(f.begin() + 512, f.end(), 0.0);
  gas.start(View<const double>(f));
  EXPECT_THAT(message_of([&] { gas.advance_to(1); }), HasSubstr("gas: cell 1 has a density of 0 1/m3"));
}

TEST_F(GasCalls, NameACellWhoseMomentsAreNotFinite) {
  std::fill(f.begin() + 512, f.end(), 1e308);
  gas.start(View<const double>(f));
  const std::string message = message_of([&] { gas.advance_to(1); });
  EXPECT_THAT(message, HasSubstr("gas: cell 1 has a density of inf 1/m3 and a temperature of "));
  EXPECT_THAT(message, HasSubstr("expected positive numbers. f is not finite; reduce step_share."));
}

TEST(GasWarnings, NameCellsThatAreWiderThanAMeanFreePath) {
  const auto warnings = [](double rate, GasModel model) {
    Gas<double> gas(Queue::cpu(1), small_grid, {0, 0.5, 2}, {}, {.rate = rate}, {.model = model});
    gas.start({state(1, {}, 1)});
    return gas.warnings();
  };
  EXPECT_TRUE(warnings(1, GasModel::bgk).empty());
  EXPECT_TRUE(warnings(100, GasModel::none).empty());
  const std::vector<Warning> wide = warnings(100, GasModel::bgk);  // path: 1.25331 × 2 / 100
  ASSERT_EQ(wide.size(), 1U);
  EXPECT_EQ(wide[0].name, "cell_width");
  EXPECT_NEAR(wide[0].value, 1.5 / (1.2533141 * 0.02), 1e-3);
  EXPECT_THAT(wide[0].text(), HasSubstr("gas: cell 1 is 59.8"));
  EXPECT_THAT(wide[0].text(), HasSubstr("Use 60 times as many cells there."));
}

TEST(Faces, AreUniformOrGrowFromTheEnds) {
  EXPECT_EQ(uniform_faces(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(stretched_faces(0, 12, 4, 2), (std::vector<double>{0, 2, 6, 10, 12}));
  EXPECT_EQ(stretched_faces(0, 8, 3, 2), (std::vector<double>{0, 2, 6, 8}));
}

}  // namespace
}  // namespace shoal::gas
