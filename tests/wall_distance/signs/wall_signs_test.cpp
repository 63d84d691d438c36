// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "wall_distance/signs/surface_meshes.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

class EverySign : public EveryWallDistanceMethod {
 protected:
  WallDistanceOptions options() const { return {.method = GetParam().name, .signs = true}; }
};
INSTANTIATE_TEST_SUITE_P(AllMethods, EverySign, testing::ValuesIn(exact_methods()), method_test_name);

TEST_P(EverySign, BoxByHand) {
  const WallCase about{box(0, 4), {1, 2, 5, 4, 7, -1, 0}, {2, 2, 2, 2, 8, 4, 0}, {2, 1.5, 2, 2, 4, -2, 0}};
  EXPECT_EQ(answers(queue(), about, options()).distance,
            (std::vector<double>{-1, -1.5, 1, 0, 5, std::sqrt(5.0),
                                 0}));  // inside, outside a face, on it, near an edge, on a corner
}

TEST_P(EverySign, AgreesWithTheSumOfSolidAngles) {
  for (const auto& [name, mesh] : closed_walls()) {
    const WallCase about = with_points_within(mesh, 1500, 1.9);
    const std::vector<double> expected = serial(about).distance;
    const WallAnswers result = answers(queue(), about, options());
    int inside = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const bool is_in = is_inside(mesh, point_of(about, i));
      inside += is_in;
      ASSERT_EQ(result.distance[i], is_in ? -expected[i] : expected[i]) << name << ", point " << i;
    }
    EXPECT_GT(inside, 10) << name;
    EXPECT_LT(inside, 1470) << name;
  }
}

TEST_P(EverySign, IsTheSameAtAnyScale) { expect_same_signs_at_any_scale(queue(), options()); }

TEST_P(EverySign, HoldsCloseToTheWall) {
  for (const double offset : {0.0, 1e6}) {
    const WallCase above = points_close_to(dented_sphere(16), offset);
    for (const double distance : answers(queue(), above, options()).distance) ASSERT_GT(distance, 0);
    WallMesh reversed = dented_sphere(16);
    reverse_faces(reversed);
    const WallCase below = points_close_to(reversed, offset);
    for (const double distance : answers(queue(), below, options()).distance) ASSERT_LT(distance, 0);
  }
}

TEST_P(EverySign, AllFacesMayBeOrientedInwards) {
  for (const auto& [name, mesh] : closed_walls()) {
    WallCase about = with_points_within(mesh, 200, 1.9);
    const WallAnswers expected = answers(queue(), about, options());
    reverse_faces(about.mesh);
    EXPECT_EQ(answers(queue(), about, options()).distance, expected.distance) << name;
  }
}

TEST_P(EverySign, FollowsBodiesAndOtherCalls) {
  WallMesh mesh = box(-1, 1);
  add_box(mesh, "door", {3, 0, 0}, {4, 1, 1});
  WallDistanceOptions with = options();
  with.bodies = {{"door", {"door"}}};
  const Queue on = queue();
  WallDistance walls(on, mesh, with);
  const WallCase about{mesh, {0.25, 3.5, 6}, {0, 0.5, 0.5}, {0, 0.5, 0.5}};
  EXPECT_EQ(answers(on, walls, about).distance, (std::vector<double>{-0.75, -0.5, 2}));
  walls.move("door", RigidTransform::shift({2, 0, 0}));
  EXPECT_EQ(answers(on, walls, about).distance, (std::vector<double>{-0.75, 1.5, -0.5 + 0.5}));
  const Array<double> x = to_device(on, about.x), y = to_device(on, about.y), z = to_device(on, about.z);
  Array<double> distance(on, 3);
  for (int again = 0; again < 2; ++again) {
    walls.update(x, y, z, {.distance = distance});
    EXPECT_EQ(to_host(on, distance), (std::vector<double>{-0.75, 1.5, 0}));
  }
  walls.find_body("door", x, y, z, {.distance = distance});
  EXPECT_EQ(to_host(on, distance), (std::vector<double>{std::hypot(4.75, 0.0), 1.5, 0}));
  for (double& along : mesh.x) along *= 2;
  walls.refit(mesh.x, mesh.y, mesh.z);  // the boxes are now -2 to 2 and, moved, 8 to 10 along x
  EXPECT_EQ(answers(on, walls, {mesh, {9, 1.75}, {0.5, 0}, {0.5, 0}}).distance, (std::vector<double>{-0.5, -0.25}));
}

std::string refusal_of(const WallMesh& mesh, WallDistanceOptions options = {}) {
  options.signs = true;
  return message_of([&] { WallDistance(Queue::cpu(1), mesh, options); });
}

TEST(WallSigns, WallsThatAreNotClosedAreRefused) {
  WallMesh open{.dimensions = 2};
  open.add_point(0, 0), open.add_point(1, 0), open.add_point(1, 1);
  open.add_face({0, 1}, open.add_wall("low"));
  open.add_face({1, 2}, open.add_wall("right"));
  EXPECT_EQ(
      refusal_of(open),
      "wall_distance: the walls have 2 ends with one face only, so they have no inside. The first is at (0, 0) m, of "
      "face 0 of wall \"low\". Close the walls, set inside = \"winding_number\", or set signs = false.");
  WallMesh lid = box(0, 1);
  lid.face_start.pop_back(), lid.wall.pop_back(), lid.corners.resize(20);
  EXPECT_EQ(
      refusal_of(lid),
      "wall_distance: the walls have 4 edges with one face only, so they have no inside. The first is from (1, 0, 0) "
      "to (1, 1, 0) m, of face 0 of wall \"box\". Close the walls, set inside = \"winding_number\", or set signs = "
      "false.");
  WallMesh two = box(0, 1);
  add_box(two, "other", {2, 0, 0}, {3, 1, 1});
  EXPECT_EQ(refusal_of(two, {.bodies = {{"a", {"other"}}}}), "no error");
  two.wall[11] = two.add_wall("torn");
  EXPECT_EQ(refusal_of(two), "no error");
  EXPECT_NE(refusal_of(two, {.bodies = {{"a", {"other"}}}}), "no error")
      << "each body must be a closed surface of its own";
  EXPECT_NE(refusal_of(two, {.walls = {"box", "other"}}), "no error");
}

