// SPDX-License-Identifier: Apache-2.0
// Half lists: each pair within one set is listed once, in the row of the smaller number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/brute_force.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NeighborsHalfList : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsHalfList);

TEST_P(NeighborsHalfList, FourPointsOnALineByHand) {
  const auto points = on_a_line<double>({3, 2.5, 0, 2.25});
  const List half = find(queue(), with_this_method({.radius = 1, .options = {.half = true}}), points);
  EXPECT_EQ(half, (List{{0, 2, 3, 3, 3}, {1, 3, 3}}));
  const List with_self =
      find(queue(), with_this_method({.radius = 1, .options = {.include_self = true, .half = true}}), points);
  EXPECT_EQ(with_self, (List{{0, 3, 5, 6, 7}, {0, 1, 3, 1, 3, 2, 3}}));
}

/// Returns the full list of a half list.
List full_list(const List& half) {
  std::vector<std::vector<std::int32_t>> rows(half.row_count());
  for (std::size_t i = 0; i < half.row_count(); ++i)
    for (const std::int32_t j : half.row(i)) {
      rows[i].push_back(j);
      if (static_cast<std::size_t>(j) != i) rows[static_cast<std::size_t>(j)].push_back(static_cast<std::int32_t>(i));
    }
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return list_of_rows(rows);
}

template <class Real>
void expect_halves(const Queue& queue, Search search, const Distribution<Real>& points) {
  search.options.half = false;
  const List full = find(queue, search, points);
  search.options.half = true;
  const List half = find(queue, search, points);
  EXPECT_THAT(half, SameList(brute_force(search, points))) << points.name;
  EXPECT_THAT(full_list(half), SameList(full)) << points.name;
  for (std::size_t i = 0; i < half.row_count(); ++i)
    for (const std::int32_t j : half.row(i)) ASSERT_GE(static_cast<std::size_t>(j), i) << points.name;
}

TEST_P(NeighborsHalfList, AndItsTransposeAreTheFullList) {
  for (const bool include_self : {false, true}) {
    const NeighborsOptions options{.predicate = Predicate::inclusive, .include_self = include_self};
    for (const auto& points : every_distribution<float>(700)) {
      expect_halves(queue(), with_this_method({0.1, {}, options}), points);
      expect_halves(queue(), with_this_method({0.2, unit_periodic, options}), points);
      expect_halves(queue(), with_this_method({0.05, {.dimensions = 1}, options}), points);
    }
    expect_halves(queue(), with_this_method({0.1, {.dimensions = 2}, options}), clustered<double>(1'009));
  }
}

TEST_P(NeighborsHalfList, ListsThePairsOfSymmetricRadii) {
  auto points = uniform<float>(1'009);
  for (std::size_t i = 0; i < points.x.size(); ++i) points.radius.push_back(i % 7 == 0 ? 0.3F : 0.02F);
  expect_halves(queue(), with_this_method({1, {}, {.radius = Radius::symmetric}}), points);
  expect_halves(queue(), with_this_method({1, unit_periodic, {.radius = Radius::symmetric, .include_self = true}}),
                points);
}

TEST_P(NeighborsHalfList, BetweenTwoSetsIsTheFullList) {
  const auto destinations = uniform<float>(131);
  const auto sources = uniform<float>(700, 2);
  const Search full = with_this_method({.radius = 0.2});
  const Search half = with_this_method({.radius = 0.2, .options = {.half = true}});
  EXPECT_THAT(find(queue(), half, destinations, sources), SameList(find(queue(), full, destinations, sources)));
}

}  // namespace
}  // namespace shoal::neighbors
