// SPDX-License-Identifier: Apache-2.0
// Special positions of points: on a line, all equal, far from the origin, on lattices, in clusters and on sheets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/brute_force.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NeighborsPositions : public NeighborsMethodTest {
 protected:
  template <class Real>
  void expect_brute_force(const Search& search, const Distribution<Real>& points) const {
    EXPECT_THAT(find(queue(), with_this_method(search), points), SameList(brute_force(search, points)))
        << points.name << ", " << search.box.dimensions << " dimensions, radius " << search.radius;
  }
};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsPositions);

const Box periodic_line{1, {true, false, false}, {0, 0, 0}, {1, 0, 0}};

TEST_P(NeighborsPositions, OnALineNeedOnlyX) {
  const Queue on = queue();
  const Array<double> x = to_device<double>(on, {0.125, 0.9375, 0.5, 0.5, 0.25});
  Neighbors<double> open = plan<double>(on, with_this_method({0.25, {.dimensions = 1}}));
  open.find({x});
  EXPECT_EQ(list_of(on, open), (List{{0, 1, 1, 2, 3, 4}, {4, 3, 2, 0}}));
  Neighbors<double> periodic = plan<double>(on, with_this_method({0.25, periodic_line}));
  periodic.find({x});
  EXPECT_EQ(list_of(on, periodic), (List{{0, 2, 3, 4, 5, 6}, {1, 4, 0, 3, 2, 0}}));
}

