// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/collision/directions.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/messages.hpp"

namespace shoal::collision {
namespace {

double double_factorial(int k) { return k <= 1 ? 1 : k * double_factorial(k - 2); }

/// Integral of x^a y^b z^c over the sphere.
double exact(int a, int b, int c) {
  if (a % 2 != 0 || b % 2 != 0 || c % 2 != 0) return 0;
  return 4 * std::numbers::pi * double_factorial(a - 1) * double_factorial(b - 1) * double_factorial(c - 1) /
         double_factorial(a + b + c + 1);
}

/// Powers 0, 1, ..., `degree` of the components of each direction.
std::vector<std::array<std::vector<double>, 3>> powers_of(const Directions& rule, int degree) {
  std::vector<std::array<std::vector<double>, 3>> powers(rule.point.size());
  for (std::size_t k = 0; k < powers.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int exponent = 0; exponent <= degree; ++exponent)
        powers[k][axis].push_back(std::pow(rule.point[k][axis], exponent));
  return powers;
}

double worst_error(const Directions& rule, int degree, int step) {
  const auto powers = powers_of(rule, degree);
  double worst = 0;
  for (int a = 0; a <= degree; a += step)
    for (int b = 0; a + b <= degree; b += step)
      for (int c = 0; a + b + c <= degree; c += step) {
        double sum = 0;
        for (std::size_t k = 0; k < rule.point.size(); ++k)
          sum += rule.weight[k] * powers[k][0][static_cast<std::size_t>(a)] *
                 powers[k][1][static_cast<std::size_t>(b)] * powers[k][2][static_cast<std::size_t>(c)];
        worst = std::max(worst, std::abs(sum - exact(a, b, c)));
      }
  return worst;
}

TEST(Directions, AreExactToTheirDegreeAndNoFurther) {
  for (const DirectionFamily family : {DirectionFamily::design, DirectionFamily::octahedral})
    for (int degree = 1; degree <= 19; ++degree) {
      const Directions half = directions({.family = family, .degree = degree});
      EXPECT_GE(half.degree, degree);
      if (degree % 2 == 0) continue;  // the rule of the next degree
      EXPECT_LE(worst_error(half, half.degree, 2), 1e-13) << to_name(family) << " " << degree;
      EXPECT_GE(worst_error(half, half.degree + 5, 2), 1e-6) << to_name(family) << " " << degree;
      for (const double weight : half.weight) EXPECT_GT(weight, 0);
      const Directions full = directions({.family = family, .degree = degree, .half = false});
      EXPECT_EQ(full.count(), 2 * half.count());
      EXPECT_LE(worst_error(full, full.degree, 1), 1e-13) << to_name(family) << " " << degree;
    }
}

TEST(Directions, HaveTheStatedCounts) {
  const int designs[] = {3, 6, 16, 24, 35, 47, 62, 78, 97};
  const int octahedral[] = {3, 7, 13, 19, 25, 43, 43, 55, 73};
  for (int k = 0; k < 9; ++k) {
    EXPECT_EQ(directions({.degree = 2 * k + 3}).count(), designs[k]);
    EXPECT_EQ(directions({.family = DirectionFamily::octahedral, .degree = 2 * k + 3}).count(), octahedral[k]);
  }
}

TEST(Directions, LebedevsWeightsOfDegreeSeven) {
  const Directions half = directions({.family = DirectionFamily::octahedral, .degree = 7});
  for (std::size_t k = 0; k < half.point.size(); ++k) {
    int zeros = 0;
    for (const double x : half.point[k]) zeros += std::abs(x) < 1e-12;
    const double share[] = {9 / 280., 4 / 105., 1 / 21.};  // corners, edges, vertices
    EXPECT_NEAR(half.weight[k] / (8 * std::numbers::pi), share[zeros], 1e-14);
  }
}

TEST(Directions, ErrorsNameTheAvailableDegrees) {
  EXPECT_EQ(testing_support::message_of([] { directions({.degree = 20}); }),
            "collision: design directions of degree 20 are not available, expected 1 to 19.");
  EXPECT_EQ(testing_support::message_of([] { directions({.degree = 0}); }),
            "collision: design directions of degree 0 are not available, expected 1 to 19.");
}

}  // namespace
}  // namespace shoal::collision
