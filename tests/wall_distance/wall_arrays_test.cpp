// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance/wall_arrays.hpp>

#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

template <class Types>
class WallArraysOf : public testing::Test {};
template <class Real_, class Index_>
struct Types {
  using Real = Real_;
  using Index = Index_;
};
using EveryType = testing::Types<Types<float, std::int32_t>, Types<float, std::int64_t>, Types<double, std::int32_t>,
                                 Types<double, std::int64_t>>;
TYPED_TEST_SUITE(WallArraysOf, EveryType);

/// Records of points and faces, like those of a program in C.
template <class Types>
struct Records {
  using Real = typename Types::Real;
  using Index = typename Types::Index;
  struct Point {
    Real x, y, z, pressure;
  };
  struct Face {
    Index a, b, c, boundary;
  };
  std::vector<Point> points = {{0, 0, 0, 9}, {1, 0, 0, 9}, {0, 1, 0, 9}, {0, 0, 2, 9}};
  std::vector<Face> faces = {{0, 1, 2, 1}, {0, 1, 3, 0}, {1, 2, 3, 1}};

  View<const Real> along(const Real& first) const { return {&first, std::ssize(points), {}, 4}; }
  View<const Index> member(const Index& first) const { return {&first, std::ssize(faces), {}, 4}; }
  WallArrays<Real, Index> arrays() const {
    return {.points = {along(points[0].x), along(points[0].y), along(points[0].z)},
            .corners = {member(faces[0].a), member(faces[0].b), member(faces[0].c)},
            .marker = member(faces[0].boundary),
            .names = {"hull", "keel"}};
  }
};

