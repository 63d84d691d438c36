// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls.hpp"

#include <set>

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

constexpr double rounding = 1e-15;  ///< m, rounding of coordinates of about 1 m

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
  const WallAnswers result = answers(Queue::cpu(2), airfoil);
  EXPECT_GT(*std::min_element(result.distance.begin(), result.distance.end()), 1e-7);
}

TEST(WallCases, SpheresHaveCornersAtTheirRadiusAndNormalsOutwards) {
  const WallCase spheres = six_spheres_case(3'000, 10);
  EXPECT_EQ(spheres.mesh.wall_names.size(), 6u);
  EXPECT_NEAR(static_cast<double>(spheres.mesh.face_count()), 3'000, 400);
  const WallAnswers result =
      answers(Queue::cpu(2), boundary_layer_case(spheres.mesh, {.layers = 1, .first_height = 1e-3, .growth = 1}));
  for (const double distance : result.distance) EXPECT_NEAR(distance, 1e-3, rounding);
  for (std::size_t i = 0; i < spheres.mesh.x.size(); ++i) {
    const double x = std::abs(spheres.mesh.x[i]), y = std::abs(spheres.mesh.y[i]), z = std::abs(spheres.mesh.z[i]);
    EXPECT_NEAR(std::min({std::hypot(x - 2, y, z), std::hypot(x, y - 2, z), std::hypot(x, y, z - 2)}), 1, rounding);
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
  for (std::size_t i = 3; i < 11; ++i) EXPECT_NEAR(std::hypot(mesh.x[i] - 1, mesh.y[i] + 2), 0.5, rounding);
  EXPECT_EQ(mesh.corners.back(), 3) << "the last face ends at the first point";
  const WallAnswers result =
      answers(Queue::cpu(2), boundary_layer_case(mesh, {.layers = 1, .first_height = 1e-3, .growth = 1}));
  for (const double distance : result.distance) EXPECT_NEAR(distance, 1e-3, rounding);
}

TEST(BoundaryLayerPoints, AreAboveTheirFaces) {
  const WallCase layers = boundary_layer_case(dented_sphere(30), {.layers = 3, .first_height = 1e-4, .growth = 2});
  ASSERT_EQ(layers.point_count(), 3 * layers.mesh.face_count());
  const WallAnswers result = answers(Queue::cpu(2), layers);
  for (std::size_t i = 0; i < result.face.size(); ++i) EXPECT_EQ(result.face[i], static_cast<std::int64_t>(i / 3));
  EXPECT_NEAR(result.distance[2], 4e-4, rounding);
}

TEST(BoundaryLayerPoints, SplitFacesHavePointsAboveEachPart) {
  WallMesh mesh;
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {3.0, 0.0}, {0.0, 3.0}}) mesh.add_point(x, y, 1);
  mesh.add_face({0, 1, 2}, mesh.add_wall("triangle"));
  const WallCase layers = boundary_layer_case(mesh, {.layers = 2, .first_height = 0.5, .growth = 2, .split = 3});
  const std::vector<double>&x = layers.x, &y = layers.y, &z = layers.z;
  ASSERT_EQ(x.size(), 2u * 9u);
  // Middles of nine triangles of side 1 by hand: six upright ones, then three upside down.
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

TEST(BoundaryLayerPoints, SplitSegmentsHavePointsAboveEachPart) {
  WallMesh mesh{.dimensions = 2};
  mesh.add_point(0, 0);
  mesh.add_point(4, 0);
  mesh.add_face({0, 1}, mesh.add_wall("floor"));
  const WallCase layers = boundary_layer_case(mesh, {.layers = 1, .first_height = 1, .growth = 2, .split = 4});
  EXPECT_EQ(layers.x, (std::vector{0.5, 1.5, 2.5, 3.5}));
  EXPECT_EQ(layers.y, (std::vector{-1.0, -1.0, -1.0, -1.0}));
  EXPECT_TRUE(layers.z.empty());
}

TEST(BoundaryLayerPoints, PolygonsAreFansAndFacesWithoutAreaHaveNoPoints) {
  WallMesh mesh;
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}}) mesh.add_point(x, y, 0);
  const std::int32_t wall = mesh.add_wall("square");
  mesh.add_face({2, 3, 0, 1}, wall);
  mesh.add_face({0, 1, 1}, wall);
  const WallCase layers = boundary_layer_case(mesh, {.layers = 1, .first_height = 1, .growth = 1});
  ASSERT_EQ(layers.point_count(), 2);
  EXPECT_NEAR(layers.x[0], 2.0 / 3, 1e-15) << "above the triangle of corners 0, 1 and 2";
  EXPECT_NEAR(layers.y[0], 1.0 / 3, 1e-15);
}

TEST(WallCases, BadArgumentsAreRefused) {
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
            "wall_distance: a circle in a 3-D mesh. Set `dimensions` of the mesh to 2.");
  EXPECT_EQ(message_of([] { six_spheres_case(47, 1); }),
            "wall_distance: six spheres of 47 triangles, expected at least 48.");
  EXPECT_EQ(message_of([] { six_spheres_case(48, -1); }), "wall_distance: -1 points, expected 0 or more.");
  EXPECT_EQ(message_of([] { boundary_layer_case(dented_sphere(6), {.layers = 0, .first_height = 1, .growth = 1}); }),
            "boundary layer: 0 layers, expected at least 1.");
  EXPECT_EQ(message_of([] { boundary_layer_case(dented_sphere(6), {.layers = 1, .first_height = 0, .growth = 1}); }),
            "boundary layer: first height 0 m and growth 1, expected positive numbers.");
  EXPECT_EQ(message_of([] { boundary_layer_case(dented_sphere(6), {.split = 0}); }),
            "boundary layer: split is 0, expected at least 1.");
}

}  // namespace
}  // namespace shoal::wall_distance
