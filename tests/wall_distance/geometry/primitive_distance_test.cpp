// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "wall_distance/quadruple.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

/// Error bound in units in the last place: one rounding to double, and a small share of a double-double rounding.
constexpr double rounding_units = 0.51;

constexpr Corners corner{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

TEST(PrimitiveDistance, SevenRegionsByHand) {
  EXPECT_EQ(rounded_distance(exact_distance({1, 1, 3}, corner)), 3);   // above the interior
  EXPECT_EQ(rounded_distance(exact_distance({1, 1, -3}, corner)), 3);  // below the interior
  EXPECT_EQ(rounded_distance(exact_distance({1, -3, 4}, corner)), 5);  // beside each edge
  EXPECT_EQ(rounded_distance(exact_distance({-3, 1, -4}, corner)), 5);
  EXPECT_EQ(rounded_distance(exact_distance({4, 4, 1}, corner)), 3);    // projection at (2, 2): √(4 + 4 + 1)
  EXPECT_EQ(rounded_distance(exact_distance({-2, -3, 6}, corner)), 7);  // beyond each corner
  EXPECT_EQ(rounded_distance(exact_distance({6, -3, 6}, corner)), 7);
  EXPECT_EQ(rounded_distance(exact_distance({-3, 6, 6}, corner)), 7);
}

TEST(PrimitiveDistance, OffsetLeadsFromTheNearestPoint) {
  const PrimitiveDistance result = exact_distance({4, 4, 1}, corner);
  EXPECT_EQ(result.offset.x.high, 2);
  EXPECT_EQ(result.offset.y.high, 2);
  EXPECT_EQ(result.offset.z.high, 1);
}

TEST(PrimitiveDistance, IsZeroOnTheFace) {
  EXPECT_EQ(rounded_distance(exact_distance({0, 4, 0}, corner)), 0);
  EXPECT_EQ(rounded_distance(exact_distance({1.3, 0, 0}, corner)), 0);
  EXPECT_EQ(rounded_distance(exact_distance({1, 2, 0}, corner)), 0);
  const Corners slanted{{{0, 0, 0}, {3, 3, 3}, {3, 3, 9}}};  // thirds are not doubles
  EXPECT_EQ(rounded_distance(exact_distance({1, 1, 1}, slanted)), 0);
  EXPECT_EQ(rounded_distance(exact_distance({1, 1, 2}, slanted)), 0);
  const Corners segment{{{0, 0, 0}, {7, 7, 0}, {7, 7, 0}}};
  EXPECT_EQ(rounded_distance(exact_distance({1, 1, 0}, segment)), 0);
}

TEST(PrimitiveDistance, IsNotZeroJustAboveTheFace) {
  EXPECT_EQ(rounded_distance(exact_distance({1, 1, 1e-20}, corner)), 1e-20);
  EXPECT_EQ(rounded_distance(exact_distance({1, -1e-20, 0}, corner)), 1e-20);
}

TEST(PrimitiveDistance, FacesWithoutAreaAreSegmentsAndPoints) {
  const Corners point{{{1, 2, 2}, {1, 2, 2}, {1, 2, 2}}};
  EXPECT_EQ(rounded_distance(exact_distance({0, 0, 0}, point)), 3);
  const Corners collinear{{{0, 0, 0}, {4, 0, 0}, {1, 0, 0}}};
  EXPECT_EQ(rounded_distance(exact_distance({2, 3, 4}, collinear)), 5);
  EXPECT_EQ(rounded_distance(exact_distance({7, 0, 4}, collinear)), 5);
  EXPECT_EQ(rounded_distance(exact_distance({-3, 4, 0}, collinear)), 5);
}

struct FaceAndPoint {
  Corners corners;
  std::array<double, 3> point;
};

/// A face at `offset` from the origin along each axis, and a point at about `away` from it.
FaceAndPoint face_and_point(RandomFaces& faces, double flatness, double offset, double away) {
  const Corners corners = faces.corners(flatness);
  FaceAndPoint result{corners, faces.point_near(corners)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.point[axis] += offset + away * faces.next();
    for (auto& face_corner : result.corners) face_corner[axis] += offset;
  }
  return result;
}

/// Largest error of a distance, in units in the last place.
double largest_error(double flatness, double offset, double away = 0) {
  RandomFaces faces;
  double largest = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto [c, p] = face_and_point(faces, flatness, offset, away);
    largest = std::max(largest, units_off(rounded_distance(exact_distance(p, c)), squared_distance(p, c)));
  }
  return largest;
}

