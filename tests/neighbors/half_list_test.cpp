// SPDX-License-Identifier: Apache-2.0
// Half lists: each pair of one set once, in the row of the smaller number.
#include <gtest/gtest.h>

#include "neighbors/brute_force.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class NeighborsHalfList : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsHalfList);

TEST_P(NeighborsHalfList, FourPointsOnALineByHand) {
  const auto points = on_a_line<double>({3, 2.5, 0, 2.25});
  const List half = find(queue(), mine({.radius = 1, .options = {.half = true}}), points);
  EXPECT_EQ(half, (List{{0, 2, 3, 3, 3}, {1, 3, 3}}));
  const List with_self = find(queue(), mine({.radius = 1, .options = {.include_self = true, .half = true}}), points);
  EXPECT_EQ(with_self, (List{{0, 3, 5, 6, 7}, {0, 1, 3, 1, 3, 2, 3}}));
}

/// The full list made of a half one.
List both_ways(const List& half) {
  std::vector<std::vector<std::int32_t>> rows(half.rows());
  for (std::size_t i = 0; i < half.rows(); ++i)
    for (const std::int32_t j : half.row(i)) {
      rows[i].push_back(j);
      if (static_cast<std::size_t>(j) != i) rows[static_cast<std::size_t>(j)].push_back(static_cast<std::int32_t>(i));
    }
  List full{{0}, {}};
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    full.add_row(row);
  }
  return full;
}

template <class Real>
void expect_halves(const Queue& queue, Search search, const Distribution<Real>& points) {
  search.options.half = false;
  const List full = find(queue, search, points);
  search.options.half = true;
  const List half = find(queue, search, points);
  EXPECT_TRUE(half == brute_force(search, points)) << points.name;
  EXPECT_TRUE(both_ways(half) == full) << points.name;
  for (std::size_t i = 0; i < half.rows(); ++i)
    for (const std::int32_t j : half.row(i)) ASSERT_GE(static_cast<std::size_t>(j), i) << points.name;
}

TEST_P(NeighborsHalfList, MakesTheFullListTogetherWithItsMirrorImage) {
  for (const bool include_self : {false, true}) {
    const NeighborsOptions options{.predicate = Predicate::inclusive, .include_self = include_self};
    for (const auto& points : every_distribution<float>(700)) {
      expect_halves(queue(), mine({0.1, {}, options}), points);
      expect_halves(queue(), mine({0.2, unit_periodic, options}), points);
      expect_halves(queue(), mine({0.05, {.dimensions = 1}, options}), points);
    }
    expect_halves(queue(), mine({0.1, {.dimensions = 2}, options}), clustered<double>(1'009));
  }
}

TEST_P(NeighborsHalfList, TakesThePairsOfSymmetricRadii) {
  auto points = uniform<float>(1'009);
  for (std::size_t i = 0; i < points.x.size(); ++i) points.radius.push_back(i % 7 == 0 ? 0.3F : 0.02F);
  expect_halves(queue(), mine({1, {}, {.radius = Radius::symmetric}}), points);
  expect_halves(queue(), mine({1, unit_periodic, {.radius = Radius::symmetric, .include_self = true}}), points);
}

TEST_P(NeighborsHalfList, OfTwoSetsIsTheFullOne) {
  const auto destinations = uniform<float>(131);
  const auto sources = uniform<float>(700, 2);
  const Search full = mine({.radius = 0.2});
  const Search half = mine({.radius = 0.2, .options = {.half = true}});
  EXPECT_TRUE(find(queue(), half, destinations, sources) == find(queue(), full, destinations, sources));
}

}  // namespace
}  // namespace shoal
