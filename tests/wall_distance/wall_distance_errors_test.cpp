// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

WallMesh triangle() {
  WallMesh mesh;
  mesh.add_point(0, 0, 0), mesh.add_point(1, 0, 0), mesh.add_point(0, 1, 0);
  mesh.add_face({0, 1, 2}, mesh.add_wall("wing"));
  mesh.add_wall("tail");
  return mesh;
}

std::string message_of_mesh(const WallMesh& mesh, const WallDistanceOptions& options = {}) {
  return message_of([&] { WallDistance(Queue::cpu(1), mesh, options); });
}

TEST(WallDistanceBadMesh, WallsThatAreNotThere) {
  EXPECT_EQ(message_of_mesh(triangle(), {.walls = {"wing", "fin"}}),
            "wall_distance: no wall \"fin\"; the mesh has wing, tail.");
  EXPECT_EQ(message_of_mesh(triangle(), {.walls = {"tail"}}), "wall_distance: the walls tail have no faces.");
  EXPECT_EQ(message_of_mesh(WallMesh{}),
            "wall_distance: the mesh has no wall faces. Name the boundaries that are walls.");
  EXPECT_EQ(message_of([] { WallMesh{}.wall_number("fin"); }),
            "wall_distance: no wall \"fin\"; the mesh has no walls.");
}

TEST(WallDistanceBadOptions, AuxiliaryGrids) {
  const auto message = [](const std::string& method, std::int64_t cells) {
    return message_of_mesh(triangle(), {.method = method, .auxiliary_cells = cells});
  };
  EXPECT_EQ(message("advancing_boundary_linked_list", -1),
            "wall_distance: auxiliary_cells is -1, expected 1 to 1000000 cells along each axis, or 0 for the default.");
  EXPECT_EQ(
      message("advancing_boundary_linked_list", 1'000'001),
      "wall_distance: auxiliary_cells is 1000001, expected 1 to 1000000 cells along each axis, or 0 for the default.");
  EXPECT_EQ(
      message("auto", 20),
      "wall_distance: auxiliary_cells is 20, but method `bvh` has no auxiliary grid. Leave auxiliary_cells at 0, or "
      "choose one of advancing_boundary_parallel, advancing_boundary_linked_list, advancing_boundary_pointers, "
      "advancing_boundary_in_cell_arrays.");
}

TEST(WallDistanceBadMesh, NumbersThatMakeNoSense) {
  const auto message = [](auto change) {
    WallMesh mesh = triangle();
    change(mesh);
    return message_of_mesh(mesh);
  };
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.y[1] = std::nan(""); }),
            "wall_distance: point 1 of the mesh has y = nan m, expected a finite number with |y| <= 1e+100 m.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.z.pop_back(); }),
            "wall_distance: the mesh has 2 coordinates z, expected 3 like x.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.corners[2] = 3; }),
            "wall_distance: corner 2 of face 0 is point 3, but there are 3 points, counted from 0.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.wall[0] = 2; }),
            "wall_distance: face 0 belongs to wall 2, but there are 2 walls.");
  EXPECT_EQ(message([](WallMesh& mesh) {
              mesh.add_face({0, 1}, 0);
            }),
            "wall_distance: face 1 has 2 corners, expected at least 3 in a 3-D mesh.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.dimensions = 2; }),
            "wall_distance: face 0 has 3 corners, expected 2 in a 2-D mesh.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.dimensions = 4; }),
            "wall_distance: a mesh of 4 dimensions, expected 2 or 3.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.face_start.push_back(3); }),
            "wall_distance: face_start of the mesh has 3 elements, expected 2: one more than faces.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.face_start[1] = 4; }),
            "wall_distance: face_start of the mesh goes from 0 to 4, expected 0 to 3, the number of corners.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.wall_names[1] = "wing"; }),
            "wall_distance: two walls have the name \"wing\". Names must differ.");
}

TEST(WallDistanceBadCalls, SayWhatWasExpected) {
  EXPECT_EQ(message_of_mesh(triangle(), {.method = "hash"}),
            "wall_distance: method `hash` is not available on cpu. This build has on cpu: " +
                cpu_methods("wall_distance") + ".");
  WallDistance walls(Queue::cpu(1), triangle());
  const std::vector<double> three(3), two(2);
  std::vector<double> out(3);
  EXPECT_EQ(message_of([&] { walls.find(three, two, three, {}); }), "wall_distance: y has 2 elements, expected 3.");
  EXPECT_EQ(message_of([&] { walls.find(two, two, two, {.distance = out}); }),
            "wall_distance: distance has 3 elements, expected 2.");
  EXPECT_EQ(message_of([&] { walls.find(two, two, {}); }),
            "wall_distance: the mesh has 3 dimensions, got x and y alone. Pass z too.");
  WallDistance flat(Queue::cpu(1), circle_case(20, 3).mesh);
  EXPECT_EQ(message_of([&] { flat.find(two, two, two, {}); }),
            "wall_distance: the mesh has 2 dimensions, got x, y and z. Leave z out.");
  const View<const double> elsewhere(three.data(), 3, {DeviceKind::cuda, 1});
  EXPECT_EQ(message_of([&] { walls.find(elsewhere, three, three, {}); }),
            "wall_distance: x is on cuda:1, the queue works on cpu. Copy it there first.");
}

TEST(WallDistanceWords, ReadBack) {
  EXPECT_EQ(to_name(WallDistanceTo::face_center), "face_center");
  EXPECT_EQ(from_name<WallDistanceTo>("face"), WallDistanceTo::face);
}

}  // namespace
}  // namespace shoal::wall_distance
