// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/quadruple.hpp"
#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryWallDistanceMethod, testing::ValuesIn(exact_methods()), method_test_name);

/// A square of two walls: "floor" from (0, 0) to (4, 0) to (4, 4), "roof" back.
WallMesh square() {
  WallMesh mesh{.dimensions = 2};
  for (const auto& [x, y] : {std::pair(0, 0), {4, 0}, {4, 4}, {0, 4}}) mesh.add_point(x, y);
  for (std::int64_t i = 0; i < 4; ++i) mesh.add_face({i, (i + 1) % 4}, mesh.add_wall(i < 2 ? "floor" : "roof"));
  return mesh;
}

TEST_P(EveryWallDistanceMethod, SquareByHand) {
  const WallCase about{square(), {1, 5, 7, 2, 0, 1}, {-2, 1, 8, 2, 3, 1}};
  const WallAnswers result = answers(queue(), about, options());
  EXPECT_EQ(result.distance, (std::vector<double>{2, 1, 5, 2, 0, 1}));
  EXPECT_EQ(result.face, (std::vector<std::int64_t>{0, 1, 1, 0, 3, 0}));  // ties: corner, middle, diagonal
  EXPECT_EQ(result.wall, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(result.x, (std::vector<double>{1, 4, 4, 2, 0, 1}));
  EXPECT_EQ(result.y, (std::vector<double>{0, 1, 4, 0, 3, 0}));
}

TEST_P(EveryWallDistanceMethod, UsesChosenWallsAndKeepsTheNumbersOfFaces) {
  WallDistanceOptions roof = options();
  roof.walls = {"roof"};
  const WallCase about{square(), {1, 5}, {-2, 4}};
  const WallAnswers result = answers(queue(), about, roof);
  EXPECT_EQ(result.face, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(result.wall, (std::vector<std::int32_t>{1, 1}));
  EXPECT_EQ(result.distance, (std::vector<double>{std::sqrt(5.0), 1}));
  EXPECT_EQ(WallDistance(queue(), about.mesh, roof).face_count(), 2);
}

TEST_P(EveryWallDistanceMethod, ToCentersOfFacesByName) {
  WallDistanceOptions centers = options();
  centers.to = WallDistanceTo::face_center;
  const WallAnswers result = answers(queue(), {square(), {1, 2, 0}, {-2, 0, 0}}, centers);
  EXPECT_EQ(result.distance, (std::vector<double>{std::sqrt(5.0), 0, 2}));
  EXPECT_EQ(result.x, (std::vector<double>{2, 2, 2}));
}

TEST_P(EveryWallDistanceMethod, QuadrilateralsAreFansFromTheirSmallestPoint) {
  // A saddle: corners 0 and 2 at height 0, corners 1 and 3 at height 1. Cut from 0 to 2, its middle is at height 0.
  WallMesh mesh;
  mesh.add_point(0, 0, 0), mesh.add_point(1, 0, 1), mesh.add_point(1, 1, 0), mesh.add_point(0, 1, 1);
  for (const auto& corners : {std::vector<std::int64_t>{0, 1, 2, 3}, {1, 2, 3, 0}, {3, 2, 1, 0}}) {
    WallCase about{mesh, {0.5}, {0.5}, {0}};
    about.mesh.add_face(corners, about.mesh.add_wall("saddle"));
    EXPECT_EQ(answers(queue(), about, options()).distance, std::vector<double>{0});
  }
}

TEST_P(EveryWallDistanceMethod, GivesTheBitsOfSerial) {
  for (const auto& [name, about] : every_case()) {
    const WallAnswers expected = serial(about), result = answers(queue(), about, options());
    EXPECT_EQ(result.face, expected.face) << name;
    EXPECT_TRUE(same_results(result, expected)) << name;
  }
}

TEST_P(EveryWallDistanceMethod, GivesTheBitsOfSerialWithAnyAuxiliaryGrid) {
  if (!GetParam().name.starts_with("advancing_boundary")) GTEST_SKIP() << "no auxiliary grid";
  for (const WallCase& about : {thinned(circle_case(200, 50), 13), with_points_within(dented_sphere(20), 300, 2),
                                WallCase{square(), {1}, {5}}}) {
    const WallAnswers expected = serial(about);
    for (const std::int64_t cells : {1, 2, 9, 1'000'000}) {
      WallDistanceOptions with = options();
      with.auxiliary_cells = cells;
      EXPECT_TRUE(same_results(answers(queue(), about, with), expected)) << cells << " cells along each axis";
    }
  }
}

/// Segments have no direction across them: see no_direction.
TEST_P(EveryWallDistanceMethod, GivesTheBitsOfSerialForPolygonsInThePlane) {
  for (int sides = 3; sides <= 60; ++sides) {
    WallMesh mesh;
    mesh.dimensions = 2;
    add_circle(mesh, "circle", {0, 0}, 0.2, sides);
    add_circle(mesh, "other", {-1.3, 0.4}, 0.5, 8);
    const WallCase about = with_points_within(mesh, 300, 6);
    EXPECT_TRUE(same_results(answers(queue(), about, options()), serial(about))) << sides << " sides";
  }
}

TEST_P(EveryWallDistanceMethod, GivesTheSameBitsOverManyFacesOfSeveralBodies) {
  WallMesh mesh = dented_sphere(110);
  add_sphere(mesh, "second", {2, 0, 0}, 0.3, 60, 40);
  add_sphere(mesh, "third", {0, 2, 0}, 0.3, 8, 4);
  WallCase about = with_points_within(mesh, 60, 2.5);
  const WallCase layers =
      thinned(boundary_layer_case(mesh, {.layers = 40, .first_height = 1e-5, .growth = 1.25}), 9973);
  about.x.insert(about.x.end(), layers.x.begin(), layers.x.end());
  about.y.insert(about.y.end(), layers.y.begin(), layers.y.end());
  about.z.insert(about.z.end(), layers.z.begin(), layers.z.end());
  WallDistanceOptions bodies = options(), oracle{.method = "bvh"};
  bodies.bodies = oracle.bodies = {{"second", {"second"}}, {"third", {"third"}}};
  EXPECT_TRUE(same_results(answers(queue(), about, bodies), answers(Queue::cpu(1), about, oracle)));
}

/// Within 2 units in the last place of the smallest distance in quadruple precision.
TEST_P(EveryWallDistanceMethod, IsExact) {
  for (const auto& [name, whole] : every_case()) {
    const WallCase about = thinned(whole, 17);
    const WallMesh& mesh = about.mesh;
    const WallAnswers result = answers(queue(), about, options());
    for (std::size_t i = 0; i < about.x.size(); ++i) {
      const auto depth = [&](const std::vector<double>& z, std::size_t k) { return mesh.dimensions == 3 ? z[k] : 0; };
      Quadruple nearest = 1e300;
      for (std::size_t face = 0; face < mesh.wall.size(); ++face) {
        std::vector<std::int64_t> numbers(mesh.corners.begin() + mesh.face_start[face],
                                          mesh.corners.begin() + mesh.face_start[face + 1]);
        std::rotate(numbers.begin(), std::min_element(numbers.begin(), numbers.end()), numbers.end());
        const auto corner = [&](std::size_t k) {
          const auto point = static_cast<std::size_t>(numbers[std::min(k, numbers.size() - 1)]);
          return std::array<double, 3>{mesh.x[point], mesh.y[point], depth(mesh.z, point)};
        };
        for (std::size_t k = 2; k < std::max<std::size_t>(3, numbers.size()); ++k)
          nearest = std::min(nearest, squared_distance({about.x[i], about.y[i], depth(about.z, i)},
                                                       {corner(0), corner(k - 1), corner(k)}));
      }
      ASSERT_LE(units_off(result.distance[i], nearest), 2) << name << ", point " << i;
    }
  }
}

/// Sizes of about 1e-30 and 1e30 m, where squares in float underflow or overflow.
TEST_P(EveryWallDistanceMethod, ScaledWallsHaveScaledAnswers) {
  for (const auto& [name, whole] : every_case()) {
    const WallCase about = thinned(whole, 11);
    const WallAnswers expected = serial(about);
    for (const double scale : {0x1p-100, 0x1p-70, 0x1p+100}) {
      const WallAnswers result = answers(queue(), scaled_by(about, scale), options());
      EXPECT_EQ(result.face, expected.face) << name;
      for (std::size_t i = 0; i < expected.distance.size(); ++i)
        ASSERT_EQ(result.distance[i], scale * expected.distance[i]) << name << " times " << scale << ", point " << i;
    }
  }
}

/// Walls of very different sizes, which no common scale suits.
TEST_P(EveryWallDistanceMethod, SmallWallsBesideLargeOnesAreExact) {
  WallMesh mesh;
  add_sphere(mesh, "large", {-2, 0, 0}, 1, 8, 4);
  add_sphere(mesh, "small", {0, 0, 0}, 0x1p-70, 16, 8);
  WallCase about = scaled_by(with_points_within(mesh, 200, 2), 0x1p-70);
  about.mesh = mesh;
  const WallAnswers expected = serial(about);
  EXPECT_EQ(expected.wall, std::vector<std::int32_t>(200, 1));
  EXPECT_TRUE(same_results(answers(queue(), about, options()), expected));
}

TEST_P(EveryWallDistanceMethod, IsZeroAtEveryCornerOfTheWall) {
  WallCase about{dented_sphere(30)};
  about.x = about.mesh.x, about.y = about.mesh.y, about.z = about.mesh.z;
  for (const WallCase& wall : {about, moved_by(about, 1e6)})
    for (const double distance : answers(queue(), wall, options()).distance) EXPECT_EQ(distance, 0);
}

TEST_P(EveryWallDistanceMethod, CellsOfALayerAreNearestToTheFaceBelow) {
  const WallAnswers result = answers(queue(), thinned(circle_case(1000, 50), 7), options());
  for (std::size_t i = 0; i < result.face.size(); ++i)
    ASSERT_EQ(result.face[i], static_cast<std::int64_t>(7 * i % 999));
}

TEST_P(EveryWallDistanceMethod, GivesTheSameBitsForEveryNumberOfThreads) {
  if (GetParam().device != DeviceKind::cpu) GTEST_SKIP() << "not promised";
  const WallCase about =
      thinned(boundary_layer_case(dented_sphere(30), {.layers = 40, .first_height = 1e-5, .growth = 1.25}), 13);
  const WallAnswers expected = answers(Queue::cpu(1), about, options());
  for (const int threads : {2, 3}) EXPECT_TRUE(same_results(answers(Queue::cpu(threads), about, options()), expected));
}

TEST_P(EveryWallDistanceMethod, ReadsAndWritesAnyStrideAndOnlyRequestedOutputs) {
  const Queue on = queue();
  WallDistance walls(on, square(), options());
  const Array<double> points = to_device(on, std::vector<double>{1, -2, 5, 1, 7, 8});
  Array<double> out = to_device(on, std::vector<double>(9, -1));
  walls.find({points.data(), 3, on.device(), 2}, {points.data() + 1, 3, on.device(), 2},
             {.distance = {out.data() + 1, 3, on.device(), 3}});
  EXPECT_EQ(to_host(on, out), (std::vector<double>{-1, 2, -1, -1, 1, -1, -1, 5, -1}));
}

TEST_P(EveryWallDistanceMethod, NamesTheFirstPointWithABadCoordinate) {
  const Queue on = queue();
  WallCase about = with_points_within(dented_sphere(10), 1000, 1);
  about.z[900] = std::nan("");
  about.y[123] = INFINITY;
  EXPECT_EQ(message_of([&] { answers(on, about, options()); }),
            "wall_distance: point 123 has a bad y coordinate, expected a finite number with |y| <= 1e100 m. Correct or "
            "remove the point.");
  EXPECT_NO_THROW(on.wait());
}

}  // namespace
}  // namespace shoal::wall_distance
