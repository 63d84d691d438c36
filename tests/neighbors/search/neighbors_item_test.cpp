// SPDX-License-Identifier: Apache-2.0
#include <shoal/item/neighbors_item.hpp>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace shoal::neighbors {
namespace {

TEST(PairTest, ComparesTheSquaredDistance) {
  const PairTest<double> test;
  const Position<double> origin{0, 0, 0};
  EXPECT_TRUE(test.near<false>(origin, {3, 3.9, 0}, 25));
  EXPECT_FALSE(test.near<false>(origin, {3, 4, 0}, 25));
  EXPECT_FALSE(test.near<false>(origin, {3, 0, 4}, 25));
  EXPECT_TRUE(test.near<false>(origin, {-2, -3, 3.4}, 25));
}

TEST(PairTest, RoundsOnceInFma) {
  // 0.1f * 0.1f + 0.3f * 0.3f is 0x1.99999cp-4 with fma, and the float below it with two roundings.
  const PairTest<float> test;
  EXPECT_FALSE(test.near<false>({0.1f, 0.3f, 0}, {0, 0, 0}, 0x1.99999cp-4f));
  EXPECT_TRUE(test.near<false>({0.1f, 0.3f, 0}, {0, 0, 0}, std::nextafter(0x1.99999cp-4f, 1.0f)));
}

TEST(PairTest, TakesTheNearestImage) {
  const PairTest<double> test{.period = {1, 0, 0}, .inverse_period = {1, 0, 0}};
  EXPECT_TRUE(test.near<true>({0.02, 0, 0}, {0.98, 0, 0}, 0.01));
  EXPECT_TRUE(test.near<true>({0.98, 0, 0}, {0.02, 0, 0}, 0.01));
  EXPECT_TRUE(test.near<true>({1.02, 0, 0}, {-0.99, 0, 0}, 0.01));
  EXPECT_FALSE(test.near<true>({0, 0.02, 0}, {0, 0.98, 0}, 0.01));
}

/// Returns the cells of all runs. Expects that no cell occurs twice.
std::set<std::int64_t> cells_around(const SearchGrid<double>& grid, const Position<double>& position, double radius) {
  std::set<std::int64_t> cells;
  for_each_run(grid, position, radius * radius, [&](std::int32_t begin, std::int32_t end) {
    for (std::int64_t cell = begin; cell < end; ++cell) EXPECT_TRUE(cells.insert(cell).second) << cell;
  });
  return cells;
}

SearchGrid<double> unit_cells(int dimensions, std::array<int, 3> cells, bool periodic) {
  SearchGrid<double> grid;
  grid.cells.dimensions = dimensions;
  for (int axis = 0; axis < dimensions; ++axis)
    grid.cells.axes[axis] = {
        .lower = 0, .inverse_spacing = 1, .cells = cells[static_cast<std::size_t>(axis)], .periodic = periodic};
  return grid;
}

TEST(Runs, ReachAsFarAsTheRadius) {
  const auto grid = unit_cells(2, {5, 4, 1}, false);
  EXPECT_EQ(cells_around(grid, {2.5, 1.5, 0}, 0.9), (std::set<std::int64_t>{1, 2, 3, 6, 7, 8, 11, 12, 13}));
  EXPECT_EQ(cells_around(grid, {2.5, 1.5, 0}, 0.6), (std::set<std::int64_t>{2, 6, 7, 8, 12}));
  EXPECT_EQ(cells_around(grid, {2.5, 1.5, 0}, 0.4), (std::set<std::int64_t>{7}));
  EXPECT_EQ(cells_around(grid, {0.5, 3.5, 0}, 0.9), (std::set<std::int64_t>{10, 11, 15, 16}));
  EXPECT_EQ(cells_around(grid, {4.5, 0.5, 0}, 0.9), (std::set<std::int64_t>{3, 4, 8, 9}));
}

TEST(Runs, LeaveOutCornersBeyondTheRadius) {
  // The center of a cell is 0.5 away from the corner cell on two axes: 0.707 in total.
  const auto grid = unit_cells(3, {3, 3, 3}, false);
  EXPECT_EQ(cells_around(grid, {1.5, 1.5, 1.5}, 0.7).size(), 7u);
  EXPECT_EQ(cells_around(grid, {1.5, 1.5, 1.5}, 0.72).size(), 19u);
  EXPECT_EQ(cells_around(grid, {1.5, 1.5, 1.5}, 0.9).size(), 27u);
}

TEST(Runs, ReachThePointsNearAPointOutsideTheGrid) {
  const auto grid = unit_cells(2, {5, 4, 1}, false);
  EXPECT_EQ(cells_around(grid, {-0.5, -0.5, 0}, 0.9), (std::set<std::int64_t>{0}));
  EXPECT_EQ(cells_around(grid, {5.25, 2.5, 0}, 0.6), (std::set<std::int64_t>{9, 14, 19}));
  EXPECT_EQ(cells_around(grid, {99, 99, 0}, 0.9), (std::set<std::int64_t>{19}))
      << "points outside lie in the nearest cell";
}

TEST(Runs, WrapOnPeriodicAxes) {
  const auto grid = unit_cells(2, {5, 4, 1}, true);
  EXPECT_EQ(cells_around(grid, {0.5, 3.5, 0}, 0.9), (std::set<std::int64_t>{14, 10, 11, 19, 15, 16, 4, 0, 1}));
  EXPECT_EQ(cells_around(grid, {4.5, 1.5, 0}, 0.9), (std::set<std::int64_t>{3, 4, 0, 8, 9, 5, 13, 14, 10}));
  EXPECT_EQ(cells_around(grid, {-0.5, 5.5, 0}, 0.9), (std::set<std::int64_t>{3, 4, 0, 8, 9, 5, 13, 14, 10}));
}

TEST(Runs, VisitSmallPeriodicGridsOnce) {
  for (const int x : {1, 2, 3})
    for (const int z : {1, 2, 3}) {
      const auto grid = unit_cells(3, {x, 2, z}, true);
      EXPECT_EQ(cells_around(grid, {0.5, 1.5, z - 0.5}, 0.99).size(), static_cast<std::size_t>(x * 2 * z));
    }
}

TEST(Runs, OneDimension) {
  EXPECT_EQ(cells_around(unit_cells(1, {9, 1, 1}, false), {4.5, 0, 0}, 0.6), (std::set<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(cells_around(unit_cells(1, {9, 1, 1}, true), {0.2, 0, 0}, 0.6), (std::set<std::int64_t>{8, 0}));
}

TEST(PairRule, RejectsThePointItselfAndHalfOfThePairs) {
  PairRule rule;
  EXPECT_TRUE(rule.wants(4, 4)) << "between two sets all pairs are wanted";
  rule.one_set = true;
  EXPECT_FALSE(rule.wants(4, 4));
  EXPECT_TRUE(rule.wants(4, 3));
  rule.first_destination = 10;
  EXPECT_TRUE(rule.wants(4, 4));
  EXPECT_FALSE(rule.wants(4, 14));
  rule.half = true;
  EXPECT_FALSE(rule.wants(4, 13));
  EXPECT_FALSE(rule.wants(4, 14));
  EXPECT_TRUE(rule.wants(4, 15));
  rule.include_self = true;
  EXPECT_TRUE(rule.wants(4, 14));
}

}  // namespace
}  // namespace shoal::neighbors
