// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "wall_distance/quadruple.hpp"

namespace shoal {
namespace {

using namespace testing_support;

constexpr Corners corner{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

TEST(FaceItem, SevenRegionsByHand) {
  EXPECT_EQ(distance(see({1, 1, 3}, corner)), 3);   // above the inside
  EXPECT_EQ(distance(see({1, 1, -3}, corner)), 3);  // below
  EXPECT_EQ(distance(see({1, -3, 4}, corner)), 5);  // beside each edge
  EXPECT_EQ(distance(see({-3, 1, -4}, corner)), 5);
  EXPECT_EQ(distance(see({4, 4, 1}, corner)), 3);    // foot at (2, 2): √(4 + 4 + 1)
  EXPECT_EQ(distance(see({-2, -3, 6}, corner)), 7);  // beyond each corner
  EXPECT_EQ(distance(see({6, -3, 6}, corner)), 7);
  EXPECT_EQ(distance(see({-3, 6, 6}, corner)), 7);
}

TEST(FaceItem, OffsetLeadsFromTheNearestPoint) {
  const FaceSight found = see({4, 4, 1}, corner);
  EXPECT_EQ(found.offset.x.high, 2);
  EXPECT_EQ(found.offset.y.high, 2);
  EXPECT_EQ(found.offset.z.high, 1);
}

TEST(FaceItem, IsZeroOnTheFace) {
  EXPECT_EQ(distance(see({0, 4, 0}, corner)), 0);
  EXPECT_EQ(distance(see({1.3, 0, 0}, corner)), 0);
  EXPECT_EQ(distance(see({1, 2, 0}, corner)), 0);
  const Corners slanted{{{0, 0, 0}, {3, 3, 3}, {3, 3, 9}}};  // thirds are not doubles
  EXPECT_EQ(distance(see({1, 1, 1}, slanted)), 0);
  EXPECT_EQ(distance(see({1, 1, 2}, slanted)), 0);
  const Corners segment{{{0, 0, 0}, {7, 7, 0}, {7, 7, 0}}};
  EXPECT_EQ(distance(see({1, 1, 0}, segment)), 0);
}

TEST(FaceItem, IsNotZeroJustAboveTheFace) {
  EXPECT_EQ(distance(see({1, 1, 1e-20}, corner)), 1e-20);
  EXPECT_EQ(distance(see({1, -1e-20, 0}, corner)), 1e-20);
}

TEST(FaceItem, FacesWithoutAreaAreSegmentsAndPoints) {
  const Corners point{{{1, 2, 2}, {1, 2, 2}, {1, 2, 2}}};
  EXPECT_EQ(distance(see({0, 0, 0}, point)), 3);
  const Corners collinear{{{0, 0, 0}, {4, 0, 0}, {1, 0, 0}}};
  EXPECT_EQ(distance(see({2, 3, 4}, collinear)), 5);
  EXPECT_EQ(distance(see({7, 0, 4}, collinear)), 5);
  EXPECT_EQ(distance(see({-3, 4, 0}, collinear)), 5);
}

struct FaceAndPoint {
  Corners corners;
  std::array<double, 3> point;
};

/// A face that is `offset` from the origin along each axis, and a point `away` from it.
FaceAndPoint face_and_point(RandomFaces& faces, double flatness, double offset, double away) {
  const Corners corners = faces.corners(flatness);
  FaceAndPoint both{corners, faces.point_near(corners)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    both.point[axis] += offset + away * faces.next();
    for (auto& its_corner : both.corners) its_corner[axis] += offset;
  }
  return both;
}

/// The most that a distance is off, in units in the last place.
double worst_of(double flatness, double offset, double away = 0) {
  RandomFaces faces;
  double worst = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto [c, p] = face_and_point(faces, flatness, offset, away);
    worst = std::max(worst, units_off(distance(see(p, c)), squared_distance(p, c)));
  }
  return worst;
}

TEST(FaceItem, IsWithinOneUnitOfTheExactDistance) { EXPECT_LE(worst_of(1, 0), 0.51); }
TEST(FaceItem, IsWithinOneUnitFarFromTheOrigin) { EXPECT_LE(worst_of(1, 1e6), 0.51); }
TEST(FaceItem, IsWithinOneUnitFarFromTheFace) { EXPECT_LE(worst_of(1, 0, 1e4), 0.51); }
TEST(FaceItem, IsWithinOneUnitForSlivers) {
  EXPECT_LE(worst_of(1e-3, 0), 0.51);
  EXPECT_LE(worst_of(1e-6, 0), 0.51);
}
TEST(FaceItem, IsWithinOneUnitForSegments) { EXPECT_LE(worst_of(0, 0), 0.51); }

TEST(FaceItem, FacesThatShareAnEdgeAgreeOnIt) {
  RandomFaces faces;
  for (int i = 0; i < 5'000; ++i) {
    const Corners one = faces.corners(1);
    Corners other = {one[2], one[1], faces.corners(1)[0]};
    const std::array<double, 3> p = faces.point_near(one);
    const FaceSight edge = see(p, {one[1], one[2], one[2]});
    for (const FaceSight& face : {see(p, one), see(p, other)}) EXPECT_LE(distance(face), distance(edge));
    if (distance(see(p, one)) == distance(edge)) {
      EXPECT_EQ(see(p, one).squared.low, edge.squared.low);
    }
  }
}

/// How many of 20,000 nearest places were told beforehand, and that the answers are the same bits.
int told(double flatness, double offset, double away) {
  RandomFaces faces;
  int count = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto [c, p] = face_and_point(faces, flatness, offset, away);
    const TwofoldVector point{{p[0], 0x1p-60 * offset * faces.next()}, {p[1], 0}, {p[2], 0}};
    const FaceSight quick = see_face(point, piece_of(c)), slow = see_anywhere(point, piece_of(c));
    for (const auto& [a, b] : {std::pair(quick.squared, slow.squared), std::pair(quick.offset.x, slow.offset.x),
                               std::pair(quick.offset.y, slow.offset.y), std::pair(quick.offset.z, slow.offset.z)}) {
      EXPECT_EQ(a.high, b.high) << i;
      EXPECT_EQ(a.low, b.low) << i;
    }
    const PlainSight plain(point, piece_of(c));
    const int nearest = plain.surely_nearest();
    if (nearest == 0) continue;
    ++count;
    EXPECT_NEAR(plain.squared(nearest), slow.squared.high, 0x1p-38 * plain.reach * plain.reach) << i;
  }
  return count;
}

TEST(FaceItem, WhatIsSurelyNearestGivesTheSameBits) {
  EXPECT_GT(told(1, 0, 0), 17'000);
  EXPECT_GT(told(1, 1e6, 0), 17'000);
  EXPECT_GT(told(1, 0, 10), 17'000);
  told(1, 0, 1e4);
  told(1e-3, 0, 0);
  told(1e-2, 0, 0);
  told(1e-4, 0, 0);
  told(1e-7, 0, 1);
  EXPECT_EQ(told(0, 0, 0), 0);
}

TEST(FaceItem, SurelyNearestByHand) {
  const FacePiece piece = piece_of(corner);  // (0, 0), (0, 4), (4, 0) in order
  const auto nearest = [&](double x, double y, double z) {
    return PlainSight({{x, 0}, {y, 0}, {z, 0}}, piece).surely_nearest();
  };
  EXPECT_EQ(nearest(1, 1, 3), 7);
  EXPECT_EQ(nearest(-2, -3, 6), 1);
  EXPECT_EQ(nearest(-3, 6, 6), 2);
  EXPECT_EQ(nearest(6, -3, 6), 4);
  EXPECT_EQ(nearest(-3, 1, -4), 3);
  EXPECT_EQ(nearest(1, -3, 4), 5);
  EXPECT_EQ(nearest(4, 4, 1), 6);
  EXPECT_EQ(nearest(1, 0, 0), 0);
  EXPECT_EQ(nearest(0, -3, 4), 0);
}

TEST(Twofold, KeepsWhatDoubleLoses) {
  const Twofold sum = exact_sum(1e16, 1);
  EXPECT_EQ(sum.high, 1e16);
  EXPECT_EQ(sum.low, 1);
  const Twofold product = exact_product(1 + 0x1p-30, 1 + 0x1p-30);
  EXPECT_EQ(product.high, 1 + 0x1p-29);
  EXPECT_EQ(product.low, 0x1p-60);
  EXPECT_EQ(rounded_sqrt({9, 0}), 3);
  EXPECT_EQ(rounded_sqrt({0, 0}), 0);
}

}  // namespace
}  // namespace shoal