TYPED_TEST(WallArraysOf, RecordsAreReadWithoutACopy) {
  const Records<TypeParam> records;
  const WallMesh mesh = wall_mesh(records.arrays());
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_EQ(mesh.x, (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(mesh.z, (std::vector<double>{0, 0, 0, 2}));
  EXPECT_EQ(mesh.corners, (std::vector<std::int64_t>{0, 1, 2, 0, 1, 3, 1, 2, 3}));
  EXPECT_EQ(mesh.face_start, (std::vector<std::int64_t>{0, 3, 6, 9}));
  EXPECT_EQ(mesh.wall, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(mesh.wall_names, (std::vector<std::string>{"hull", "keel"}));
  const WallAnswers result = answers(Queue::cpu(1), {mesh, {0.25}, {-3}, {0.25}});
  EXPECT_EQ(result.distance, std::vector<double>{3});
  EXPECT_EQ(result.wall, std::vector<std::int32_t>{0});
}

TYPED_TEST(WallArraysOf, BothFormsOfCornersGiveTheSameMesh) {
  using Real = typename TypeParam::Real;
  using Index = typename TypeParam::Index;
  const std::vector<Real> x = {0, 1, 1, 0}, y = {0, 0, 1, 1}, z = {0, 0, 0, 0};
  const std::vector<Index> a = {1, 1}, b = {2, 3}, c = {3, 4}, all = {1, 2, 3, 1, 3, 4}, start = {0, 3, 6};
  const WallArrays<Real, Index> by_corner{.points = {x, y, z}, .corners = {a, b, c}, .first_point = 1};
  const WallArrays<Real, Index> by_face{.points = {x, y, z}, .corners = {all}, .face_start = start, .first_point = 1};
  for (const WallMesh& mesh : {wall_mesh(by_corner), wall_mesh(by_face)}) {
    EXPECT_EQ(mesh.corners, (std::vector<std::int64_t>{0, 1, 2, 0, 2, 3}));
    EXPECT_EQ(mesh.face_start, (std::vector<std::int64_t>{0, 3, 6}));
    EXPECT_EQ(mesh.wall, (std::vector<std::int32_t>{0, 0}));
    EXPECT_EQ(mesh.wall_names, std::vector<std::string>{"wall 0"});
  }
}

TYPED_TEST(WallArraysOf, WithoutZTheMeshIs2D) {
  using Real = typename TypeParam::Real;
  using Index = typename TypeParam::Index;
  const std::vector<Real> x = {0, 3}, y = {0, 0};
  const std::vector<Index> a = {0}, b = {1}, marker = {2};
  const WallMesh mesh = wall_mesh(
      WallArrays<Real, Index>{.points = {x, y}, .corners = {a, b}, .marker = marker, .names = {"inlet", "floor"}});
  EXPECT_EQ(mesh.dimensions, 2);
  EXPECT_EQ(mesh.wall_names, (std::vector<std::string>{"inlet", "floor", "wall 2"}));
  EXPECT_EQ(answers(Queue::cpu(1), {mesh, {1}, {2}}).distance, std::vector<double>{2});
}

TEST(WallArrays, ThatMakeNoSenseAreRefused) {
  using Arrays = WallArrays<double, std::int32_t>;
  const auto message = [](auto change) {
    Records<Types<double, std::int32_t>> records;
    Arrays arrays = records.arrays();
    change(records, arrays);
    return message_of([&] { wall_mesh(arrays); });
  };
  EXPECT_EQ(message([](auto& records, Arrays&) { records.faces[2].b = 4; }),
            "wall_distance: corner 1 of face 2 is point 4, but there are 4 points, counted from 0.");
  EXPECT_EQ(message([](auto&, Arrays& arrays) { arrays.first_point = 1; }),
            "wall_distance: corner 0 of face 0 is point -1, but there are 4 points, counted from 0.");
  EXPECT_EQ(message([](auto& records, Arrays&) { records.points[1].y = NAN; }),
            "wall_distance: point 1 of the mesh has y = nan m, expected a finite number with |y| <= 1e+100 m.");
  EXPECT_EQ(message([](auto&, Arrays& arrays) { arrays.points.z = {}; }),
            "wall_distance: face 0 has 3 corners, expected 2 in a 2-D mesh.");
  EXPECT_EQ(message([](auto&, Arrays& arrays) { arrays.corners.pop_back(); }),
            "wall_distance: face 0 has 2 corners, expected at least 3 in a 3-D mesh.");
  EXPECT_EQ(message([](auto&, Arrays& arrays) { arrays.points.y.count = 3; }),
            "wall_distance: y has 3 elements, expected 4.");
  EXPECT_EQ(message([](auto&, Arrays& arrays) { arrays.corners[1].count = 2; }),
            "wall_distance: one of the corners has 2 elements, expected 3.");
  EXPECT_EQ(message([](auto&, Arrays& arrays) { arrays.marker.count = 2; }),
            "wall_distance: marker has 2 elements, expected 3.");
  EXPECT_EQ(message([](auto& records, Arrays&) { records.faces[1].boundary = -1; }),
            "wall_distance: face 1 has the marker -1, expected 0 to 999999.");
  EXPECT_EQ(message([](auto&, Arrays& arrays) {
              arrays.points.x.device = {DeviceKind::cuda, 0};
            }),
            "wall_distance: x is on cuda:0, the queue works on cpu. Copy it there first.");
  EXPECT_EQ(
      message([](auto&, Arrays& arrays) { arrays.corners.clear(); }),
      "wall_distance: there are no arrays of corners. Give one for each corner of a face, or one with all of them "
      "and face_start.");
  const std::vector<std::int32_t> start = {0, 3, 2}, late = {1, 3}, all = {0, 1, 2};
  EXPECT_EQ(
      message([&](auto&, Arrays& arrays) { arrays.face_start = start, arrays.corners = {all}, arrays.marker = {}; }),
      "wall_distance: face_start[2] is 2, expected 3 or more.");
  EXPECT_EQ(
      message([&](auto&, Arrays& arrays) { arrays.face_start = late, arrays.corners = {all}, arrays.marker = {}; }),
      "wall_distance: face_start[0] is 1, expected 0.");
  EXPECT_EQ(message([&](auto&, Arrays& arrays) { arrays.face_start = start; }),
            "wall_distance: 3 arrays of corners, expected one with face_start. Give the corners of all faces one after "
            "the other.");
}

}  // namespace
}  // namespace shoal::wall_distance
