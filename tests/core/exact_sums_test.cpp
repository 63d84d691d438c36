// SPDX-License-Identifier: Apache-2.0
// Sums whose bits do not depend on the order of their terms.
#include <gtest/gtest.h>
#include <ranks/exact_sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace shoal {
namespace {

std::vector<double> terms_of_many_sizes(std::size_t count) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> pick(-1, 1);
  std::vector<double> terms(count);
  for (double& term : terms) term = pick(random) * std::exp2(40 * pick(random));
  return terms;
}

double sum(const std::vector<double>& terms, int threads = 1) {
  const auto values = [&](std::int64_t, std::int64_t i, std::array<double, 1>& value) {
    value[0] = terms[static_cast<std::size_t>(i)];
  };
  return exact_sums<1>(Communicator::alone(), threads, 1, static_cast<std::int64_t>(terms.size()), values)
      .front()
      .sum[0];
}

TEST(ExactSums, HaveTheSameBitsInAnyOrderOnAnyNumberOfThreads) {
  std::vector<double> terms = terms_of_many_sizes(20'000);
  const double expected = sum(terms);
  std::mt19937_64 random(5);
  for (int threads = 1; threads <= 3; ++threads) {
    std::shuffle(terms.begin(), terms.end(), random);
    EXPECT_EQ(sum(terms, threads), expected);
  }
  const long double longer = std::accumulate(terms.begin(), terms.end(), 0.0L);
  EXPECT_NEAR(expected, static_cast<double>(longer), 1e-15 * std::exp2(40));
}

TEST(ExactSums, OfWholeNumbersAreExact) {
  EXPECT_EQ(sum({3, 5, -7, 1e15, -1e15}), 1);
  EXPECT_EQ(sum(std::vector<double>(100'000, 0.1)), 100'000 * 0.1);
  EXPECT_EQ(sum({}), 0);
  EXPECT_EQ(sum({0, -0.0}), 0);
  EXPECT_EQ(sum({1e-310, 1e-310}), 0);  // below the smallest unit
  EXPECT_EQ(sum({std::numeric_limits<double>::max(), -std::numeric_limits<double>::max()}), 0);
}

TEST(ExactSums, WithATermThatIsNotFiniteAreNoNumber) {
  EXPECT_TRUE(std::isnan(sum({1, std::numeric_limits<double>::quiet_NaN(), 2})));
  EXPECT_TRUE(std::isnan(sum({1, std::numeric_limits<double>::infinity()})));
}

TEST(ExactSums, SeparateGroupsAndQuantities) {
  const auto values = [](std::int64_t group, std::int64_t i, std::array<double, 2>& value) {
    value = {static_cast<double>(i + group), i == 3 ? -2.5 : 0.5};
  };
  const auto groups = exact_sums<2>(Communicator::alone(), 2, 2, 10, values);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].sum[0], 45);
  EXPECT_EQ(groups[1].sum[0], 55);
  EXPECT_EQ(groups[1].sum[1], 2);
  EXPECT_EQ(groups[0].largest[0], 9);
  EXPECT_EQ(groups[1].largest[1], 2.5);
}

}  // namespace
}  // namespace shoal
