// SPDX-License-Identifier: Apache-2.0
#include <shoal/item/cells_item.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace shoal {
namespace {

TEST(CellAxis, IsTheFloorWithinTheBox) {
  const CellAxis<double> axis{.lower = -1, .inverse_spacing = 2, .cells = 4, .allowed_lower = -1, .allowed_upper = 1};
  EXPECT_EQ(axis.cell(-1), 0);
  EXPECT_EQ(axis.cell(-0.5000001), 0);
  EXPECT_EQ(axis.cell(-0.5), 1);
  EXPECT_EQ(axis.cell(0.999), 3);
}

TEST(CellAxis, TheUpperBoundBelongsToTheLastCell) {
  const CellAxis<float> axis{.lower = 0, .inverse_spacing = 10, .cells = 10, .allowed_lower = 0, .allowed_upper = 1};
  EXPECT_EQ(axis.cell(1.0f), 9);
  EXPECT_EQ(axis.cell(std::nextafter(1.0f, 0.0f)), 9);
  EXPECT_TRUE(axis.allows(1.0f));
  EXPECT_FALSE(axis.allows(std::nextafter(1.0f, 2.0f)));
  EXPECT_FALSE(axis.allows(-std::numeric_limits<float>::denorm_min()));
}

TEST(CellAxis, NaNAndInfinityAreNotAllowed) {
  const CellAxis<float> axis{.allowed_lower = -std::numeric_limits<float>::max(),
                             .allowed_upper = std::numeric_limits<float>::max()};
  EXPECT_FALSE(axis.allows(std::nanf("")));
  EXPECT_FALSE(axis.allows(INFINITY));
  EXPECT_FALSE(axis.allows(-INFINITY));
  EXPECT_TRUE(axis.allows(1e38f));
}

TEST(CellAxis, PeriodicAxesWrapTheNumberOfTheCell) {
  const CellAxis<double> axis{.lower = 0, .inverse_spacing = 4, .cells = 4, .periodic = true};
  EXPECT_EQ(axis.cell(0), 0);
  EXPECT_EQ(axis.cell(1), 0);
  EXPECT_EQ(axis.cell(1.26), 1);
  EXPECT_EQ(axis.cell(-0.001), 3);
  EXPECT_EQ(axis.cell(-0.25), 3);
  EXPECT_EQ(axis.cell(-0.2500001), 2);
  EXPECT_EQ(axis.cell(-1), 0);
  EXPECT_EQ(axis.cell(1e6 + 0.5), 2);
}

TEST(CellFormula, NumbersCellsWithXFastest) {
  CellFormula<double> formula;
  formula.axes[0] = {.lower = 0, .inverse_spacing = 1, .cells = 3, .allowed_upper = 3};
  formula.axes[1] = {.lower = 0, .inverse_spacing = 1, .cells = 4, .allowed_upper = 4};
  formula.axes[2] = {.lower = 0, .inverse_spacing = 1, .cells = 5, .allowed_upper = 5};
  EXPECT_EQ(formula.cell_count(), 60u);
  EXPECT_EQ(formula.cell(1.5, 2.5, 3.5), (3u * 4 + 2) * 3 + 1);
  EXPECT_EQ(formula.fault(1, 2, 3), 3);
  EXPECT_EQ(formula.fault(1, 2, 5.1), 2);
  EXPECT_EQ(formula.fault(-1, -1, -1), 0);
  EXPECT_EQ(formula.fault(1, std::nan(""), 9), 1);
}

TEST(CellFormula, IgnoresZInTwoDimensions) {
  CellFormula<float> formula;
  formula.dimensions = 2;
  formula.axes[0] = {.lower = 0, .inverse_spacing = 1, .cells = 3, .allowed_upper = 3};
  formula.axes[1] = formula.axes[0];
  EXPECT_EQ(formula.fault(1, 2, std::nanf("")), 2);
  EXPECT_EQ(formula.cell(1, 2, 99), 7u);
}

}  // namespace
}  // namespace shoal
