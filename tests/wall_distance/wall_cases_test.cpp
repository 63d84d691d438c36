// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls.hpp"

#include <set>

namespace shoal {
namespace {

using namespace testing_support;

TEST(WallCases, CirclesHaveThePapersNumbers) {
  for (const auto& [around, faces, cells] :
       {std::array{200, 199, 9'751}, {1000, 999, 48'951}, {5000, 4'999, 244'951}}) {
    const WallCase circle = circle_case(around, 50);
    EXPECT_EQ(circle.mesh.face_count(), faces);
    EXPECT_EQ(circle.point_count(), cells);
    EXPECT_NO_THROW(require_valid(circle.mesh));
  }
  const WallCase circle = circle_case(1000, 50);
  EXPECT_NEAR(std::hypot(circle.x.front(), circle.y.front()), 0.5 + 0.00594 / 2, 1e-5);
  EXPECT_LT(std::hypot(circle.x.back(), circle.y.back()), 10.097);
  EXPECT_GT(std::hypot(circle.x.back(), circle.y.back()), 9);
}

TEST(WallCases, AirfoilIsTwelvePercentThickAndClosed) {
  const WallCase airfoil = naca0012_case(257, 65);
  EXPECT_EQ(airfoil.mesh.face_count(), 256);
  EXPECT_EQ(airfoil.point_count(), 256 * 64);
  const auto [low, high] = std::minmax_element(airfoil.mesh.y.begin(), airfoil.mesh.y.end());
  EXPECT_NEAR(*high - *low, 0.12, 2e-4);
  EXPECT_EQ(airfoil.mesh.x[0], 1);
  EXPECT_EQ(airfoil.mesh.y[0], 0);
  EXPECT_EQ(airfoil.mesh.x[128], 0);
  const WallAnswers found = answers(Queue::cpu(2), airfoil);
  EXPECT_GT(*std::min_element(found.distance.begin(), found.distance.end()), 1e-7);
}

TEST(WallCases, SpheresHaveCornersAtTheirRadiusAndNormalsOutwards) {
  const WallCase spheres = six_spheres_case(3'000, 10);
  EXPECT_EQ(spheres.mesh.wall_names.size(), 6u);
  EXPECT_NEAR(static_cast<double>(spheres.mesh.face_count()), 3'000, 400);
  const WallAnswers found = answers(Queue::cpu(2), columns_case(spheres.mesh, 1, 1e-3, 1));
  for (const double distance : found.distance) EXPECT_NEAR(distance, 1e-3, 1e-15);
  for (std::size_t i = 0; i < spheres.mesh.x.size(); ++i) {
    const double x = std::abs(spheres.mesh.x[i]), y = std::abs(spheres.mesh.y[i]), z = std::abs(spheres.mesh.z[i]);
    EXPECT_NEAR(std::min({std::hypot(x - 2, y, z), std::hypot(x, y - 2, z), std::hypot(x, y, z - 2)}), 1, 1e-15);
  }
}

TEST(WallCases, GridsHaveTheirWallAsTheFirstRing) {
  const OGridNodes nodes = naca0012_nodes(33, 9);
  const WallCase grid = naca0012_case(33, 9);
  EXPECT_EQ(nodes.around, 32);
  ASSERT_EQ(nodes.x.size(), 32u * 9u);
  for (std::size_t i = 0; i < 32; ++i)
    EXPECT_EQ(std::pair(nodes.x[i], nodes.y[i]), std::pair(grid.mesh.x[i], grid.mesh.y[i]));
  EXPECT_EQ(grid.x[0], (nodes.x[0] + nodes.x[1] + nodes.x[33] + nodes.x[32]) / 4);
  EXPECT_NEAR(std::hypot(nodes.x.back() - 0.5, nodes.y.back()), 20, 1e-12);
}

TEST(WallCases, CirclesAreClosedAndFaceOutwards) {
  WallMesh mesh{.dimensions = 2};
  add_circle(mesh, "first", {0, 0}, 1, 3);
  add_circle(mesh, "second", {1, -2}, 0.5, 8);
  EXPECT_NO_THROW(require_valid(mesh));
  EXPECT_EQ(mesh.face_count(), 11);
  for (std::size_t i = 3; i < 11; ++i) EXPECT_NEAR(std::hypot(mesh.x[i] - 1, mesh.y[i] + 2), 0.5, 1e-15);
  EXPECT_EQ(mesh.corners.back(), 3) << "the last face ends where the first begins";
  const WallAnswers found = answers(Queue::cpu(2), columns_case(mesh, 1, 1e-3, 1));
  for (const double distance : found.distance) EXPECT_NEAR(distance, 1e-3, 1e-15);
}

TEST(WallCases, ColumnsStandOnTheirFaces) {
  const WallCase columns = columns_case(dented_sphere(30), 3, 1e-4, 2);
  ASSERT_EQ(columns.point_count(), 3 * columns.mesh.face_count());
  const WallAnswers found = answers(Queue::cpu(2), columns);
  std::int64_t own = 0;
  for (std::size_t i = 0; i < found.face.size(); ++i) own += found.face[i] == static_cast<std::int64_t>(i / 3) ? 1 : 0;
  EXPECT_EQ(own, columns.point_count());
  EXPECT_NEAR(found.distance[2], 4e-4, 1e-15);
}

TEST(WallCases, SplitFacesHaveAColumnOverEachPart) {
  WallMesh mesh;
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {3.0, 0.0}, {0.0, 3.0}}) mesh.add_point(x, y, 1);
  mesh.add_face({0, 1, 2}, mesh.add_wall("triangle"));
  const Queue queue = Queue::cpu(2);
  const WallPoints points = make_columns(queue, mesh, {.layers = 2, .first = 0.5, .growth = 2, .split = 3});
  const std::vector<double> x = to_host(queue, points.x), y = to_host(queue, points.y), z = to_host(queue, points.z);
  ASSERT_EQ(x.size(), 2u * 9u);
  // The middles of nine triangles of side 1, six that stand and three upside down, by hand.
  const std::set<std::pair<double, double>> middles = {{1, 1}, {4, 1}, {7, 1}, {1, 4}, {4, 4},
                                                       {1, 7}, {2, 2}, {5, 2}, {2, 5}};
  std::set<std::pair<double, double>> found;
  for (std::size_t i = 0; i < x.size(); ++i) {
    found.emplace(std::round(3 * x[i]), std::round(3 * y[i]));
    EXPECT_NEAR(3 * x[i], std::round(3 * x[i]), 1e-14);
    EXPECT_NEAR(3 * y[i], std::round(3 * y[i]), 1e-14);
    EXPECT_EQ(z[i], i % 2 == 0 ? 1.5 : 2);
  }
  EXPECT_EQ(found, middles);
}

TEST(WallCases, SplitSegmentsHaveAColumnOverEachPart) {
  WallMesh mesh{.dimensions = 2};
  mesh.add_point(0, 0);
  mesh.add_point(4, 0);
  mesh.add_face({0, 1}, mesh.add_wall("floor"));
  const Queue queue = Queue::cpu(1);
  const WallPoints points = make_columns(queue, mesh, {.layers = 1, .first = 1, .growth = 2, .split = 4});
  EXPECT_EQ(to_host(queue, points.x), (std::vector{0.5, 1.5, 2.5, 3.5}));
  EXPECT_EQ(to_host(queue, points.y), (std::vector{-1.0, -1.0, -1.0, -1.0}));
  EXPECT_EQ(points.z.count(), 0);
}

struct ColumnsOn : testing::TestWithParam<DeviceKind> {
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Devices, ColumnsOn, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(ColumnsOn, HaveTheSameBitsOnEveryDevice) {
  WallMesh flat = circle_case(101, 3).mesh;
  for (const WallMesh& mesh : {dented_sphere(40), flat})
    for (const std::int64_t split : {1, 2, 7}) {
      const ColumnOptions options{.layers = 13, .first = 1e-5, .growth = 1.3, .split = split};
      const Queue one = Queue::cpu(1), queue = queue_on(GetParam());
      const WallPoints expected = make_columns(one, mesh, options), found = make_columns(queue, mesh, options);
      ASSERT_EQ(found.x.count(), 13 * mesh.face_count() * (mesh.dimensions == 3 ? split * split : split));
      EXPECT_EQ(to_host(queue, found.x), to_host(one, expected.x));
      EXPECT_EQ(to_host(queue, found.y), to_host(one, expected.y));
      EXPECT_EQ(to_host(queue, found.z), to_host(one, expected.z));
    }
}

TEST(WallCases, PolygonsAreFansAndFacesWithoutAreaHaveNoColumn) {
  WallMesh mesh;
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}}) mesh.add_point(x, y, 0);
  const std::int32_t wall = mesh.add_wall("square");
  mesh.add_face({2, 3, 0, 1}, wall);
  mesh.add_face({0, 1, 1}, wall);
  const WallCase columns = columns_case(mesh, 1, 1, 1);
  ASSERT_EQ(columns.point_count(), 2);
  EXPECT_NEAR(columns.x[0], 2.0 / 3, 1e-15) << "of the corners 0, 1 and 2";
  EXPECT_NEAR(columns.y[0], 1.0 / 3, 1e-15);
}

