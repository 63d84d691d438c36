// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/geometry/bounding_sphere_item.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "wall_distance/walls.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

const double at_zero[3] = {0, 0, 0};

TEST(BoundingSphere, IsAroundTheMiddleOfASegment) {
  const auto sphere = bounding_sphere<double>({{0, 0, 2}, {0, 0, 0}, {1, 1, 1}}, {}, at_zero);
  EXPECT_EQ(sphere.x, 1);
  EXPECT_EQ(sphere.y, 0);
  EXPECT_EQ(sphere.z, 1);
  EXPECT_NEAR(sphere.radius, 1, 1e-9);
  EXPECT_GE(sphere.radius, 1);
}

TEST(BoundingSphere, MovesWithItsBody) {
  BodyPose quarter{{0, -1, 0, 1, 0, 0, 0, 0, 1}, {10, 0, 5}, true};
  const auto sphere = bounding_sphere<double>({{0, 3, 3}, {0, 0, 3}, {0, 0, 0}}, quarter, at_zero);
  EXPECT_NEAR(sphere.x, 9, 1e-12);
  EXPECT_NEAR(sphere.y, 2, 1e-12);
  EXPECT_NEAR(sphere.z, 5, 1e-12);
  EXPECT_NEAR(sphere.radius, std::sqrt(5.0), 1e-9);
}

/// In every case, the sphere of the nearest primitive is within the search radius.
template <class Real>
void expect_nearest_is_kept() {
  for (const auto& [name, whole] : every_case()) {
    const WallCase about = thinned(whole, 11);
    const WallPrimitives primitives = wall_primitives(about.mesh, {});
    const double origin[3] = {primitives.shape[0].x[0], primitives.shape[0].y[0], primitives.shape[0].z[0]};
    std::vector<BoundingSphere<Real>> spheres;
    for (const Primitive& primitive : primitives.shape) spheres.push_back(bounding_sphere<Real>(primitive, {}, origin));
    for (std::size_t i = 0; i < about.x.size(); ++i) {
      const DoubleDoubleVector point{
          {about.x[i], 0}, {about.y[i], 0}, {about.mesh.dimensions == 3 ? about.z[i] : 0, 0}};
      const SphereQuery<Real> query(point, origin, 0);
      NearestPrimitive nearest;
      Real least = infinite_distance<Real>;
      for (std::size_t k = 0; k < spheres.size(); ++k) {
        nearest.test(point, primitives.shape[k], static_cast<std::int64_t>(k));
        least = std::min(least, query.squared(spheres[k]));
      }
      const auto& sphere = spheres[static_cast<std::size_t>(nearest.primitive)];
      ASSERT_TRUE(may_be_nearest(query.squared(sphere), sphere.radius, query.search_radius(least)))
          << name << ", point " << i;
    }
  }
}
TEST(BoundingSphere, KeepsTheNearestPrimitiveInDouble) { expect_nearest_is_kept<double>(); }
TEST(BoundingSphere, KeepsTheNearestPrimitiveInFloat) { expect_nearest_is_kept<float>(); }

TEST(BoundingSphere, ExcludesFarPrimitives) {
  const DoubleDoubleVector point{{0, 0}, {1, 0}, {0, 0}};
  const SphereQuery<float> query(point, at_zero, 0);
  const float radius = query.search_radius(1.0f);
  EXPECT_FALSE(may_be_nearest(query.squared({2, 0, 0, 1}), 1.0f, radius));
  EXPECT_TRUE(may_be_nearest(query.squared({2, 0, 0, 1.5f}), 1.5f, radius));
  const auto infinite = sphere_at_infinity<float>();
  EXPECT_FALSE(may_be_nearest(query.squared(infinite), infinite.radius, radius));
}

}  // namespace
}  // namespace shoal::wall_distance
