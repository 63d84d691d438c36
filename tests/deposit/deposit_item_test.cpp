// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "deposit/binning/device_grid.hpp"
#include "deposit/deposit_cases.hpp"
#include "deposit/sums/fixed_point_item.hpp"

namespace shoal::deposit {
namespace {

using namespace testing_support;

template <class Real>
void expect_weights_of_one(unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<Real> pick(0, 1);
  for (int trial = 0; trial < 10'000; ++trial) {
    const Real offset[3] = {pick(random), pick(random), pick(random)};
    const CornerWeights<Real> weights = corner_weights(offset);
    double sum = 0;
    for (int c = 0; c < 8; ++c) {
      EXPECT_GE(weights[c], 0);
      sum += weights[c];
    }
    EXPECT_NEAR(sum, 1, 5 * roundoff<Real>);  // 1 − offset and two products, rounded, and the sum in double
  }
}

TEST(DepositItem, WeightsAddUpToOne) {
  expect_weights_of_one<float>(1);
  expect_weights_of_one<double>(2);
}

TEST(DepositItem, WeightsOfAPlaceByHand) {
  const double offset[3] = {0.25, 0.5, 0};
  const CornerWeights<double> weights = corner_weights(offset);
  const double expected[8] = {0.375, 0.125, 0.375, 0.125, 0, 0, 0, 0};
  for (int c = 0; c < 8; ++c) EXPECT_EQ(weights[c], expected[c]) << c;
}

TEST(DepositItem, APositionIsInItsCell) {
  DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {1, 3, 1}, {false, true, false}};
  grid.stretch(0, {-1, 0, 0.5, 4});
  const DeviceGrid<double> memory(Queue::cpu(1), grid, {});
  const DepositAxis<double>& stretched = memory.space().axes[0];
  const auto expect_position = [](const AxisPosition<double>& position, int cell, double offset) {
    EXPECT_EQ(position.cell, cell);
    EXPECT_EQ(position.offset, offset);
  };
  expect_position(stretched.position(-1), 0, 0);
  expect_position(stretched.position(-0.5), 0, 0.5);
  expect_position(stretched.position(0), 1, 0);  // a node belongs to the cell above it
  expect_position(stretched.position(0.5), 2, 0);
  expect_position(stretched.position(4), 2, 1);  // but for the last one
  const DepositAxis<double>& periodic = memory.space().axes[1];
  expect_position(periodic.position(2.75), 2, 0.75);
  expect_position(periodic.position(3), 0, 0);
  expect_position(periodic.position(-0.25), 2, 0.75);
  EXPECT_EQ(periodic.node(2, 1), 0);
  EXPECT_EQ(periodic.cell_beside(0, 0), 2);
  EXPECT_EQ(stretched.cell_beside(0, 0), -1);
  EXPECT_EQ(stretched.cell_beside(3, 1), -1);
  EXPECT_EQ(stretched.cell_beside(3, 0), 2);
}

TEST(DepositItem, PlacesLieWithinOneSectorOfMemory) {
  EXPECT_EQ(sizeof(ParticlePosition<float>), 16);
  EXPECT_EQ(alignof(ParticlePosition<float>), 16);
  EXPECT_EQ(sizeof(ParticlePosition<double>), 32);
  EXPECT_EQ(alignof(ParticlePosition<double>), 32);
}

TEST(FixedPoint, SharesAddUpToTheWhole) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> pick(0, 1);
  const FixedPoint unit = FixedPoint::for_exponent(FixedPoint::exponent_of(1000));
  for (int trial = 0; trial < 10'000; ++trial) {
    const double offset[3] = {pick(random), pick(random), pick(random)};
    const CornerWeights<double> weights = corner_weights(offset);
    const double value = 2000 * (pick(random) - 0.5);
    std::int64_t share[8];
    split_value(unit, weights, 8, value, share);
    std::int64_t sum = 0;
    for (int c = 0; c < 8; ++c) {
      sum += share[c];
      EXPECT_NEAR(static_cast<double>(share[c]) * unit.inverse, weights[c] * value, 1e-12);
    }
    ASSERT_EQ(sum, unit.to_integer(value));
  }
}

TEST(FixedPoint, ExponentsHoldTheirRange) {
  EXPECT_EQ(FixedPoint::exponent_of(1), 0);
  EXPECT_EQ(FixedPoint::exponent_of(1.5), 1);
  EXPECT_EQ(FixedPoint::exponent_of(8), 3);
  EXPECT_EQ(FixedPoint::exponent_of(9), 4);
  EXPECT_EQ(FixedPoint::for_exponent(3).scale, 0x1p58);
  EXPECT_TRUE(std::isfinite(FixedPoint::for_exponent(-1074).scale));
}

}  // namespace
}  // namespace shoal::deposit
