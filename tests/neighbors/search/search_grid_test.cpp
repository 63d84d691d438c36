// SPDX-License-Identifier: Apache-2.0
#include "neighbors/search/search_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <shoal/item/neighbors_item.hpp>

namespace shoal::neighbors {
namespace {

template <class Real>
SearchSpace<Real> space_of(int dimensions, bool periodic, double lower, double upper, std::int64_t max_cells) {
  SearchSpace<Real> space;
  space.dimensions = dimensions;
  space.max_cells = max_cells;
  for (int axis = 0; axis < dimensions; ++axis) {
    space.periodic[axis] = periodic;
    space.lower[axis] = lower;
    space.upper[axis] = upper;
  }
  return space;
}

template <class Real>
Extent<Real> cube(double lower, double upper) {
  const auto low = static_cast<Real>(lower);
  const auto high = static_cast<Real>(upper);
  return {{low, low, low}, {high, high, high}};
}

/// Returns true if the runs around `destination` hold the cell of `source`.
template <class Real>
bool reaches(const SearchGrid<Real>& grid, const Position<Real>& destination, const Position<Real>& source,
             Real limit) {
  const auto cell = static_cast<std::int64_t>(grid.cells.cell(source.x, source.y, source.z));
  bool reached = false;
  for_each_run(grid, destination, limit,
               [&](std::int32_t begin, std::int32_t end) { reached = reached || (cell >= begin && cell < end); });
  return reached;
}

/// Expects that the runs around each point of a pair hold the other point if the test accepts the pair. Pairs are
/// random, at about the radius in any direction, anywhere in a box of `length`.
template <class Real>
void expect_no_neighbor_lost(double origin, double length, bool periodic, std::int64_t max_cells) {
  const Real radius = Real(0.1);
  const auto space =
      space_of<Real>(3, periodic, static_cast<Real>(origin), static_cast<Real>(origin + length), max_cells);
  const Real limit = std::nextafter(radius * radius, Real(1));
  const SearchGrid<Real> grid = make_search_grid(space, limit, cube<Real>(origin, origin + length));
  PairTest<Real> test;
  if (periodic)
    for (int axis = 0; axis < 3; ++axis) {
      test.period[axis] = static_cast<Real>(space.upper[0] - space.lower[0]);
      test.inverse_period[axis] = 1 / test.period[axis];
    }
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> coordinate(0, length);
  std::uniform_real_distribution<double> near_one(1 - 1e-6, 1 + 1e-7);
  std::normal_distribution<double> component(0, 1);
  int accepted = 0;
  for (int i = 0; i < 100'000; ++i) {
    double step[3] = {component(random), i % 4 > 0 ? component(random) : 0, i % 4 > 1 ? component(random) : 0};
    const double norm = std::sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    double a[3];
    double b[3];
    bool outside = false;
    for (int axis = 0; axis < 3; ++axis) {
      a[axis] = coordinate(random);
      b[axis] = a[axis] + radius * near_one(random) * step[axis] / norm;
      if (periodic && i % 3 == axis) b[axis] += i % 2 == 0 ? length : -length;
      outside =
          outside || b[axis] < -length || b[axis] > 2 * length || (!periodic && (b[axis] < 0 || b[axis] > length));
    }
    if (outside) continue;
    const auto position = [&](const double* p) {
      return Position<Real>{static_cast<Real>(origin + p[0]), static_cast<Real>(origin + p[1]),
                            static_cast<Real>(origin + p[2])};
    };
    if (!test.template near<true>(position(a), position(b), limit)) continue;
    ++accepted;
    ASSERT_TRUE(reaches(grid, position(a), position(b), limit)) << "pair " << i;
    ASSERT_TRUE(reaches(grid, position(b), position(a), limit)) << "pair " << i;
  }
  EXPECT_GT(accepted, 5'000) << "too few pairs are near";
}

constexpr std::int64_t max_cell_count = 2147483646;

TEST(SearchGrid, LosesNoNeighborInFloat) {
  for (const bool periodic : {false, true})
    for (const double length : {0.25, 1.0, 33.0, 1000.0, 100'000.0}) {
      expect_no_neighbor_lost<float>(0, length, periodic, max_cell_count);
      expect_no_neighbor_lost<float>(-length / 2, length, periodic, max_cell_count);
      expect_no_neighbor_lost<float>(-length / 3, length, periodic, 5'000);
    }
}

TEST(SearchGrid, LosesNoNeighborInDouble) {
  for (const bool periodic : {false, true})
    for (const double length : {0.25, 1.0, 1000.0})
      expect_no_neighbor_lost<double>(-3 * length, length, periodic, max_cell_count);
}

TEST(SearchGrid, LosesNoNeighborFarFromTheOrigin) {
  for (const bool periodic : {false, true}) {
    expect_no_neighbor_lost<double>(1e6, 10, periodic, max_cell_count);
    expect_no_neighbor_lost<double>(-1e6, 0.7, periodic, 5'000);
  }
}

TEST(SearchGrid, CellsAreSlightlyLongerThanTheRadius) {
  const auto grid = make_search_grid(space_of<float>(3, false, 0, 0, max_cell_count), 0.01f * 0.01f, cube<float>(0, 1));
  EXPECT_NEAR(grid.cells.axes[1].inverse_spacing, 100, 0.05);
  EXPECT_EQ(grid.cells.axes[1].cells, 100);
  EXPECT_EQ(grid.cells.axes[0].cells, 400) << "a quarter of the radius along x";
}

TEST(SearchGrid, HasNoMoreCellsThanAllowed) {
  const auto grid = make_search_grid(space_of<double>(3, false, 0, 0, 200'000), 1e-6, cube<double>(-1e6, 1e6));
  EXPECT_LE(grid.cells.cell_count(), 200'000u);
}

TEST(SearchGrid, HasNoRoomForAnotherColumn) {
  for (const bool periodic : {false, true})
    for (const double length : {1.0, 1.7, 30.0, 1e6}) {
      const auto grid =
          make_search_grid(space_of<double>(3, periodic, 0, length, 5'000), 0.05 * 0.05, cube<double>(0, length));
      const auto& axes = grid.cells.axes;
      const auto cells_of_a_column = static_cast<std::uint32_t>(axes[1].cells * axes[2].cells);
      EXPECT_LE(grid.cells.cell_count(), 5'000u) << length;
      EXPECT_GT(grid.cells.cell_count() + cells_of_a_column, 5'000u) << length;
    }
}

TEST(SearchGrid, LeavesRoomWhereOnlyEdgesInXGrew) {
  const auto grid = make_search_grid(space_of<double>(3, false, 0, 0, 10'000), 0.05 * 0.05, cube<double>(0, 1));
  EXPECT_EQ(grid.cells.axes[0].cells, 20);
  EXPECT_EQ(grid.cells.axes[1].cells, 20);
}

TEST(SearchGrid, HasUpToEightCellsForEachSource) {
  EXPECT_EQ(max_cells_for(0), 4096);
  EXPECT_EQ(max_cells_for(1'000), 8'000);
  EXPECT_EQ(max_cells_for(100'000), 800'000);
  EXPECT_EQ(max_cells_for(1'000'000), 8'000'000);
  EXPECT_EQ(max_cells_for(2'000'000'000), 2'147'483'646);
}

TEST(SearchGrid, OneCellForPointsAtOnePosition) {
  const auto grid = make_search_grid(space_of<double>(3, false, 0, 0, 4096), 0.01, cube<double>(5, 5));
  EXPECT_EQ(grid.cells.cell_count(), 1u);
}

TEST(SearchGrid, OneCellWithoutValidPoints) {
  EXPECT_EQ(make_search_grid(space_of<double>(3, false, 0, 0, 4096), 0.01, {}).cells.cell_count(), 1u);
  EXPECT_EQ(make_search_grid(space_of<double>(3, false, 0, 0, 4096), 0.0, {}).cells.cell_count(), 1u);
}

TEST(SearchGrid, TerminatesForTheLongestBox) {
  const auto grid = make_search_grid(space_of<double>(3, false, 0, 0, 4096), 1e-300, cube<double>(-1e307, 1e307));
  EXPECT_LE(grid.cells.cell_count(), 4096u);
}

}  // namespace
}  // namespace shoal::neighbors
