// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/geometry/bounding_disk_item.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace shoal::wall_distance {
namespace {

BoundingDisk disk_of(const std::vector<Primitive>& primitives, const double (&origin)[3]) {
  return bounding_disk([&](int k) { return primitives[static_cast<std::size_t>(k)]; },
                       static_cast<int>(primitives.size()), origin);
}

TEST(BoundingDisk, ByHand) {
  // A triangle in the plane z = 2; its farthest corner is 5 m from the origin (0, 0, 2).
  const BoundingDisk disk = disk_of({{{3, -1, 0}, {4, 0, -2}, {2, 2, 2}}}, {0, 0, 2});
  EXPECT_EQ(std::abs(disk.normal[2]), 1);
  EXPECT_EQ(disk.half_height, 0);
  EXPECT_NEAR(disk.radius, 5, 1e-5);
  EXPECT_NEAR(disk.squared_distance({0, 0, 7}), 49, 1e-5);
  EXPECT_NEAR(disk.squared_distance({8, 0, 4}), 16 + 9, 1e-3);
  EXPECT_EQ(disk.squared_distance({3, 0, 0}), 0);
}

TEST(BoundingDisk, OrientationsDoNotMatter) {
  const Primitive up{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}, down{{1, 0, 1}, {0, 1, 1}, {0, 0, 0}};
  const BoundingDisk disk = disk_of({up, down}, {0.5, 0.5, 0});
  EXPECT_EQ(std::abs(disk.normal[2]), 1);
  EXPECT_EQ(disk.half_height, 0);
  EXPECT_NEAR(disk.radius, std::sqrt(0.5), 1e-6);
}

TEST(BoundingDisk, PrimitivesWithoutAreaHaveADisk) {
  const BoundingDisk disk = disk_of({{{1, 1, 1}, {0, 2, 1}, {0, 0, 0}}}, {1, 1, 0});
  EXPECT_EQ(std::abs(disk.normal[0]), 1) << "across the segment";
  EXPECT_EQ(disk.half_height, 0);
  EXPECT_NEAR(disk.radius, 1, 1e-5);
  EXPECT_NEAR(disk.squared_distance({3, 0, 0}), 9, 1e-5);
  EXPECT_EQ(disk_of({{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}}, {1, 2, 3}).radius, 0) << "a point";
}

TEST(BoundingDisk, SegmentsInThePlaneHaveTheirNormalThere) {
  for (const Primitive& along :
       {Primitive{{0, 0, 0}, {0, 2, 2}, {0, 0, 0}}, Primitive{{0, 0, 2}, {0, 0, 0}, {0, 0, 0}}})
    EXPECT_EQ(disk_of({along}, {0, 0, 0}).normal[2], 0);
  const BoundingDisk disk = disk_of({{{0, 3, 3}, {0, 4, 4}, {0, 0, 0}}}, {1.5, 2, 0});
  EXPECT_NEAR(std::abs(disk.normal[0]), 0.8, 1e-7);
  EXPECT_NEAR(std::abs(disk.normal[1]), 0.6, 1e-7);
  EXPECT_NEAR(disk.half_height, 0, 1e-7);
  EXPECT_NEAR(disk.radius, 2.5, 1e-5);
  EXPECT_NEAR(disk.squared_distance({-8, 6, 0}), 100, 1e-4) << "10 away along the normal";
}

/// A search skips primitives whose disk is farther than its radius; none of them may be nearer.
TEST(BoundingDisk, IsNoFartherThanItsPrimitives) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 20000; ++round) {
    const double extent = std::pow(10, -6 * std::generate_canonical<double, 53>(random));
    const double tilt = std::pow(10, -6 * std::generate_canonical<double, 53>(random));
    std::vector<Primitive> primitives(1 + static_cast<std::size_t>(round) % 4);
    for (Primitive& primitive : primitives)
      for (int i = 0; i < 3; ++i) {
        primitive.x[i] = extent * normal(random);
        primitive.y[i] = extent * (normal(random) * tilt + primitive.x[i] / extent);
        primitive.z[i] = extent * normal(random);
      }
    const double origin[3] = {0, 0, 0};
    const BoundingDisk disk = disk_of(primitives, origin);
    const double far = std::pow(10, 2 * normal(random)) * extent;
    const float w[3] = {static_cast<float>(far * normal(random)), static_cast<float>(far * normal(random)),
                        static_cast<float>(far * normal(random))};
    const float away = std::max({std::abs(w[0]), std::abs(w[1]), std::abs(w[2])});
    float size = 0;
    NearestPrimitive nearest;
    for (const Primitive& primitive : primitives) {
      nearest.test({{w[0], 0}, {w[1], 0}, {w[2], 0}}, primitive, 0);
      for (int i = 0; i < 3; ++i)
        size = std::max({size, static_cast<float>(std::abs(primitive.x[i])),
                         static_cast<float>(std::abs(primitive.y[i])), static_cast<float>(std::abs(primitive.z[i]))});
    }
    const double to_disk = std::sqrt(static_cast<double>(disk.squared_distance(w)));
    ASSERT_LE(to_disk, nearest.distance + static_cast<double>(BoundingDisk::error * away + planar_error * size))
        << round;
    ASSERT_GE(to_disk + 2 * static_cast<double>(disk.half_height) + 2 * static_cast<double>(disk.radius),
              nearest.distance);
  }
}

}  // namespace
}  // namespace shoal::wall_distance
