// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/geometry/search_radius_item.hpp"
#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

class EveryFarField : public EveryWallDistanceMethod {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryFarField, testing::ValuesIn(exact_methods()), method_test_name);

struct Bounds {
  std::vector<double> distance, lower;
};

Bounds bounds_of(const Queue& queue, const WallCase& about, const WallDistanceOptions& options) {
  WallDistance walls(queue, about.mesh, options);
  const Array<double> x = to_device(queue, about.x), y = to_device(queue, about.y), z = to_device(queue, about.z);
  Array<double> distance(queue, x.count()), lower(queue, x.count());
  const WallDistanceOutputs out{.distance = distance, .lower = lower};
  if (about.mesh.dimensions == 3)
    walls.find(x, y, z, out);
  else
    walls.find(x, y, out);
  queue.wait();
  return {to_host(queue, distance), to_host(queue, lower)};
}

TEST_P(EveryFarField, BoundsHold) {
  for (const auto& [name, whole] : every_case()) {
    const WallCase about = thinned(whole, 7);
    const std::vector<double> exact = serial(about).distance;
    for (const FarField& far : {FarField{0.01, 0}, FarField{0.01, 0.3}, FarField{1, 1e-3}, FarField{1e-3, 1e100}}) {
      WallDistanceOptions with = options();
      with.far_field = far;
      const Bounds result = bounds_of(queue(), about, with);
      for (std::size_t i = 0; i < exact.size(); ++i) {
        SCOPED_TRACE(testing::Message() << name << ", point " << i << ", " << far.tolerance << " beyond "
                                        << far.beyond);
        ASSERT_LE(result.lower[i], exact[i]);
        ASSERT_GE(result.distance[i], exact[i]);
        ASSERT_LE(result.distance[i], (1 + far.tolerance) * (1 + 0x1p-48) * result.lower[i]);
        if (exact[i] < far.beyond) {
          ASSERT_EQ(result.distance[i], exact[i]);
          ASSERT_EQ(result.lower[i], exact[i]);
        }
      }
    }
  }
}

TEST_P(EveryFarField, WithoutAToleranceBothBoundsAreTheAnswer) {
  for (const auto& [name, whole] : every_case()) {
    const WallCase about = thinned(whole, 7);
    const Bounds result = bounds_of(queue(), about, options());
    EXPECT_EQ(result.distance, serial(about).distance) << name;
    EXPECT_EQ(result.lower, result.distance) << name;
  }
}

TEST_P(EveryFarField, UpdateIsExactAllTheSame) {
  const WallCase about = with_points_within(dented_sphere(20), 100, 20);
  const Queue on = queue();
  WallDistanceOptions with = options();
  with.far_field = {.tolerance = 0.5};
  WallDistance walls(on, about.mesh, with);
  const Array<double> x = to_device(on, about.x), y = to_device(on, about.y), z = to_device(on, about.z);
  Array<double> distance(on, x.count()), lower(on, x.count());
  walls.update(x, y, z, {.distance = distance, .lower = lower});
  EXPECT_EQ(to_host(on, distance), serial(about).distance);
  EXPECT_EQ(to_host(on, lower), to_host(on, distance));
}

TEST_P(EveryFarField, ToleranceIsUsedInTheFarField) {
  WallDistanceOptions with = options();
  if (with.method != "bvh") GTEST_SKIP() << "always tests all faces";
  with.far_field = {.tolerance = 0.1, .beyond = 5};
  const WallCase about = with_points_within(dented_sphere(60), 500, 20);
  const std::vector<double> exact = serial(about).distance;
  const Bounds result = bounds_of(queue(), about, with);
  int inexact = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    inexact += result.distance[i] != exact[i];
    EXPECT_EQ(result.lower[i]<result.distance[i], result.distance[i]> 5);
  }
  EXPECT_GT(inexact, 25);
}

TEST(FarField, SearchRadiusByHand) {
  const SearchRadius far(FarField{0.25, 10});
  EXPECT_EQ(far.radius(8), 8);
  EXPECT_EQ(far.radius(11), 10);
  EXPECT_NEAR(far.radius(100), 80, 1e-12);
  EXPECT_LE(far.radius(100), 80);
  EXPECT_TRUE(SearchRadius().is_exact());
  EXPECT_EQ(SearchRadius().radius(3), 3);
}

TEST(FarField, BadOptions) {
  const WallMesh mesh = dented_sphere(6);
  const auto message = [&](const FarField& far) {
    return message_of([&] { WallDistance(Queue::cpu(1), mesh, {.far_field = far}); });
  };
  EXPECT_EQ(message({.tolerance = -1}), "wall_distance: the tolerance of the far field is -1, expected 0 to 1.");
  EXPECT_EQ(message({.tolerance = std::nan("")}),
            "wall_distance: the tolerance of the far field is nan, expected 0 to 1.");
  EXPECT_EQ(message({.tolerance = 0.1, .beyond = INFINITY}),
            "wall_distance: the far field begins at inf m, expected 0 to 1e100.");
  WallDistance walls(Queue::cpu(1), mesh);
  const std::vector<double> three(3);
  std::vector<double> two(2);
  EXPECT_EQ(message_of([&] { walls.find(three, three, three, {.lower = two}); }),
            "wall_distance: lower bounds has 2 elements, expected 3.");
}

}  // namespace
}  // namespace shoal::wall_distance
