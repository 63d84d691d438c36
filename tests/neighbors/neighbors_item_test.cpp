// SPDX-License-Identifier: Apache-2.0
#include "neighbors/neighbors_item.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace shoal {
namespace {

TEST(PairTest, ComparesTheSquaredDistance) {
  const PairTest<double> test{.limit = 25};
  const Position<double> origin{0, 0, 0};
  EXPECT_TRUE(test.near<false>(origin, {3, 3.9, 0}));
  EXPECT_FALSE(test.near<false>(origin, {3, 4, 0}));
  EXPECT_FALSE(test.near<false>(origin, {3, 0, 4}));
  EXPECT_TRUE(test.near<false>(origin, {-2, -3, 3.4}));
}

TEST(PairTest, RoundsOnceInFma) {
  // 0.1f * 0.1f + 0.3f * 0.3f is 0x1.99999cp-4 with fma, and the float below it with two roundings.
  const PairTest<float> test{.limit = 0x1.99999cp-4f};
  EXPECT_FALSE(test.near<false>({0.1f, 0.3f, 0}, {0, 0, 0}));
  const PairTest<float> above{.limit = std::nextafter(test.limit, 1.0f)};
  EXPECT_TRUE(above.near<false>({0.1f, 0.3f, 0}, {0, 0, 0}));
}

TEST(PairTest, TakesTheNearestImage) {
  const PairTest<double> test{.limit = 0.01, .period = {1, 0, 0}, .inverse_period = {1, 0, 0}};
  EXPECT_TRUE(test.near<true>({0.02, 0, 0}, {0.98, 0, 0}));
  EXPECT_TRUE(test.near<true>({0.98, 0, 0}, {0.02, 0, 0}));
  EXPECT_TRUE(test.near<true>({1.02, 0, 0}, {-0.99, 0, 0}));
  EXPECT_FALSE(test.near<true>({0, 0.02, 0}, {0, 0.98, 0}));
}

/// The cells of all runs, and that no cell comes twice.
std::set<std::int64_t> cells_around(const CellFormula<double>& formula, const Position<double>& at) {
  const Stencil<double> stencil(formula, at);
  std::set<std::int64_t> cells;
  for (int r = 0; r < stencil.runs(); ++r) {
    const CellRun run = stencil.run(r);
    for (std::int64_t cell = run.begin; cell < run.end; ++cell) EXPECT_TRUE(cells.insert(cell).second) << cell;
  }
  return cells;
}

CellFormula<double> unit_cells(int dimensions, std::array<int, 3> cells, bool periodic) {
  CellFormula<double> formula;
  formula.dimensions = dimensions;
  for (int axis = 0; axis < dimensions; ++axis)
    formula.axes[axis] = {
        .lower = 0, .inverse_spacing = 1, .cells = cells[static_cast<std::size_t>(axis)], .periodic = periodic};
  return formula;
}

TEST(Stencil, NineCellsInTwoDimensions) {
  const auto formula = unit_cells(2, {5, 4, 1}, false);
  EXPECT_EQ(cells_around(formula, {2.5, 1.5, 0}), (std::set<std::int64_t>{1, 2, 3, 6, 7, 8, 11, 12, 13}));
  EXPECT_EQ(cells_around(formula, {0.5, 3.5, 0}), (std::set<std::int64_t>{10, 11, 15, 16}));
  EXPECT_EQ(cells_around(formula, {4.5, 0.5, 0}), (std::set<std::int64_t>{3, 4, 8, 9}));
}

TEST(Stencil, WrapsOnPeriodicAxes) {
  const auto formula = unit_cells(2, {5, 4, 1}, true);
  EXPECT_EQ(cells_around(formula, {0.5, 3.5, 0}), (std::set<std::int64_t>{14, 10, 11, 19, 15, 16, 4, 0, 1}));
  EXPECT_EQ(cells_around(formula, {4.5, 1.5, 0}), (std::set<std::int64_t>{3, 4, 0, 8, 9, 5, 13, 14, 10}));
}

TEST(Stencil, SmallPeriodicGridsAreVisitedOnce) {
  for (const int x : {1, 2, 3})
    for (const int z : {1, 2, 3}) {
      const auto formula = unit_cells(3, {x, 2, z}, true);
      const std::set<std::int64_t> cells = cells_around(formula, {0.5, 1.5, z - 0.5});
      EXPECT_EQ(cells.size(), static_cast<std::size_t>(x * 2 * z));
    }
}

TEST(Stencil, TwentySevenCellsInThreeDimensions) {
  EXPECT_EQ(cells_around(unit_cells(3, {4, 4, 4}, false), {1.5, 1.5, 1.5}).size(), 27u);
  EXPECT_EQ(cells_around(unit_cells(3, {4, 4, 4}, true), {0.5, 3.5, 0.5}).size(), 27u);
  EXPECT_EQ(cells_around(unit_cells(3, {4, 4, 4}, false), {-9, 0.5, 99}).size(), 8u);
}

}  // namespace
}  // namespace shoal
