// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/geometry/bounding_disk_item.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace shoal {
namespace {

LeafDisk disk_of(const std::vector<FacePiece>& pieces, const double (&origin)[3]) {
  return leaf_disk([&](int k) { return pieces[static_cast<std::size_t>(k)]; }, static_cast<int>(pieces.size()), origin);
}

TEST(LeafDisk, ByHand) {
  // A triangle in the plane z = 2, seen from (0, 0, 2): the farthest corner is 5 away.
  const LeafDisk disk = disk_of({{{3, -1, 0}, {4, 0, -2}, {2, 2, 2}}}, {0, 0, 2});
  EXPECT_EQ(std::abs(disk.normal[2]), 1);
  EXPECT_EQ(disk.half, 0);
  EXPECT_NEAR(disk.radius, 5, 1e-5);
  EXPECT_NEAR(disk.squared_distance({0, 0, 7}), 49, 1e-5);
  EXPECT_NEAR(disk.squared_distance({8, 0, 4}), 16 + 9, 1e-3);
  EXPECT_EQ(disk.squared_distance({3, 0, 0}), 0);
}

TEST(LeafDisk, SidesOfPiecesDoNotMatter) {
  const FacePiece up{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}, down{{1, 0, 1}, {0, 1, 1}, {0, 0, 0}};
  const LeafDisk disk = disk_of({up, down}, {0.5, 0.5, 0});
  EXPECT_EQ(std::abs(disk.normal[2]), 1);
  EXPECT_EQ(disk.half, 0);
  EXPECT_NEAR(disk.radius, std::sqrt(0.5), 1e-6);
}

TEST(LeafDisk, PiecesWithoutAreaHaveOne) {
  const LeafDisk disk = disk_of({{{1, 1, 1}, {0, 2, 1}, {0, 0, 0}}}, {1, 1, 0});
  EXPECT_EQ(std::abs(disk.normal[0]), 1) << "across the segment";
  EXPECT_EQ(disk.half, 0);
  EXPECT_NEAR(disk.radius, 1, 1e-5);
  EXPECT_NEAR(disk.squared_distance({3, 0, 0}), 9, 1e-5);
  EXPECT_EQ(disk_of({{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}}, {1, 2, 3}).radius, 0) << "a point";
}

TEST(LeafDisk, SegmentsInThePlaneHaveTheirNormalThere) {
  for (const FacePiece& along :
       {FacePiece{{0, 0, 0}, {0, 2, 2}, {0, 0, 0}}, FacePiece{{0, 0, 2}, {0, 0, 0}, {0, 0, 0}}})
    EXPECT_EQ(disk_of({along}, {0, 0, 0}).normal[2], 0);
  const LeafDisk disk = disk_of({{{0, 3, 3}, {0, 4, 4}, {0, 0, 0}}}, {1.5, 2, 0});
  EXPECT_NEAR(std::abs(disk.normal[0]), 0.8, 1e-7);
  EXPECT_NEAR(std::abs(disk.normal[1]), 0.6, 1e-7);
  EXPECT_NEAR(disk.half, 0, 1e-7);
  EXPECT_NEAR(disk.radius, 2.5, 1e-5);
  EXPECT_NEAR(disk.squared_distance({-8, 6, 0}), 100, 1e-4) << "10 away along the normal";
}

/// As a search uses it: what it leaves out is farther for certain.
TEST(LeafDisk, IsNoFartherThanItsPieces) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 20000; ++round) {
    const double extent = std::pow(10, -6 * std::generate_canonical<double, 53>(random));
    const double tilt = std::pow(10, -6 * std::generate_canonical<double, 53>(random));
    std::vector<FacePiece> pieces(1 + static_cast<std::size_t>(round) % 4);
    for (FacePiece& piece : pieces)
      for (int i = 0; i < 3; ++i) {
        piece.x[i] = extent * normal(random);
        piece.y[i] = extent * (normal(random) * tilt + piece.x[i] / extent);
        piece.z[i] = extent * normal(random);
      }
    const double origin[3] = {0, 0, 0};
    const LeafDisk disk = disk_of(pieces, origin);
    const double far = std::pow(10, 2 * normal(random)) * extent;
    const float at[3] = {static_cast<float>(far * normal(random)), static_cast<float>(far * normal(random)),
                         static_cast<float>(far * normal(random))};
    const float away = std::max({std::abs(at[0]), std::abs(at[1]), std::abs(at[2])});
    float size = 0;
    NearestFace nearest;
    for (const FacePiece& piece : pieces) {
      nearest.see({{at[0], 0}, {at[1], 0}, {at[2], 0}}, piece, 0);
      for (int i = 0; i < 3; ++i)
        size = std::max({size, static_cast<float>(std::abs(piece.x[i])), static_cast<float>(std::abs(piece.y[i])),
                         static_cast<float>(std::abs(piece.z[i]))});
    }
    const double seen = std::sqrt(static_cast<double>(disk.squared_distance(at)));
    ASSERT_LE(seen, nearest.distance + static_cast<double>(LeafDisk::error * away + flat_error * size)) << round;
    ASSERT_GE(seen + 2 * static_cast<double>(disk.half) + 2 * static_cast<double>(disk.radius), nearest.distance);
  }
}

}  // namespace
}  // namespace shoal
