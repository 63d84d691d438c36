// SPDX-License-Identifier: Apache-2.0
// Pairs in periodic cells of any shape: answers by hand, brute force over images, and properties of the list.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "neighbors/periodic/image_list.hpp"
#include "neighbors/periodic/periodic_cells.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

const PeriodicCell cubic{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, everywhere};

/// The periods of the six nearest images of a point in a cube, in the order of the list.
const std::vector<std::int32_t> nearest_six{-1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 1, 0, 1, 0, 1, 0, 0};

TEST(PeriodicNeighbors, OfOnePointInACubeByHand) {
  Distribution<double> point{"one", {0.3}, {0.4}, {0.9}};
  const ImageList<double> list = find_images(1.25, point, cubic);
  EXPECT_EQ(list.offsets, (std::vector<std::int64_t>{0, 6}));
  EXPECT_EQ(list.i, std::vector<std::int64_t>(6, 0));
  EXPECT_EQ(list.j, std::vector<std::int64_t>(6, 0));
  EXPECT_EQ(list.shifts, nearest_six);
  EXPECT_EQ(list.distances, std::vector<double>(6, 1));
  EXPECT_EQ(list.displacements, std::vector<double>(nearest_six.begin(), nearest_six.end()));
}

TEST(PeriodicNeighbors, OfTwoPointsAcrossASkewedFaceByHand) {
  const PeriodicCell cell{{{{4, 0, 0}, {1, 4, 0}, {0, 1, 4}}}, everywhere};
  const Distribution<double> points{"two", {0.5, 1.5}, {0.5, 4}, {0.5, 0.5}};
  const ImageList<double> list = find_images(1.0, points, cell);
  EXPECT_EQ(list.i, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(list.j, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(list.shifts, (std::vector<std::int32_t>{0, -1, 0, 0, 1, 0}));
  EXPECT_EQ(list.displacements, (std::vector<double>{0, -0.5, 0, 0, 0.5, 0}));
}

TEST(PeriodicNeighbors, OfOnePointInASmallCellAreTheVectorsOfTheLattice) {
  const PeriodicCell small{{{{0.125, 0, 0}, {0, 0.125, 0}, {0, 0, 0.125}}}, everywhere};
  const Distribution<float> point{"one", {7}, {-3}, {0.1F}};
  for (const auto predicate : {Predicate::strict, Predicate::inclusive}) {
    std::int64_t expected = -1;  // the point itself
    for (int a = -8; a <= 8; ++a)
      for (int b = -8; b <= 8; ++b)
        for (int c = -8; c <= 8; ++c) {
          const int squared = a * a + b * b + c * c;
          if (predicate == Predicate::strict ? squared < 64 : squared <= 64) ++expected;
        }
    const ImageList<float> list = find_images(1.0, point, small, {.predicate = predicate});
    EXPECT_EQ(std::ssize(list.i), expected);
  }
}

template <class Real>
void expect_brute_force(double radius, const Distribution<Real>& points, const PeriodicCell& cell, int most,
                        PeriodicNeighborsOptions options = with_all_outputs) {
  const ImageList<Real> expected = brute_force_images(radius, points, cell, most, options);
  for (const char* method : {"auto", "rows"}) {
    options.method = method;
    EXPECT_EQ(find_images(radius, points, cell, options), expected)
        << points.name << ", radius " << radius << ", " << method;
  }
  for (const std::int32_t shift : expected.shifts)
    ASSERT_LE(std::abs(shift), std::max(0, most - 1)) << "most is enough";
}

template <class Real>
class PeriodicNeighborsIn : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(PeriodicNeighborsIn, Precisions);

TYPED_TEST(PeriodicNeighborsIn, CellsOfEveryShapeAreThoseOfBruteForce) {
  for (const PeriodicCell& cell : {cubic, skewed_cell, left_handed_cell, slab_cell, wire_cell, open_cell})
    for (const double radius : {0.3, 0.7}) {
      expect_brute_force(radius, uniform<TypeParam>(30), cell, 5);
      expect_brute_force(radius, clustered<TypeParam>(20), cell, 5);
    }
}

TYPED_TEST(PeriodicNeighborsIn, CellsSmallerThanTheRadiusAreThoseOfBruteForce) {
  for (const PeriodicCell& cell : {cubic, skewed_cell, left_handed_cell, slab_cell, wire_cell})
    expect_brute_force(1.9, uniform<TypeParam>(3), cell, 10);
}

TYPED_TEST(PeriodicNeighborsIn, PointsOutsideTheCellHaveShiftsForTheirPositions) {
  auto points = uniform<TypeParam>(20);
  for (std::size_t i = 0; i < 20; ++i) {
    points.x[i] += static_cast<TypeParam>(i % 5) - 2;
    points.y[i] -= static_cast<TypeParam>(i % 3);
  }
  for (const PeriodicCell& cell : {cubic, left_handed_cell, slab_cell, wire_cell, open_cell})
    expect_brute_force(0.6, points, cell, 8);
}

TYPED_TEST(PeriodicNeighborsIn, OptionsSelectPairs) {
  for (const auto predicate : {Predicate::strict, Predicate::inclusive})
    for (const bool include_self : {false, true})
      for (const bool half : {false, true}) {
        const PeriodicNeighborsOptions options{
            .predicate = predicate, .include_self = include_self, .half = half, .distances = true};
        expect_brute_force(1, uniform<TypeParam>(8), cubic, 2, options);
        expect_brute_force(0.8, uniform<TypeParam>(8), skewed_cell, 4, options);
      }
}

TEST(PeriodicNeighbors, AtExactlyTheRadiusAreDecidedByThePredicate) {
  const Distribution<double> point{"one", {0.5}, {0.5}, {0.5}};
  EXPECT_EQ(find_images(1, point, cubic).i.size(), 0);
  EXPECT_EQ(find_images(1, point, cubic, {.predicate = Predicate::inclusive}).shifts, nearest_six);
}

TEST(PeriodicNeighbors, HaveTheBitsOfEveryMethodAndNumberOfThreads) {
  const auto points = uniform<float>(700);
  const ImageList<float> expected = find_images(0.3, points, skewed_cell);
  ASSERT_GT(expected.i.size(), 100'000);
  for (const MethodInfo& method : methods("neighbors"))
    for (const int threads : {1, 3}) {
      if (method.device != DeviceKind::cpu) continue;
      PeriodicNeighborsOptions options = with_all_outputs;
      options.method = method.name;
      EXPECT_TRUE(find_images(0.3, points, skewed_cell, options, threads) == expected)
          << method.name << ", " << threads;
    }
}

TEST(PeriodicNeighbors, ComeInBothDirectionsWithTheSameDistance) {
  const ImageList<float> list = find_images(0.5, uniform<float>(60), skewed_cell);
  std::map<std::tuple<std::int64_t, std::int64_t, std::int32_t, std::int32_t, std::int32_t>, float> distance;
  const auto key = [&](std::size_t p, int sign) {
    const auto* s = &list.shifts[3 * p];
    return sign > 0 ? std::tuple(list.i[p], list.j[p], s[0], s[1], s[2])
                    : std::tuple(list.j[p], list.i[p], -s[0], -s[1], -s[2]);
  };
  for (std::size_t p = 0; p < list.i.size(); ++p) distance[key(p, 1)] = list.distances[p];
  ASSERT_EQ(distance.size(), list.i.size()) << "no pair twice";
  for (std::size_t p = 0; p < list.i.size(); ++p) {
    const auto reverse = distance.find(key(p, -1));
    ASSERT_NE(reverse, distance.end()) << p;
    EXPECT_EQ(reverse->second, list.distances[p]);
  }
  EXPECT_GT(list.i.size(), 1'000);
}

template <class Real>
void expect_list_of_neighbors(const Distribution<Real>& points, double radius) {
  const Box box{3, {true, false, true}, {0, 0, 0}, {1, 1, 1.25}};
  const PeriodicCell cell{{{{1, 0, 0}, {}, {0, 0, 1.25}}}, {true, false, true}};
  const Queue queue = Queue::cpu(2);
  Neighbors<Real> neighbors(queue, radius, box, {.distances = true, .edge_index = true, .shifts = true});
  neighbors.find(points.points());
  PeriodicNeighbors<Real> periodic(queue, radius, {.distances = true});
  periodic.find(points.points(), cell);
  EXPECT_EQ(vector_of(periodic.offsets()), vector_of(neighbors.offsets())) << points.name;
  EXPECT_EQ(vector_of(periodic.edge_index()), vector_of(neighbors.edge_index())) << points.name;
  EXPECT_EQ(vector_of(periodic.shifts()), vector_of(neighbors.shifts())) << points.name;
  EXPECT_EQ(vector_of(periodic.distances()), vector_of(neighbors.distances())) << points.name;
}

TYPED_TEST(PeriodicNeighborsIn, ARightAngledBoxAreThoseOfNeighbors) {
  for (const auto& points : {uniform<TypeParam>(2'000), clustered<TypeParam>(500)})
    expect_list_of_neighbors(points, 0.1);
}

TEST(PeriodicNeighbors, OfPointsInAPlaneOrOnALine) {
  const auto points = uniform<double>(30);
  Distribution<double> flat = points;
  std::fill(flat.z.begin(), flat.z.end(), 0);
  const PeriodicCell plane{{{{1, 0, 0}, {0.5, 0.9, 0}, {}}}, {true, true, false}};
  PeriodicNeighbors<double> neighbors(Queue::cpu(1), 0.6, with_all_outputs);
  neighbors.find({points.x, points.y}, plane);
  EXPECT_EQ(image_list(neighbors), brute_force_images(0.6, flat, plane, 4));
  std::fill(flat.y.begin(), flat.y.end(), 0);
  const PeriodicCell line{{{{1, 0, 0}, {}, {}}}, {true, false, false}};
  neighbors.find({points.x}, line);
  EXPECT_EQ(image_list(neighbors), brute_force_images(0.6, flat, line, 2));
}

TEST(PeriodicNeighbors, OfAWideOpenSystemKeepTheirPrecision) {
  Distribution<float> points{"wide", {}, {}, {}};
  for (int i = 0; i < 200; ++i) points.add(1e5 + 0.25 * i, i % 2 == 0 ? -1e5 : 1e5, 3);
  expect_brute_force(1.1, points, open_cell, 0);
}

TEST(PeriodicNeighbors, OfASecondSearchOfEqualSizeNeedNoMemory) {
  PeriodicNeighbors<double> neighbors(Queue::cpu(2), 0.4, with_all_outputs);
  const auto points = uniform<double>(300);
  neighbors.find(points.points(), skewed_cell);
  const std::int64_t bytes = neighbors.scratch_bytes();
  const void* const pairs = neighbors.edge_index().data;
  const ImageList<double> list = image_list(neighbors);
  neighbors.find(points.points(), skewed_cell);
  EXPECT_EQ(neighbors.scratch_bytes(), bytes);
  EXPECT_EQ(neighbors.edge_index().data, pairs);
  EXPECT_EQ(image_list(neighbors), list);
  EXPECT_EQ(neighbors.pair_count(), std::ssize(list.i));
}

TEST(PeriodicNeighbors, OfNoPointsAreNone) {
  const ImageList<double> list = find_images(1, Distribution<double>{"none", {}, {}, {}}, cubic);
  EXPECT_EQ(list, (ImageList<double>{{0}, {}, {}, {}, {}, {}}));
}

}  // namespace
}  // namespace shoal::neighbors