TEST(WallSigns, CornersJoinByTheirCoordinates) {
  EXPECT_EQ(refusal_of(with_faces_apart(dented_sphere(10))), "no error");
}

TEST(WallSigns, DuplicateFacesAndTJointsAreRefused) {
  WallMesh twice = box(0, 1);
  twice.add_face({0, 1, 2}, twice.add_wall("again"));
  EXPECT_THAT(refusal_of(twice), testing::StartsWith("wall_distance: the walls have 1 edge with one face only"))
      << "half of a square";
  twice.corners.resize(24), twice.face_start.back() = 24 + 4;
  twice.corners.insert(twice.corners.end(), {0, 2, 3, 1});
  EXPECT_EQ(
      refusal_of(twice),  // four edges and a diagonal
      "wall_distance: the walls have 5 edges with more than two faces, so they have no unique inside. The first "
      "is from (0, "
      "0, 0) to (0, 1, 0) m, of face 0 of wall \"box\" and face 4 of wall \"box\" and face 6 of wall \"again\". "
      "Remove duplicate faces and separate walls that touch, set inside = \"winding_number\", or set signs = false.");
  WallMesh joint = box(0, 2);  // the top is two rectangles whose common edge ends within edges of the sides
  joint.corners.resize(20), joint.face_start.pop_back(), joint.wall.pop_back();
  const std::int64_t low = joint.add_point(2, 0, 1), high = joint.add_point(2, 2, 1);
  joint.add_face({1, 3, high, low}, 0);
  joint.add_face({low, high, 7, 5}, 0);
  EXPECT_THAT(refusal_of(joint), testing::StartsWith("wall_distance: the walls have 6 edges with one face only"));
  joint.add_face({1, low, 5}, 0);  // without area
  joint.add_face({3, 7, high}, 0);
  EXPECT_EQ(refusal_of(joint),
            "wall_distance: face 7 of wall \"box\" has no area although its corners differ, so it has no normal. "
            "Remove it and "
            "join its neighbors, set inside = \"winding_number\", or set signs = false.");
}

TEST(WallSigns, InconsistentOrientationsAreRefused) {
  WallMesh mesh = box(0, 1);
  std::reverse(mesh.corners.begin(), mesh.corners.begin() + 4);
  EXPECT_EQ(
      refusal_of(mesh),
      "wall_distance: the walls have 4 edges whose two faces have opposite orientations. The first is from (0, 0, 0) "
      "to (1, 0, 0) m, of face 0 of wall \"box\" and face 2 of wall \"box\". Reverse faces, set inside = "
      "\"winding_number\", or set signs = false.");
  WallMesh two = box(0, 2);
  add_box(two, "small", {3, 0, 0}, {4, 1, 1});
  reverse_faces(two, 6);
  EXPECT_EQ(refusal_of(two),
            "wall_distance: the closed wall of face 6 of wall \"small\" has the opposite orientation of the other "
            "walls of its body and is not a hole in one of them. Reverse its faces, or set signs = false.");
}

TEST(WallSigns, WallsWithoutVolumeAreRefused) {
  WallMesh plate;
  plate.add_point(0, 0, 0), plate.add_point(1, 0, 0), plate.add_point(0, 1, 0.5);
  plate.add_face({0, 1, 2}, plate.add_wall("plate"));
  plate.add_face({0, 2, 1}, 0);
  EXPECT_EQ(refusal_of(plate),
            "wall_distance: the closed wall of face 0 of wall \"plate\" encloses no volume. Remove it, or set signs = "
            "false.");
  WallMesh loose = box(0, 1);
  loose.add_point(5, 5, 5);
  loose.add_face({0, 8, 8}, 0);
  EXPECT_EQ(refusal_of(loose),
            "wall_distance: face 6 of wall \"box\" has no area and lies on no edge of another face, so the wall is not "
            "closed. Remove the face, set inside = \"winding_number\", or set signs = false.");
  loose.corners.resize(24), loose.face_start.pop_back(), loose.wall.pop_back();
  loose.add_face({3, 3, 3}, 0);
  EXPECT_EQ(refusal_of(loose), "no error");
}

TEST(WallSigns, BadOptions) {
  EXPECT_EQ(refusal_of(box(0, 1), {.to = WallDistanceTo::face_center}),
            "wall_distance: signs are defined for distances to faces, not to face centers. Set signs = false or to = "
            "\"face\".");
  EXPECT_EQ(
      refusal_of(box(0, 1), {.far_field = {.tolerance = 0.1}}),
      "wall_distance: signs need the nearest face, which a far field with a tolerance does not guarantee. Set signs "
      "= false or the tolerance to 0.");
}

}  // namespace
}  // namespace shoal::wall_distance
