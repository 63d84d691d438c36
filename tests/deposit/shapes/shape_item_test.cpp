// SPDX-License-Identifier: Apache-2.0
// Weights of the shapes along one axis: numbers by hand, sum, first moment, sign, continuity, derivatives.
#include "deposit/shapes/shape_item.hpp"

#include "deposit/deposit_cases.hpp"

namespace shoal::deposit {
namespace {

using namespace testing_support;

constexpr MissingNodes inside{};
constexpr MissingNodes first_cell{.below = true};
constexpr MissingNodes last_cell{.above = true};
constexpr MissingNodes only_cell{.below = true, .above = true};

/// Weights of nodes c − 1 to c + 2.
template <class Real>
std::array<double, 4> at_nodes(const AxisWeights<Real>& weights, int count) {
  std::array<double, 4> result{};
  for (int i = 0; i < count; ++i) result[static_cast<std::size_t>(weights.first + i)] = weights.weight[i];
  return result;
}
template <class Shape, class Real>
std::array<double, 4> weights_at(Real offset, const MissingNodes& missing) {
  return at_nodes(Shape::weights(offset, missing), Shape::nodes);
}
template <class Shape>
std::array<double, 4> derivatives_at(double offset, const MissingNodes& missing) {
  return at_nodes(Shape::derivatives(offset, missing), Shape::nodes);
}

void expect_weights(const std::array<double, 4>& weights, const std::array<double, 4>& expected) {
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(weights[i], expected[i], 2 * roundoff<double>) << "node " << i;
}

TEST(ShapeItem, WeightsOfTscByHand) {
  expect_weights(weights_at<TscShape>(0.0, inside), {1.0 / 8, 3.0 / 4, 1.0 / 8, 0});
  expect_weights(weights_at<TscShape>(0.25, inside), {1.0 / 32, 11.0 / 16, 9.0 / 32, 0});
  expect_weights(weights_at<TscShape>(0.5, inside), {0, 1.0 / 2, 1.0 / 2, 0});
  expect_weights(weights_at<TscShape>(0.75, inside), {0, 9.0 / 32, 11.0 / 16, 1.0 / 32});
}

TEST(ShapeItem, WeightsOfPcsByHand) {
  expect_weights(weights_at<PcsShape>(0.0, inside), {1.0 / 6, 2.0 / 3, 1.0 / 6, 0});
  expect_weights(weights_at<PcsShape>(0.5, inside), {1.0 / 48, 23.0 / 48, 23.0 / 48, 1.0 / 48});
  expect_weights(weights_at<PcsShape>(1.0, inside), {0, 1.0 / 6, 2.0 / 3, 1.0 / 6});
}

TEST(ShapeItem, WeightsAtEndsByHand) {
  expect_weights(weights_at<TscShape>(0.25, first_cell), {0, 3.0 / 4, 1.0 / 4, 0});
  expect_weights(weights_at<TscShape>(0.75, last_cell), {0, 1.0 / 4, 3.0 / 4, 0});
  expect_weights(weights_at<TscShape>(0.75, first_cell), {0, 9.0 / 32, 11.0 / 16, 1.0 / 32});
  expect_weights(weights_at<PcsShape>(0.5, first_cell), {0, 25.0 / 48, 11.0 / 24, 1.0 / 48});
  expect_weights(weights_at<PcsShape>(0.5, last_cell), {1.0 / 48, 11.0 / 24, 25.0 / 48, 0});
  expect_weights(weights_at<PcsShape>(0.25, only_cell), {0, 3.0 / 4, 1.0 / 4, 0});
  for (const MissingNodes& missing : {first_cell, only_cell}) {
    expect_weights(weights_at<TscShape>(0.0, missing), {0, 1, 0, 0});
    expect_weights(weights_at<PcsShape>(0.0, missing), {0, 1, 0, 0});
  }
  for (const MissingNodes& missing : {last_cell, only_cell}) {
    expect_weights(weights_at<TscShape>(1.0, missing), {0, 0, 1, 0});
    expect_weights(weights_at<PcsShape>(1.0, missing), {0, 0, 1, 0});
  }
}

template <class Shape, class Real>
void expect_moments() {
  const Real tolerance = 8 * static_cast<Real>(roundoff<Real>);
  for (const MissingNodes& missing : {inside, first_cell, last_cell, only_cell})
    for (int step = 0; step <= 1000; ++step) {
      const Real offset = static_cast<Real>(step) / 1000;
      const std::array<double, 4> weights = weights_at<Shape>(offset, missing);
      double sum = 0, moment = 0;
      for (int i = 0; i < 4; ++i) {
        EXPECT_GE(weights[i], 0) << "offset " << offset;
        sum += weights[i];
        moment += weights[i] * (i - 1);
      }
      EXPECT_NEAR(sum, 1, tolerance) << "offset " << offset;
      EXPECT_NEAR(moment, offset, tolerance) << "offset " << offset;
      EXPECT_TRUE(!missing.below || weights[0] == 0);
      EXPECT_TRUE(!missing.above || weights[3] == 0);
    }
}

TEST(ShapeItem, WeightsKeepSumAndFirstMomentAndSign) {
  expect_moments<TscShape, float>();
  expect_moments<TscShape, double>();
  expect_moments<PcsShape, float>();
  expect_moments<PcsShape, double>();
}

TEST(ShapeItem, SplinesReproduceParabolasUpToAConstant) {
  for (const double offset : {0.0, 0.3, 0.5, 0.8, 1.0}) {
    for (const auto& [weights, variance] :
         {std::pair(weights_at<TscShape>(offset, inside), 1.0 / 4), {weights_at<PcsShape>(offset, inside), 1.0 / 3}}) {
      double second = 0;
      for (int i = 0; i < 4; ++i) second += weights[i] * (i - 1 - offset) * (i - 1 - offset);
      EXPECT_NEAR(second, variance, 1e-15) << "offset " << offset;
    }
  }
}

/// Weights and derivatives at the end of a cell are those at the beginning of the next one, a node further.
template <class Shape>
void expect_continuous(const MissingNodes& lower, const MissingNodes& upper) {
  const std::array<double, 4> before = weights_at<Shape>(1.0, lower), after = weights_at<Shape>(0.0, upper);
  const std::array<double, 4> slope = derivatives_at<Shape>(1.0, lower), next = derivatives_at<Shape>(0.0, upper);
  for (std::size_t i = 0; i + 1 < 4; ++i) {
    EXPECT_NEAR(before[i + 1], after[i], 1e-15) << "node " << i;
    EXPECT_NEAR(slope[i + 1], next[i], 1e-15) << "node " << i;
  }
}

TEST(ShapeItem, WeightsAndDerivativesAreContinuousAtNodes) {
  for (const MissingNodes& lower : {inside, first_cell})
    for (const MissingNodes& upper : {inside, last_cell}) {
      expect_continuous<TscShape>(lower, upper);
      expect_continuous<PcsShape>(lower, upper);
    }
}

TEST(ShapeItem, WeightsOfTscAreContinuousInTheMiddleOfACell) {
  for (const MissingNodes& missing : {inside, first_cell, last_cell, only_cell}) {
    const double below = std::nextafter(0.5, 0.0);
    const auto lower = weights_at<TscShape>(below, missing), upper = weights_at<TscShape>(0.5, missing);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(lower[i], upper[i], 1e-15) << "node " << i;
  }
}

template <class Shape>
void expect_derivatives() {
  constexpr double h = 1.0 / 1024;
  for (const MissingNodes& missing : {inside, first_cell, last_cell, only_cell})
    for (const double offset : {0.125, 0.375, 0.625, 0.875}) {
      const auto above = weights_at<Shape>(offset + h, missing), below = weights_at<Shape>(offset - h, missing);
      const auto slope = derivatives_at<Shape>(offset, missing);
      // Central differences of a cubic polynomial are wrong by its third derivative, at most 3, times h²/6.
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(slope[i], (above[i] - below[i]) / (2 * h), h * h) << offset;
    }
}

TEST(ShapeItem, DerivativesAreThoseOfTheWeights) {
  expect_derivatives<TscShape>();
  expect_derivatives<PcsShape>();
}

}  // namespace
}  // namespace shoal::deposit