TEST_P(NeighborsPositions, OnALineAgreeWithBruteForce) {
  for (const auto& points : every_distribution<float>(1'009))
    for (const double radius : {0.001, 0.02, 0.5})
      for (const Box& box : {Box{.dimensions = 1}, periodic_line})
        expect_brute_force({radius, box, {.predicate = Predicate::inclusive}}, points);
  expect_brute_force({0.01, periodic_line}, uniform<double>(2'000));
}

TEST_P(NeighborsPositions, OfEmptySetsGiveEmptyRows) {
  const Distribution<float> nothing{"nothing", {}, {}, {}};
  auto points = uniform<float>(3);
  points.radius = {1, 1, 1};
  for (const Radius radius : {Radius::fixed, Radius::gather, Radius::scatter, Radius::symmetric})
    for (const Box& box : {Box{}, Box{3, {true, true, true}, {0, 0, 0}, {2, 2, 2}}, Box{.dimensions = 1}}) {
      const Search search = with_this_method({1, box, {.radius = radius, .distances = true}});
      EXPECT_EQ(find(queue(), search, nothing), (List{{0}, {}}));
      EXPECT_EQ(find(queue(), search, points, nothing), (List{{0, 0, 0, 0}, {}}));
      EXPECT_EQ(find(queue(), search, nothing, points), (List{{0}, {}}));
    }
}

TEST_P(NeighborsPositions, AllTheSameAreAllNeighbors) {
  Distribution<float> points{"one position", {}, {}, {}};
  for (int i = 0; i < 300; ++i) points.add(0.25, 0.5, 1e6);
  points.radius.assign(300, 0.01F);
  for (const int dimensions : {1, 2, 3})
    for (const Radius radius : {Radius::fixed, Radius::symmetric}) {
      const Search search =
          with_this_method({0.01, {.dimensions = dimensions}, {.radius = radius, .include_self = true}});
      EXPECT_EQ(find(queue(), search, points).indices.size(), 300u * 300u);
    }
  expect_brute_force({.radius = 1e-18, .options = {.half = true}}, points);
}

template <class Real>
Distribution<Real> transformed(Distribution<Real> points, double factor, double offset) {
  for (auto* axis : {&points.x, &points.y, &points.z})
    for (Real& coordinate : *axis) coordinate = static_cast<Real>(factor * static_cast<double>(coordinate) + offset);
  return points;
}

TEST_P(NeighborsPositions, AMillionMetersAwayLoseNoNeighbor) {
  // A float near 1e6 is a multiple of 1/16: many pairs coincide, and many distances equal the radius.
  for (const double offset : {1e6, -1e6}) {
    const Box box{3, {true, true, true}, {offset, offset, offset}, {offset + 8, offset + 8, offset + 8}};
    for (const Predicate predicate : {Predicate::strict, Predicate::inclusive}) {
      const NeighborsOptions options{.predicate = predicate};
      expect_brute_force({0.75, {}, options}, transformed(uniform<float>(2'000), 8, offset));
      expect_brute_force({0.75, box, options}, transformed(uniform<float>(2'000), 8, offset));
      expect_brute_force({0.11, {}, options}, transformed(uniform<double>(2'000), 1, offset));
      expect_brute_force({0.9, box, options}, transformed(uniform<double>(2'000), 8, offset));
      expect_brute_force({0.5, {.dimensions = 1}, options}, transformed(clustered<float>(1'009), 100, offset));
    }
  }
}

/// Lattice with `edge` points on each axis.
template <class Real>
Distribution<Real> lattice(int dimensions, int edge, double spacing) {
  Distribution<Real> points{"lattice", {}, {}, {}};
  for (int z = 0; z < (dimensions > 2 ? edge : 1); ++z)
    for (int y = 0; y < (dimensions > 1 ? edge : 1); ++y)
      for (int x = 0; x < edge; ++x) points.add(x * spacing, y * spacing, z * spacing);
  return points;
}

TEST_P(NeighborsPositions, OnPeriodicLatticesHaveTheShellsOfTheirDimension) {
  struct Shells {
    int dimensions;
    double spacings;                ///< Radius in lattice spacings.
    std::size_t strict, inclusive;  ///< Numbers of neighbors.
  };
  const Shells lattices[] = {
      {1, 1, 0, 2},    {1, 3, 4, 6},    // ±1, ±2, ±3
      {2, 1, 0, 4},    {2, 2, 8, 12},   // 4 at 1, 4 at √2, 4 at 2
      {2, 5, 68, 80},                   // 12 at 5: (0, 5), (3, 4)
      {3, 1, 0, 6},    {3, 2, 26, 32},  // 6 at 1, 12 at √2, 8 at √3, 6 at 2
      {3, 3, 92, 122},                  // 30 at 3: (0, 0, 3), (1, 2, 2)
  };
  for (const Shells& shells : lattices) {
    const Box box{shells.dimensions, {true, true, true}, {0, 0, 0}, {1, 1, 1}};
    const auto count = [&](Predicate predicate, const auto& points) {
      const List list = find(queue(), with_this_method({shells.spacings / 16, box, {.predicate = predicate}}), points);
      for (std::size_t i = 0; i < list.row_count(); ++i) EXPECT_EQ(list.row(i).size(), list.row(0).size());
      return list.row(0).size();
    };
    const auto in_float = lattice<float>(shells.dimensions, 16, 1.0 / 16);
    const auto in_double = lattice<double>(shells.dimensions, 16, 1.0 / 16);
    EXPECT_EQ(count(Predicate::strict, in_float), shells.strict) << shells.dimensions << ", " << shells.spacings;
    EXPECT_EQ(count(Predicate::inclusive, in_float), shells.inclusive) << shells.dimensions << ", " << shells.spacings;
    EXPECT_EQ(count(Predicate::strict, in_double), shells.strict) << shells.dimensions << ", " << shells.spacings;
    EXPECT_EQ(count(Predicate::inclusive, in_double), shells.inclusive) << shells.dimensions << ", " << shells.spacings;
  }
}

TEST_P(NeighborsPositions, OnLatticesAtTheRadiusAreDecidedByRounding) {
  // Neither 0.1 nor its multiples are floats or doubles, so rounding puts pairs at the radius on either side of it.
  for (const int dimensions : {1, 2, 3})
    for (const double spacings : {1.0, 2.0, 3.0})
      for (const Predicate predicate : {Predicate::strict, Predicate::inclusive})
        for (const bool periodic : {false, true}) {
          const Box box{dimensions, {periodic, periodic, periodic}, {0, 0, 0}, {1, 1, 1}};
          const Search search{0.1 * spacings, box, {.predicate = predicate}};
          expect_brute_force(search, lattice<float>(dimensions, 10, 0.1));
          expect_brute_force(search, lattice<double>(dimensions, 10, 0.1));
        }
}

/// Compares every 50th row, at a size for which all pairs would take long.
template <class Real>
void expect_rows(const Queue& queue, const Search& search, const Distribution<Real>& points) {
  const List list = find(queue, search, points);
  const BruteForce<Real> pairs(search, points, points);
  for (std::size_t i = 0; i < list.row_count(); i += 50)
    ASSERT_EQ(list.row(i), pairs.row(i)) << points.name << ", row " << i << ", radius " << search.radius;
}

TEST_P(NeighborsPositions, OfVeryDifferentDensityAgreeWithBruteForce) {
  if (GetParam().name == "serial") GTEST_SKIP() << "takes long, and is compared at smaller sizes";
  const auto points = half_in_a_clump<float>(30'000);
  for (const double radius : {0.005, 0.02}) {
    expect_rows(queue(), with_this_method({.radius = radius}), points);
    expect_rows(queue(), with_this_method({.radius = radius, .box = unit_periodic}), points);
  }
  expect_rows(queue(), with_this_method({.radius = 0.01}), half_in_a_clump<double>(30'000));
}

TEST_P(NeighborsPositions, OnATiltedSheetAgreeWithBruteForce) {
  if (GetParam().name == "serial") GTEST_SKIP() << "takes long, and is compared at smaller sizes";
  for (const double radius : {0.003, 0.03}) {
    expect_rows(queue(), with_this_method({.radius = radius}), tilted_sheet<float>(30'000));
    expect_rows(queue(), with_this_method({.radius = radius, .box = unit_periodic}), tilted_sheet<double>(30'000));
  }
}

}  // namespace
}  // namespace shoal::neighbors
