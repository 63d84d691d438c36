// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {

bool operator==(const WallFacesTested& a, const WallFacesTested& b) {
  return a.bounded == b.bounded && a.exact == b.exact;
}
void PrintTo(const WallFacesTested& tested, std::ostream* out) {
  *out << tested.bounded << " bounded, " << tested.exact << " exactly";
}

namespace {

using namespace testing_support;

/// The edges of a unit square: bottom, right, top, left.
WallMesh unit_square() {
  WallMesh mesh;
  mesh.dimensions = 2;
  const std::int32_t wall = mesh.add_wall("square");
  for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) mesh.add_point(x, y);
  for (std::int64_t i = 0; i < 4; ++i) mesh.add_face({i, (i + 1) % 4}, wall);
  return mesh;
}

std::optional<WallFacesTested> tested(const std::string& method, const WallCase& about, int threads = 1) {
  const Queue queue = Queue::cpu(threads);
  WallDistance walls(queue, about.mesh, {.method = method, .count_faces = true});
  answers(queue, walls, about);
  return walls.faces_tested();
}

TEST(FacesTested, SerialTestsAllFaces) {
  const WallCase about{unit_square(), {0.5, 3, -1}, {0.1, 3, 0.5}};
  EXPECT_EQ(tested("serial", about), (WallFacesTested{0, 3 * 4}));
  WallMesh quadrilateral;
  quadrilateral.add_wall("two triangles");
  for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) quadrilateral.add_point(x, y, 0);
  quadrilateral.add_face({0, 1, 2, 3}, 0);
  EXPECT_EQ(tested("serial", {quadrilateral, {0.5}, {0.5}, {1}}), (WallFacesTested{0, 2}));
}

TEST(FacesTested, BvhTestsFacesThatMayBeTheNearest) {
  EXPECT_EQ(tested("bvh", {unit_square(), {0.5}, {0.1}}), (WallFacesTested{4, 1}))
      << "one leaf, and the bottom edge alone";
  EXPECT_EQ(tested("bvh", {unit_square(), {0.5}, {0.5}}), (WallFacesTested{4, 4})) << "all edges are equally near";
  EXPECT_EQ(tested("bvh", {unit_square(), {2}, {2}}), (WallFacesTested{4, 2})) << "two edges share the corner";
  EXPECT_EQ(tested("bvh", {unit_square(), {0.5, 0.5, 2}, {0.1, 0.5, 2}}), (WallFacesTested{12, 7}));
}

TEST(FacesTested, AdvancingBoundaryVisitsCellsWithinTheRadiusTwice) {
  WallMesh one;
  one.dimensions = 2;
  one.add_wall("one face");
  one.add_point(0, 0);
  one.add_point(1, 0);
  one.add_face({0, 1}, 0);
  EXPECT_EQ(tested("advancing_boundary_linked_list", {one, {0.5, 2}, {1, 2}}), (WallFacesTested{4, 2}));
}

TEST(FacesTested, OneAuxiliaryCellHasAllFaces) {
  const WallCase circle = circle_case(200, 3);
  const WallCase about{circle.mesh, {2}, {0}};
  const Queue queue = Queue::cpu(1);
  for (const std::int64_t cells : {1, 2}) {
    WallDistance walls(queue, about.mesh,
                       {.method = "advancing_boundary_pointers", .auxiliary_cells = cells, .count_faces = true});
    answers(queue, walls, about);
    if (cells == 1)
      EXPECT_EQ(walls.faces_tested()->bounded, 2 * 199);
    else
      EXPECT_LT(walls.faces_tested()->bounded, 2 * 199);
  }
}

TEST(FacesTested, FindBodyCountsOneBody) {
  WallMesh mesh = unit_square();
  const std::int32_t wall = mesh.add_wall("line");
  mesh.add_point(5, 0);
  mesh.add_point(6, 0);
  mesh.add_face({4, 5}, wall);
  const std::vector<double> x = {0.5, 5.5}, y = {0.1, 0.1};
  std::vector<double> distance(2);
  for (const char* method : {"serial", "bvh"}) {
    SCOPED_TRACE(method);
    const Queue queue = Queue::cpu(1);
    WallDistance walls(queue, mesh, {.method = method, .bodies = {{"moves", {"line"}}}, .count_faces = true});
    walls.find_body("moves", x, y, {.distance = distance});
    EXPECT_EQ(walls.faces_tested()->exact, 2);
  }
}

class EveryFacesTested : public EveryWallDistanceMethod {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryFacesTested, testing::ValuesIn(exact_methods()), method_test_name);

TEST_P(EveryFacesTested, IsAvailableOnTheCpuOnly) {
  const WallCase about = with_points_within(dented_sphere(30), 2000, 1);
  WallDistanceOptions with = options();
  with.count_faces = true;
  const Queue on = queue();
  WallDistance walls(on, about.mesh, with);
  EXPECT_EQ(walls.faces_tested(), std::nullopt) << "no search yet";
  EXPECT_EQ(answers(on, walls, about), serial(about));
  const auto result = walls.faces_tested();
  ASSERT_EQ(result.has_value(), GetParam().device == DeviceKind::cpu);
  if (result) {
    EXPECT_GE(result->exact, about.point_count());
    EXPECT_LE(result->exact, about.point_count() * walls.face_count() * 2) << "two triangles a face at most";
    EXPECT_TRUE(result->bounded == 0 || result->bounded >= result->exact);
    answers(on, walls, about);
    EXPECT_EQ(walls.faces_tested(), result) << "each search starts at 0";
    EXPECT_EQ(tested(GetParam().name, about, 3), result) << "on any number of threads";
  }
}

TEST_P(EveryFacesTested, IsEmptyUnlessRequested) {
  const WallCase about = with_points_within(dented_sphere(6), 10, 1);
  WallDistanceOptions with = options();
  const Queue on = queue();
  WallDistance without_count(on, about.mesh, with);
  answers(on, without_count, about);
  EXPECT_EQ(without_count.faces_tested(), std::nullopt);
  with.count_faces = true;
  WallDistance walls(on, about.mesh, with);
  answers(on, walls, about);
  const Array<double> x = to_device(on, about.x), y = to_device(on, about.y), z = to_device(on, about.z);
  Array<double> distance(on, x.count());
  walls.update(x, y, z, {.distance = distance});
  on.wait();
  EXPECT_EQ(walls.faces_tested(), std::nullopt) << "an update is not counted";
}

}  // namespace
}  // namespace shoal::wall_distance
