// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/error.hpp>
#include <shoal/grid.hpp>

#include <cmath>

namespace shoal {
namespace {

TEST(GridFill, MakesCellsOfAtLeastTheSpacing) {
  const Grid grid = Grid::fill(3, {0, -1, 2}, {1, 1, 2.5}, 0.3);
  EXPECT_EQ(grid.cells, (std::array<std::int64_t, 3>{3, 6, 1}));
  EXPECT_DOUBLE_EQ(grid.spacing[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(grid.upper(1), 1);
  EXPECT_EQ(grid.cell_count(), 18);
}

TEST(GridFill, IgnoresZInTwoDimensions) {
  const Grid grid = Grid::fill(2, {0, 0, 5}, {1, 1, 5}, 0.5);
  EXPECT_EQ(grid.cells, (std::array<std::int64_t, 3>{2, 2, 1}));
}

TEST(GridNodes, PeriodicAxesHaveAsManyNodesAsCells) {
  EXPECT_EQ(Grid::fill(2, {}, {1, 1, 0}, 0.25).node_count(), 25);
  EXPECT_EQ(Grid::fill(2, {}, {1, 1, 0}, 0.25, {true, false, false}).node_count(), 20);
  EXPECT_EQ(Grid::fill(3, {}, {1, 1, 1}, 0.5).node_count(), 27);
}

std::string message_of(const Grid& grid) {
  try {
    require_valid(grid);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(GridErrors, NameTheMember) {
  EXPECT_EQ(message_of({.dimensions = 4}), "grid: dimensions = 4, expected 2 or 3.");
  EXPECT_EQ(message_of({.cells = {1, 0, 1}}), "grid: 0 cells along y, expected at least 1.");
  EXPECT_EQ(message_of({.spacing = {1, 1, -2}}), "grid: spacing = -2 m along z, expected a positive length.");
  EXPECT_EQ(message_of({.origin = {std::nan(""), 0, 0}}), "grid: origin = nan m along x, expected a finite value.");
  EXPECT_EQ(message_of({.dimensions = 2, .cells = {1, 1, 2}}), "grid: a 2-D grid has 2 cells along z, expected 1.");
  EXPECT_EQ(message_of({.cells = {2000, 2000, 2000}}),
            "grid: 8000000000 cells, expected at most 2147483646. Enlarge the spacing.");
}

TEST(GridErrors, FillNamesTheBox) {
  EXPECT_THROW(Grid::fill(1, {}, {1, 1, 1}, 1), Error);
  EXPECT_THROW(Grid::fill(3, {}, {1, 1, 1}, 0), Error);
  EXPECT_THROW(Grid::fill(3, {}, {1, 1, 1}, INFINITY), Error);
  EXPECT_THROW(Grid::fill(3, {}, {1, 0, 1}, 1), Error);
}

TEST(GridErrors, FillRefusesMoreCellsThanCanBeNumbered) {
  const auto message_of_fill = [](double length, double spacing) -> std::string {
    try {
      Grid::fill(2, {}, {spacing, length, 0}, spacing);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message_of_fill(1e308, 1e-300),
            "grid: inf cells along y, expected at most 2147483646. Enlarge the spacing.");
  EXPECT_EQ(message_of_fill(1e30, 1), "grid: 1e+30 cells along y, expected at most 2147483646. Enlarge the spacing.");
}

}  // namespace
}  // namespace shoal
