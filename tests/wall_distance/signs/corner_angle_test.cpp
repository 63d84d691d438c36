// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/corner_angle_item.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace shoal::wall_distance {
namespace {

using std::numbers::pi;

TEST(CornerAngle, OfSidesByHand) {
  EXPECT_EQ(angle_of(0, 1), 0);
  EXPECT_EQ(angle_of(3, 0), pi / 2);
  EXPECT_EQ(angle_of(0, -2), pi);
  EXPECT_EQ(angle_of(1, 1), pi / 4);
  EXPECT_EQ(angle_of(1, -1), 3 * pi / 4);
  EXPECT_EQ(angle_of(0, 0), 0) << "no angle";
  EXPECT_EQ(angle_of(1e-300, 1), 1e-300);
}

TEST(CornerAngle, IsTheArcTangentToFourRoundingErrors) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> pick(-1, 1);
  for (int i = 0; i < 100'000; ++i) {
    const double sine = std::ldexp(std::abs(pick(random)), static_cast<int>(random() % 40) - 20), cosine = pick(random);
    const long double exact = std::atan2(static_cast<long double>(sine), static_cast<long double>(cosine));
    const double error = static_cast<double>(std::abs(static_cast<long double>(angle_of(sine, cosine)) - exact));
    ASSERT_LE(error, 0x1p-51 * static_cast<double>(exact)) << sine << " " << cosine;
  }
}

}  // namespace
}  // namespace shoal::wall_distance
