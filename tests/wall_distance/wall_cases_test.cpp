// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls.hpp"

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

TEST(WallCases, AerofoilIsTwelvePercentThickAndClosed) {
  const WallCase aerofoil = naca0012_case(257, 65);
  EXPECT_EQ(aerofoil.mesh.face_count(), 256);
  EXPECT_EQ(aerofoil.point_count(), 256 * 64);
  const auto [low, high] = std::minmax_element(aerofoil.mesh.y.begin(), aerofoil.mesh.y.end());
  EXPECT_NEAR(*high - *low, 0.12, 2e-4);
  EXPECT_EQ(aerofoil.mesh.x[0], 1);
  EXPECT_EQ(aerofoil.mesh.y[0], 0);
  EXPECT_EQ(aerofoil.mesh.x[128], 0);
  const WallAnswers found = answers(Queue::cpu(2), aerofoil);
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

TEST(WallCases, ColumnsStandOnTheirFaces) {
  const WallCase columns = columns_case(dented_sphere(30), 3, 1e-4, 2);
  ASSERT_EQ(columns.point_count(), 3 * columns.mesh.face_count());
  const WallAnswers found = answers(Queue::cpu(2), columns);
  std::int64_t own = 0;
  for (std::size_t i = 0; i < found.face.size(); ++i) own += found.face[i] == static_cast<std::int64_t>(i / 3) ? 1 : 0;
  EXPECT_EQ(own, columns.point_count());
  EXPECT_NEAR(found.distance[2], 4e-4, 1e-15);
}

TEST(WallCases, SayWhatTheyCannotMake) {
  EXPECT_EQ(message_of([] { circle_case(3, 50); }),
            "wall_distance: a circle of 3 x 50 points, expected at least 4 x 3.");
  EXPECT_EQ(message_of([] { naca0012_case(20, 50); }),
            "wall_distance: an aerofoil of 20 x 50 points, expected at least 5 x 3, and an odd number around.");
  EXPECT_EQ(message_of([] { six_spheres_case(47, 1); }),
            "wall_distance: six spheres of 47 triangles, expected at least 48.");
  EXPECT_EQ(message_of([] { six_spheres_case(48, -1); }), "wall_distance: -1 points, expected 0 or more.");
  EXPECT_EQ(message_of([] { columns_case(dented_sphere(6), 0, 1, 1); }),
            "wall_distance: columns of 0 layers, expected at least 1.");
  EXPECT_EQ(message_of([] { columns_case(dented_sphere(6), 1, 0, 1); }),
            "wall_distance: columns from 0 m growing by 1, expected positive numbers.");
}

}  // namespace
}  // namespace shoal
