// SPDX-License-Identifier: Apache-2.0
// The C interface, called as C does: answers by hand, the bits of the C++ library, and the message of every failure.
#include <gmock/gmock.h>
#include <shoal/c/shoal.h>
#include <shoal/neighbors.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

const std::vector<double> square = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
const std::vector<std::int64_t> square_start = {0, 4}, square_corners = {0, 1, 2, 3};

struct CWallDistance : testing::Test {
  shoal_wall_distance* walls = nullptr;

  void TearDown() override { shoal_wall_distance_destroy(walls); }
  void create() {
    ASSERT_EQ(shoal_wall_distance_create(3, 4, square.data(), 1, square_start.data(), square_corners.data(),
                                         SHOAL_UNSIGNED, 1, &walls),
              SHOAL_OK)
        << shoal_error_message();
  }
  /// Message of a failure to make a plan, which leaves no plan.
  std::string refused(int dimensions, std::int64_t points, const double* position, std::int64_t faces,
                      const std::int64_t* start, const std::int64_t* corners, int threads = 1,
                      int inside = SHOAL_UNSIGNED) {
    const int status =
        shoal_wall_distance_create(dimensions, points, position, faces, start, corners, inside, threads, &walls);
    EXPECT_EQ(walls, nullptr);
    return status == SHOAL_INVALID ? shoal_error_message() : "no error";
  }
};

TEST_F(CWallDistance, FindsTheNearestFaceAndPoint) {
  create();
  const std::vector<double> points = {0, 0, 0.25, 4, 0, 4};
  std::vector<double> distance(2), nearest(6);
  std::vector<std::int64_t> face(2, -1);
  ASSERT_EQ(shoal_wall_distance_find(walls, 2, points.data(), distance.data(), face.data(), nearest.data()), SHOAL_OK);
  EXPECT_THAT(distance, ElementsAre(0.25, 5));
  EXPECT_THAT(face, ElementsAre(0, 0));
  EXPECT_THAT(nearest, ElementsAre(0, 0, 0, 1, 0, 0));
  distance = {-1, -1};
  EXPECT_EQ(shoal_wall_distance_find(walls, 2, points.data(), distance.data(), nullptr, nullptr), SHOAL_OK);
  EXPECT_THAT(distance, ElementsAre(0.25, 5));
  EXPECT_EQ(shoal_wall_distance_find(walls, 0, nullptr, nullptr, nullptr, nullptr), SHOAL_OK);
}

TEST_F(CWallDistance, FollowsWallsThatMove) {
  create();
  std::vector<double> raised = square;
  for (std::size_t z = 2; z < raised.size(); z += 3) raised[z] = 0.125;
  ASSERT_EQ(shoal_wall_distance_refit(walls, 4, raised.data()), SHOAL_OK);
  const std::vector<double> point = {0, 0, 0.25};
  double distance = 0;
  ASSERT_EQ(shoal_wall_distance_find(walls, 1, point.data(), &distance, nullptr, nullptr), SHOAL_OK);
  EXPECT_EQ(distance, 0.125);
  EXPECT_EQ(shoal_wall_distance_refit(walls, 3, raised.data()), SHOAL_INVALID);
  EXPECT_THAT(shoal_error_message(), HasSubstr("3"));
}

TEST_F(CWallDistance, WorksInThePlane) {
  const std::vector<double> points = {0, 0, 2, 0};
  const std::vector<std::int64_t> start = {0, 2}, corners = {0, 1};
  ASSERT_EQ(shoal_wall_distance_create(2, 2, points.data(), 1, start.data(), corners.data(), SHOAL_UNSIGNED, 0, &walls),
            SHOAL_OK);
  const std::vector<double> position = {1, 3, 6, 3};
  std::vector<double> distance(2), nearest(4);
  ASSERT_EQ(shoal_wall_distance_find(walls, 2, position.data(), distance.data(), nullptr, nearest.data()), SHOAL_OK);
  EXPECT_THAT(distance, ElementsAre(3, 5));
  EXPECT_THAT(nearest, ElementsAre(1, 0, 2, 0));
}

/// A cube with sides of 2 m around the origin; the last of its faces is the lid at z = 1.
struct CWallDistanceSigns : CWallDistance {
  std::vector<double> cube;
  std::vector<std::int64_t> start = {0, 4, 8, 12, 16, 20, 24};
  std::vector<std::int64_t> corners = {0, 2, 3, 1, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5, 4, 5, 7, 6};

  void SetUp() override {
    for (const double z : {-1, 1})
      for (const double y : {-1, 1})
        for (const double x : {-1, 1}) cube.insert(cube.end(), {x, y, z});
  }
  int create(int faces, int inside) {
    return shoal_wall_distance_create(3, 8, cube.data(), faces, start.data(), corners.data(), inside, 1, &walls);
  }
  /// Distances of a point inside, 0.25 m below the lid, and of one outside, beside the cube.
  std::vector<double> distances() {
    const std::vector<double> points = {0, 0, 0.75, 1.5, 0, 0};
    std::vector<double> distance(2);
    EXPECT_EQ(shoal_wall_distance_find(walls, 2, points.data(), distance.data(), nullptr, nullptr), SHOAL_OK);
    return distance;
  }
};