TEST(WallCases, SayWhatTheyCannotMake) {
  EXPECT_EQ(message_of([] { circle_case(3, 50); }),
            "wall_distance: a circle of 3 x 50 points, expected at least 4 x 3.");
  EXPECT_EQ(message_of([] { naca0012_case(20, 50); }),
            "wall_distance: an airfoil of 20 x 50 points, expected at least 5 x 3, and an odd number around.");
  WallMesh flat{.dimensions = 2}, solid;
  EXPECT_EQ(message_of([&] {
              add_circle(flat, "circle", {0, 0}, 1, 2);
            }),
            "wall_distance: a circle of 2 faces, expected at least 3.");
  EXPECT_EQ(message_of([&] {
              add_circle(solid, "circle", {0, 0}, 1, 3);
            }),
            "wall_distance: a circle in a 3-D mesh. Set its dimensions to 2.");
  EXPECT_EQ(message_of([] { six_spheres_case(47, 1); }),
            "wall_distance: six spheres of 47 triangles, expected at least 48.");
  EXPECT_EQ(message_of([] { six_spheres_case(48, -1); }), "wall_distance: -1 points, expected 0 or more.");
  EXPECT_EQ(message_of([] { columns_case(dented_sphere(6), 0, 1, 1); }),
            "wall_distance: columns of 0 layers, expected at least 1.");
  EXPECT_EQ(message_of([] { columns_case(dented_sphere(6), 1, 0, 1); }),
            "wall_distance: columns from 0 m growing by 1, expected positive numbers.");
  EXPECT_EQ(message_of([] { make_columns(Queue::cpu(1), dented_sphere(6), {.split = 0}); }),
            "wall_distance: columns over faces split 0 times, expected 1 to 1000000.");
}

}  // namespace
}  // namespace shoal
