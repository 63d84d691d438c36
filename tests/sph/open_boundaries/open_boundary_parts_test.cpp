// SPDX-License-Identifier: Apache-2.0
// Parts of open boundaries: the fit of the fluid, speeds over time, and profiles over the section.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sph/open_boundaries/fluid_fit_item.hpp"
#include "sph/open_boundaries/inflow_speed_item.hpp"
#include "sph/open_boundaries/velocity_profiles_item.hpp"

namespace shoal::sph {
namespace {

/// Values that change linearly, of a fit in three dimensions.
FluidFit<3>::Values linear_values(const FluidFit<3>::Vector& x) {
  return {2 + 3 * x[0] - x[1] + 0.5 * x[2], 1 - x[0], 4 * x[1] + x[2], 7};
}

/// Random points within two smoothing lengths, half of the space if `one_side`.
FluidFit<3> fit_of_cloud(bool one_side) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> along(-2, 2);
  FluidFit<3> fit;
  for (int k = 0; k < 200; ++k) {
    FluidFit<3>::Vector x{along(random), along(random), along(random)};
    if (one_side) x[0] = std::abs(x[0]);
    const double q = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (q < 2) fit.add({x, 0.3 * (2 - q), -0.2 * (2 - q), linear_values(x)});
  }
  return fit;
}

TEST(FluidFit, IsExactForLinearValuesOfAnyParticles) {
  for (const bool one_side : {false, true}) {
    const FluidFit<3>::Vector away{-1.5, 0.4, 0.2};
    const auto values = fit_of_cloud(one_side).values_at(away, Extrapolation::linear), expected = linear_values(away);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(values[k], expected[k], 1e-9);
  }
}

TEST(FluidFit, ConstantIsTheMeanWherever) {
  FluidFit<2> fit;
  EXPECT_FALSE(fit.has_fluid());
  fit.add({{1, 0}, 0.25, -1, {4, 0, 8}});
  fit.add({{0, 1}, 0.75, -1, {8, 4, 8}});
  EXPECT_TRUE(fit.has_fluid());
  const auto values = fit.values_at({5, -5}, Extrapolation::constant);
  EXPECT_DOUBLE_EQ(values[0], 7);
  EXPECT_DOUBLE_EQ(values[1], 3);
  EXPECT_DOUBLE_EQ(values[2], 8);
}

TEST(FluidFit, TooFewParticlesForAGradientGiveTheMean) {
  FluidFit<2> fit;  // all on a line through the point
  for (const double x : {-1.0, -0.5, 0.5}) fit.add({{x, x}, 0.5, -0.5, {x, 1, 2}});
  const auto values = fit.values_at({1, 0}, Extrapolation::linear);
  EXPECT_NEAR(values[0], -1.0 / 3, 1e-12);
  EXPECT_NEAR(values[1], 1, 1e-12);
}

TEST(FluidFit, HasTheValuesOfItsSums) {
  using Fit = FluidFit<2>;
  const Fit::Terms terms[] = {{{0.5, -0.25}, 0.25, -1, {4, 1, 8}},
                              {{-0.5, 0.75}, 0.75, -0.5, {8, 4, 2}},
                              {{0.25, 0.5}, 0.5, -0.75, {-1, 3, 5}}};
  Fit fit;
  double sum[Fit::sums] = {};
  Fit::Values lowest{-1, 1, 2}, highest{8, 4, 8};
  for (const Fit::Terms& particle : terms) {
    fit.add(particle);
    for (int k = 0; k < Fit::sums; ++k)
      sum[k] += particle.weight[k / Fit::Terms::factors] * particle.factor[k % Fit::Terms::factors];
  }
  const auto values = Fit(sum, lowest, highest).values_at({0.1, 0.2}, Extrapolation::linear),
             expected = fit.values_at({0.1, 0.2}, Extrapolation::linear);
  for (int k = 0; k < Fit::fields; ++k) EXPECT_EQ(values[k], expected[k]);
}

/// Speed of an inlet with its knots.
struct KnownSpeed {
  std::vector<InflowKnot> knots;

  explicit KnownSpeed(const OpenBoundary& inlet) : knots(inflow_knots(inlet)) {}
  InflowSpeed inflow() const { return {knots.data(), static_cast<int>(knots.size())}; }
  double speed(double time) const { return inflow().speed(time); }
  double distance(double time) const { return inflow().distance(time); }
};

TEST(InflowSpeed, ARampGrowsLinearly) {
  const KnownSpeed speed({.velocity = 3, .ramp = 2});
  EXPECT_EQ(speed.speed(0), 0);
  EXPECT_DOUBLE_EQ(speed.speed(1), 1.5);
  EXPECT_EQ(speed.speed(5), 3);
  EXPECT_DOUBLE_EQ(speed.distance(1), 0.75);
  EXPECT_DOUBLE_EQ(speed.distance(2), 3);
  EXPECT_DOUBLE_EQ(speed.distance(4), 9);
}

TEST(InflowSpeed, WithoutARampIsConstant) {
  const KnownSpeed speed({.velocity = 3});
  EXPECT_EQ(speed.speed(0), 3);
  EXPECT_DOUBLE_EQ(speed.distance(0.5), 1.5);
}

TEST(InflowSpeed, ATableIsConstantBeforeAndAfter) {
  const KnownSpeed speed({.times = {1, 2, 4}, .speeds = {2, 4, 0}});
  EXPECT_EQ(speed.speed(0), 2);
  EXPECT_DOUBLE_EQ(speed.speed(1.5), 3);
  EXPECT_DOUBLE_EQ(speed.speed(3), 2);
  EXPECT_EQ(speed.speed(9), 0);
  EXPECT_DOUBLE_EQ(speed.distance(1), 2);
  EXPECT_DOUBLE_EQ(speed.distance(2), 5);
  EXPECT_DOUBLE_EQ(speed.distance(3), 8);
  EXPECT_DOUBLE_EQ(speed.distance(9), 9);
}

TEST(InflowSpeed, ATableMayBeginBeforeTheRun) {
  const KnownSpeed speed({.times = {-1, 1}, .speeds = {0, 2}});
  EXPECT_DOUBLE_EQ(speed.speed(0), 1);
  EXPECT_DOUBLE_EQ(speed.distance(1), 1.5);
}

TEST(VelocityProfiles, HaveTheirFormulas) {
  const auto factor = [](VelocityProfile kind, double s, double r) {
    return VelocityProfiles::visit(kind, [&]<class Profile> { return Profile::factor(s, r); });
  };
  EXPECT_EQ(factor(VelocityProfile::uniform, 0.3, 0.1), 1);
  EXPECT_EQ(factor(VelocityProfile::linear, 0.3, 0.1), 0.3);
  EXPECT_DOUBLE_EQ(factor(VelocityProfile::parabolic, 0.25, 0.5), 0.75);
  EXPECT_DOUBLE_EQ(factor(VelocityProfile::parabolic, 0.25, 0.25), 0.75 * 0.75);
  EXPECT_EQ(factor(VelocityProfile::parabolic, 0.25, 0), 0);
  EXPECT_DOUBLE_EQ(factor(VelocityProfile::power, 1.0 / 128, 0.5), 0.5);
}

}  // namespace
}  // namespace shoal::sph