TEST_F(CWallDistanceSigns, AreNegativeInsideClosedWalls) {
  ASSERT_EQ(create(6, SHOAL_INSIDE_CLOSED), SHOAL_OK) << shoal_error_message();
  EXPECT_THAT(distances(), ElementsAre(-0.25, 0.5));
}

TEST_F(CWallDistanceSigns, OfAnOpenBoxComeFromWindingNumbers) {
  EXPECT_EQ(create(5, SHOAL_INSIDE_CLOSED), SHOAL_INVALID);
  EXPECT_EQ(walls, nullptr);
  EXPECT_THAT(shoal_error_message(),
              EndsWith("Close the walls, set inside = \"winding_number\", or set signs = false."));
  ASSERT_EQ(create(5, SHOAL_INSIDE_WINDING_NUMBER), SHOAL_OK) << shoal_error_message();
  const std::vector<double> points = {0, 0, 0, 0, 0, -0.75, 0, 0, 1.5};
  std::vector<double> distance(3);
  ASSERT_EQ(shoal_wall_distance_find(walls, 3, points.data(), distance.data(), nullptr, nullptr), SHOAL_OK);
  EXPECT_THAT(distance, ElementsAre(-1, -0.25, std::hypot(1, 0.5)));
  shoal_wall_distance_destroy(walls);
  ASSERT_EQ(create(5, SHOAL_UNSIGNED), SHOAL_OK);
  EXPECT_THAT(distances(), ElementsAre(1, 0.5)) << "the lid is missing";
}

TEST_F(CWallDistance, NamesEveryFault) {
  const auto* const xyz = square.data();
  const auto *const start = square_start.data(), *const corners = square_corners.data();
  EXPECT_EQ(refused(1, 4, xyz, 1, start, corners), "c: dimensions is 1, expected 2 or 3.");
  EXPECT_EQ(refused(3, 4, nullptr, 1, start, corners), "c: position is NULL, expected an array.");
  EXPECT_EQ(refused(3, 4, xyz, 1, nullptr, corners), "c: face_start is NULL, expected an array.");
  EXPECT_EQ(refused(3, 4, xyz, 1, start, nullptr), "c: corners is NULL, expected an array.");
  EXPECT_EQ(refused(3, -4, xyz, 1, start, corners), "c: the number of elements of position is -4, expected 0 or more.");
  EXPECT_EQ(refused(3, 4, xyz, -1, start, corners),
            "c: the number of elements of face_start is -1, expected 0 or more.");
  const std::vector<std::int64_t> falling = {4, 0}, outside = {0, 1, 2, 4};
  EXPECT_EQ(refused(3, 4, xyz, 1, falling.data(), corners),
            "c: face 0 begins at corner 4 and ends at 0, expected offsets that do not decrease.");
  EXPECT_THAT(refused(3, 4, xyz, 1, start, outside.data()), HasSubstr("4"));
  EXPECT_THAT(refused(3, 4, xyz, 0, start, corners), HasSubstr("face"));
  EXPECT_THAT(refused(3, 4, xyz, 1, start, corners, -1), HasSubstr("-1"));
  EXPECT_EQ(refused(3, 4, xyz, 1, start, corners, 1, 3),
            "c: inside is 3, expected 0 (SHOAL_UNSIGNED), 1 (SHOAL_INSIDE_CLOSED) or 2 (SHOAL_INSIDE_WINDING_NUMBER).");
  EXPECT_EQ(shoal_wall_distance_create(3, 4, xyz, 1, start, corners, SHOAL_UNSIGNED, 1, nullptr), SHOAL_INVALID);
  EXPECT_STREQ(shoal_error_message(), "c: plan is NULL, expected an array.");
  double distance = 0;
  EXPECT_EQ(shoal_wall_distance_find(nullptr, 1, xyz, &distance, nullptr, nullptr), SHOAL_INVALID);
  EXPECT_STREQ(shoal_error_message(), "c: the plan is NULL. Make it with a create function.");
  create();
  EXPECT_EQ(shoal_wall_distance_find(walls, 1, xyz, nullptr, nullptr, nullptr), SHOAL_INVALID);
  EXPECT_STREQ(shoal_error_message(), "c: distance is NULL, expected an array.");
  const std::vector<double> nowhere = {0, std::numeric_limits<double>::quiet_NaN(), 0};
  EXPECT_EQ(shoal_wall_distance_find(walls, 1, nowhere.data(), &distance, nullptr, nullptr), SHOAL_INVALID);
  EXPECT_THAT(shoal_error_message(), HasSubstr("point 0"));
  EXPECT_EQ(shoal_wall_distance_find(walls, 1, xyz, &distance, nullptr, nullptr), SHOAL_OK) << "the plan works on";
}