TEST(PrimitiveDistance, IsWithinOneUnitOfTheExactDistance) { EXPECT_LE(largest_error(1, 0), rounding_units); }
TEST(PrimitiveDistance, IsWithinOneUnitFarFromTheOrigin) { EXPECT_LE(largest_error(1, 1e6), rounding_units); }
TEST(PrimitiveDistance, IsWithinOneUnitFarFromTheFace) { EXPECT_LE(largest_error(1, 0, 1e4), rounding_units); }
TEST(PrimitiveDistance, IsWithinOneUnitForSlivers) {
  EXPECT_LE(largest_error(1e-3, 0), rounding_units);
  EXPECT_LE(largest_error(1e-6, 0), rounding_units);
}
TEST(PrimitiveDistance, IsWithinOneUnitForSegments) { EXPECT_LE(largest_error(0, 0), rounding_units); }

TEST(PrimitiveDistance, FacesThatShareAnEdgeAgreeOnIt) {
  RandomFaces faces;
  for (int i = 0; i < 5'000; ++i) {
    const Corners first = faces.corners(1), second = {first[2], first[1], faces.corners(1)[0]};
    const std::array<double, 3> p = faces.point_near(first);
    const PrimitiveDistance edge = exact_distance(p, {first[1], first[2], first[2]});
    for (const PrimitiveDistance& face : {exact_distance(p, first), exact_distance(p, second)})
      EXPECT_LE(rounded_distance(face), rounded_distance(edge));
    if (rounded_distance(exact_distance(p, first)) == rounded_distance(edge)) {
      EXPECT_EQ(exact_distance(p, first).squared.low, edge.squared.low);
    }
  }
}

/// Number of 20,000 points whose nearest feature the test in double finds. Expects the same bits with and without it.
int certain_features(double flatness, double offset, double away) {
  RandomFaces faces;
  int count = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto [c, p] = face_and_point(faces, flatness, offset, away);
    const DoubleDoubleVector point{{p[0], 0x1p-60 * offset * faces.next()}, {p[1], 0}, {p[2], 0}};
    const PrimitiveDistance quick = distance_to(point, primitive_of(c)),
                            slow = distance_to_any_feature(point, primitive_of(c));
    for (const auto& [a, b] : {std::pair(quick.squared, slow.squared), std::pair(quick.offset.x, slow.offset.x),
                               std::pair(quick.offset.y, slow.offset.y), std::pair(quick.offset.z, slow.offset.z)}) {
      EXPECT_EQ(a.high, b.high) << i;
      EXPECT_EQ(a.low, b.low) << i;
    }
    const FeatureTest test(point, primitive_of(c));
    const int feature = test.certain_feature();
    if (feature == 0) continue;
    ++count;
    EXPECT_NEAR(test.squared(feature), slow.squared.high, 0x1p-38 * test.distance * test.distance) << i;
  }
  return count;
}

TEST(PrimitiveDistance, FeatureTestKeepsTheBits) {
  EXPECT_GT(certain_features(1, 0, 0), 17'000);
  EXPECT_GT(certain_features(1, 1e6, 0), 17'000);
  EXPECT_GT(certain_features(1, 0, 10), 17'000);
  certain_features(1, 0, 1e4);
  certain_features(1e-3, 0, 0);
  certain_features(1e-2, 0, 0);
  certain_features(1e-4, 0, 0);
  certain_features(1e-7, 0, 1);
  EXPECT_EQ(certain_features(0, 0, 0), 0);
}

TEST(PrimitiveDistance, CertainFeaturesByHand) {
  const Primitive primitive = primitive_of(corner);  // (0, 0), (0, 4), (4, 0) in order
  const auto feature = [&](double x, double y, double z) {
    return FeatureTest({{x, 0}, {y, 0}, {z, 0}}, primitive).certain_feature();
  };
  EXPECT_EQ(feature(1, 1, 3), 7);
  EXPECT_EQ(feature(-2, -3, 6), 1);
  EXPECT_EQ(feature(-3, 6, 6), 2);
  EXPECT_EQ(feature(6, -3, 6), 4);
  EXPECT_EQ(feature(-3, 1, -4), 3);
  EXPECT_EQ(feature(1, -3, 4), 5);
  EXPECT_EQ(feature(4, 4, 1), 6);
  EXPECT_EQ(feature(1, 0, 0), 0);
  EXPECT_EQ(feature(0, -3, 4), 0);
}

TEST(DoubleDouble, KeepsTheRoundingErrorsOfDouble) {
  const DoubleDouble sum = exact_sum(1e16, 1);
  EXPECT_EQ(sum.high, 1e16);
  EXPECT_EQ(sum.low, 1);
  const DoubleDouble product = exact_product(1 + 0x1p-30, 1 + 0x1p-30);
  EXPECT_EQ(product.high, 1 + 0x1p-29);
  EXPECT_EQ(product.low, 0x1p-60);
  EXPECT_EQ(rounded_sqrt({9, 0}), 3);
  EXPECT_EQ(rounded_sqrt({0, 0}), 0);
}

}  // namespace
}  // namespace shoal::wall_distance
