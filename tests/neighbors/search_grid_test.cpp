// SPDX-License-Identifier: Apache-2.0
#include "neighbors/search_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "neighbors/neighbors_item.hpp"

namespace shoal {
namespace {

/// Random pairs at just about the radius, anywhere in a box of `length` radii: whenever the test takes a pair, its
/// cells must be next to each other.
template <class Real>
void expect_no_neighbor_lost(double origin, double length, bool periodic, std::int64_t sources) {
  const Real radius = Real(0.1);
  Box box{3, {periodic, periodic, periodic}, {}, {}};
  Extent extent;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.lower[axis] = extent.lower[axis] = static_cast<Real>(origin);
    box.upper[axis] = extent.upper[axis] = static_cast<Real>(origin + length);
  }
  const CellFormula<Real> formula = search_formula<Real>(box, radius, extent, sources);
  PairTest<Real> test{.limit = std::nextafter(radius * radius, Real(1))};
  if (periodic)
    for (int axis = 0; axis < 3; ++axis) {
      test.period[axis] = static_cast<Real>(box.upper[0] - box.lower[0]);
      test.inverse_period[axis] = 1 / test.period[axis];
    }
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(0, length);
  std::uniform_real_distribution<double> near_one(1 - 1e-6, 1 + 1e-7);
  int taken = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = place(random);
    const double step = radius * near_one(random) * (i % 2 == 0 ? 1 : -1);
    double other = x + step;
    if (periodic && i % 3 == 0) other += (i % 2 == 0 ? -length : length);
    if (!periodic && (other < 0 || other > length)) continue;
    const Position<Real> a{static_cast<Real>(origin + x), static_cast<Real>(origin), static_cast<Real>(origin)};
    const Position<Real> b{static_cast<Real>(origin + other), a.y, a.z};
    if (!test.template near<true>(a, b)) continue;
    ++taken;
    const CellAxis<Real>& axis = formula.axes[0];
    const std::int32_t apart = std::abs(axis.cell(a.x) - axis.cell(b.x));
    ASSERT_TRUE(apart <= 1 || (periodic && apart == axis.cells - 1))
        << "x = " << a.x << " and " << b.x << ", cells " << axis.cell(a.x) << " and " << axis.cell(b.x);
  }
  EXPECT_GT(taken, 10'000) << "the pairs must be near enough to say something";
}

TEST(SearchGrid, LosesNoNeighborInFloat) {
  for (const bool periodic : {false, true})
    for (const double length : {0.25, 1.0, 33.0, 1000.0, 100'000.0}) {
      expect_no_neighbor_lost<float>(0, length, periodic, std::int64_t{1} << 40);
      expect_no_neighbor_lost<float>(-length / 2, length, periodic, std::int64_t{1} << 40);
    }
}

TEST(SearchGrid, LosesNoNeighborInDouble) {
  for (const bool periodic : {false, true})
    for (const double length : {0.25, 1.0, 1000.0})
      expect_no_neighbor_lost<double>(-3 * length, length, periodic, std::int64_t{1} << 40);
}

TEST(SearchGrid, CellsAreHardlyLargerThanTheRadius) {
  const Extent unit{{0, 0, 0}, {1, 1, 1}};
  const CellFormula<float> formula = search_formula<float>({}, 0.01f, unit, 1'000'000);
  EXPECT_NEAR(formula.axes[1].inverse_spacing, 100, 0.05);
  EXPECT_EQ(formula.axes[1].cells, 100);
}

TEST(SearchGrid, HasAboutAsManyCellsAsSources) {
  const Extent wide{{-1e6, -1e6, -1e6}, {1e6, 1e6, 1e6}};
  const CellFormula<double> formula = search_formula<double>({}, 1e-3, wide, 100'000);
  EXPECT_LE(formula.cell_count(), 200'000u);
  EXPECT_GE(formula.cell_count(), 50'000u);
}

TEST(SearchGrid, OneCellForPointsAtOnePlace) {
  const Extent point{{5, 5, 5}, {5, 5, 5}};
  EXPECT_EQ(search_formula<double>({}, 0.1, point, 10).cell_count(), 1u);
}

TEST(SearchGrid, PointsThatAreNotFiniteGiveOneCell) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Extent bad{{0, 0, 0}, {infinity, 1, 1}};
  EXPECT_FALSE(bad.finite());
  EXPECT_EQ(search_formula<double>({}, 0.1, bad, 10).cell_count(), 1u);
}

}  // namespace
}  // namespace shoal