TEST_F(CWallDistance, KeepsAMessageForEachThread) {
  refused(1, 4, square.data(), 1, square_start.data(), square_corners.data());
  std::string elsewhere = "none";
  std::thread([&] { elsewhere = shoal_error_message(); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_THAT(shoal_error_message(), HasSubstr("dimensions is 1"));
}

struct CNeighbors : testing::Test {
  shoal_neighbors* plan = nullptr;
  const std::int64_t* offsets = nullptr;
  const std::int32_t* indices = nullptr;

  void TearDown() override { shoal_neighbors_destroy(plan); }
};

TEST_F(CNeighbors, HasTheListOfTheLibraryForAnyNumberOfThreads) {
  std::mt19937 random(7);
  std::vector<double> x, y, z, interleaved;
  for (int i = 0; i < 2000; ++i)
    for (auto* const axis : {&x, &y, &z}) {
      axis->push_back(std::uniform_real_distribution<double>(0, 1)(random));
      interleaved.push_back(axis->back());
    }
  shoal::Neighbors<double> expected(shoal::Queue::cpu(1), 0.1);
  expected.find({x, y, z});
  const std::int64_t entries = expected.offsets().data[2000];
  for (const int threads : {1, 3}) {
    ASSERT_EQ(shoal_neighbors_create(3, 0.1, nullptr, nullptr, nullptr, threads, &plan), SHOAL_OK);
    ASSERT_EQ(shoal_neighbors_find(plan, 2000, interleaved.data(), &offsets, &indices), SHOAL_OK);
    EXPECT_TRUE(std::equal(offsets, offsets + 2001, expected.offsets().data));
    EXPECT_TRUE(std::equal(indices, indices + entries, expected.indices().data));
    shoal_neighbors_destroy(plan);
    plan = nullptr;
  }
}

TEST_F(CNeighbors, CrossesPeriodicBounds) {
  const std::vector<double> line = {0.5, 0, 1.5, 0, 2.5, 0, 3.5, 0};
  const std::vector<int> periodic = {1, 0};
  const std::vector<double> lower = {0, 0}, upper = {4, 0};
  ASSERT_EQ(shoal_neighbors_create(2, 1.5, periodic.data(), lower.data(), upper.data(), 1, &plan), SHOAL_OK);
  ASSERT_EQ(shoal_neighbors_find(plan, 4, line.data(), &offsets, &indices), SHOAL_OK);
  EXPECT_THAT(std::vector(offsets, offsets + 5), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(std::vector(indices, indices + 8), ElementsAre(1, 3, 0, 2, 1, 3, 0, 2));
  ASSERT_EQ(shoal_neighbors_find(plan, 0, nullptr, &offsets, &indices), SHOAL_OK);
  EXPECT_EQ(offsets[0], 0);
}

TEST_F(CNeighbors, NamesEveryFault) {
  const auto refused = [&](int dimensions, double radius, const int* periodic, const double* bounds) {
    const int status = shoal_neighbors_create(dimensions, radius, periodic, bounds, bounds, 1, &plan);
    EXPECT_EQ(plan, nullptr);
    return status == SHOAL_INVALID ? std::string(shoal_error_message()) : "no error";
  };
  const int periodic = 1;
  EXPECT_EQ(refused(4, 1, nullptr, nullptr), "c: dimensions is 4, expected 2 or 3.");
  EXPECT_THAT(refused(3, -1, nullptr, nullptr), HasSubstr("radius = -1 m"));
  EXPECT_EQ(refused(2, 1, &periodic, nullptr), "c: lower is NULL, expected an array.");
  EXPECT_EQ(shoal_neighbors_create(3, 1, nullptr, nullptr, nullptr, 1, nullptr), SHOAL_INVALID);
  EXPECT_EQ(shoal_neighbors_find(nullptr, 1, square.data(), &offsets, &indices), SHOAL_INVALID);
  EXPECT_STREQ(shoal_error_message(), "c: the plan is NULL. Make it with a create function.");
  ASSERT_EQ(shoal_neighbors_create(3, 1, nullptr, nullptr, nullptr, 1, &plan), SHOAL_OK);
  EXPECT_EQ(shoal_neighbors_find(plan, 1, nullptr, &offsets, &indices), SHOAL_INVALID);
  EXPECT_EQ(shoal_neighbors_find(plan, 4, square.data(), nullptr, &indices), SHOAL_INVALID);
  EXPECT_STREQ(shoal_error_message(), "c: offsets is NULL, expected an array.");
  const std::vector<double> nowhere = {0, 0, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(shoal_neighbors_find(plan, 1, nowhere.data(), &offsets, &indices), SHOAL_INVALID);
  EXPECT_THAT(shoal_error_message(), HasSubstr("point 0"));
}

}  // namespace
