// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/motion/body_pose_item.hpp"
#include "wall_distance/quadruple.hpp"
#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

class EveryMovingWall : public EveryWallDistanceMethod {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryMovingWall, testing::ValuesIn(exact_methods()), method_test_name);

/// A fixed dented sphere and a moving sphere, with points around both; many points are close to the fixed one.
WallCase two_spheres() {
  WallMesh mesh = dented_sphere(20);
  add_sphere(mesh, "passing", {1.5, 0, 0}, 0.4, 16, 8);
  WallCase about = with_points_within(mesh, 400, 3);
  const WallCase layers =
      thinned(boundary_layer_case(dented_sphere(20), {.layers = 20, .first_height = 1e-5, .growth = 1.5}), 17);
  about.x.insert(about.x.end(), layers.x.begin(), layers.x.end());
  about.y.insert(about.y.end(), layers.y.begin(), layers.y.end());
  about.z.insert(about.z.end(), layers.z.begin(), layers.z.end());
  return about;
}

WallDistanceOptions passing(WallDistanceOptions options, double motion = 0) {
  options.bodies = {{"body", {"passing"}}};
  options.motion = motion;
  return options;
}

RigidTransform pose(int step) {
  RigidTransform transform = RigidTransform::about({1.5, 0, 0}, {1, 2, 3}, 0.02 * step);
  transform.translation[1] += 0.01 * step;
  return transform;
}

WallAnswers updated(const Queue& queue, WallDistance& walls, const WallCase& about) {
  const std::int64_t n = about.point_count();
  const Array<double> x = to_device(queue, about.x), y = to_device(queue, about.y), z = to_device(queue, about.z);
  Array<double> distance(queue, n), at_x(queue, n), at_y(queue, n), at_z(queue, n);
  Array<std::int64_t> face(queue, n);
  Array<std::int32_t> wall(queue, n);
  walls.update(x, y, z, {distance, face, wall, at_x, at_y, at_z});
  queue.wait();
  return {to_host(queue, distance), to_host(queue, at_x), to_host(queue, at_y),
          to_host(queue, at_z),     to_host(queue, face), to_host(queue, wall)};
}

TEST_P(EveryMovingWall, ByHand) {
  WallMesh mesh{.dimensions = 2};
  mesh.add_point(0, 0), mesh.add_point(4, 0), mesh.add_point(0, 8), mesh.add_point(4, 8);
  mesh.add_face({0, 1}, mesh.add_wall("floor"));
  mesh.add_face({2, 3}, mesh.add_wall("lid"));
  WallDistanceOptions lid = options();
  lid.bodies = {{"lid", {"lid"}}};
  const Queue on = queue();
  WallDistance walls(on, mesh, lid);
  const WallCase about{mesh, {1, 3}, {3, 7}};
  EXPECT_EQ(answers(on, walls, about).distance, (std::vector<double>{3, 1}));
  walls.move("lid", RigidTransform::shift({0, -6, 0}));
  EXPECT_EQ(answers(on, walls, about).distance, (std::vector<double>{1, 5}));
  EXPECT_EQ(answers(on, walls, about).y, (std::vector<double>{2, 2}));
  walls.move("lid", {.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1}});  // (0, 8) to (-8, 0), (4, 8) to (-8, 4)
  const WallAnswers turned = answers(on, walls, {mesh, {-9, 1}, {3, 1}});
  EXPECT_EQ(turned.distance, (std::vector<double>{1, 1}));
  EXPECT_EQ(turned.face, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(turned.x, (std::vector<double>{-8, 1}));
}

TEST_P(EveryMovingWall, GivesTheBitsOfSerialWhereverTheBodyIs) {
  const WallCase about = two_spheres();
  const Queue on = queue();
  WallDistance walls(on, about.mesh, passing(options())),
      oracle(Queue::cpu(1), about.mesh, passing({.method = "serial"}));
  for (const int step : {0, 1, 50, -120}) {
    walls.move("body", pose(step));
    oracle.move("body", pose(step));
    EXPECT_TRUE(same_results(answers(on, walls, about), answers(Queue::cpu(1), oracle, about))) << step;
  }
}

TEST_P(EveryMovingWall, UpdateGivesTheBitsOfFind) {
  WallCase about = thinned(two_spheres(), 5);
  const Queue on = queue();
  for (const double motion : {0.0, 0.05}) {
    WallDistance walls(on, about.mesh, passing(options(), motion));
    for (int step = 0; step < 80; ++step) {  // more than the number of poses that are stored
      walls.move("body", pose(step));
      if (step % 5 == 0)
        for (std::size_t i = 0; i < about.x.size(); i += 3) about.x[i] += 1e-3 * static_cast<double>(i % 7);
      const WallAnswers result = updated(on, walls, about);
      if (step % 8 == 0 || step > 75) {
        ASSERT_TRUE(same_results(result, answers(on, walls, about))) << step;
      }
    }
  }
}

TEST_P(EveryMovingWall, UpdateGivesTheBitsOfFindAtAnyScale) {
  for (const double scale : {0x1p-100, 0x1p+100}) {
    const WallCase about = scaled_by(thinned(two_spheres(), 3), scale);
    const Queue on = queue();
    WallDistance walls(on, about.mesh, passing(options(), 0.05 * scale));
    for (int step = 0; step < 4; ++step) {
      RigidTransform transform = pose(step);
      for (double& along : transform.translation) along *= scale;
      walls.move("body", transform);
      ASSERT_TRUE(same_results(updated(on, walls, about), answers(on, walls, about))) << scale << ", step " << step;
    }
    if (GetParam().name == "bvh" && on.device().kind == DeviceKind::cpu) {  // on CUDA certificates are in meters
      EXPECT_GT(walls.reused(), about.point_count() / 10);
    }
  }
}

TEST_P(EveryMovingWall, UpdateSearchesAgainWhenPointsOrWallsChange) {
  WallCase about = two_spheres();
  const Queue on = queue();
  WallDistance walls(on, about.mesh, passing(options(), 0.1));
  updated(on, walls, about);
  const WallCase fewer = thinned(about, 2);
  EXPECT_TRUE(same_results(updated(on, walls, fewer), answers(on, walls, fewer)));
  for (double& x : about.mesh.x) x += 0.01;
  walls.refit(about.mesh.x, about.mesh.y, about.mesh.z);
  EXPECT_TRUE(same_results(updated(on, walls, fewer), answers(on, walls, fewer)));
  about.x[0] = std::nan("");
  EXPECT_NE(message_of([&] { updated(on, walls, about); }), "no error");
  about.x[0] = 0;
  EXPECT_TRUE(same_results(updated(on, walls, about), answers(on, walls, about)));
}

TEST_P(EveryMovingWall, RefitGivesTheBitsOfANewPlan) {
  WallCase about = two_spheres();
  const Queue on = queue();
  WallDistance walls(on, about.mesh, options());
  for (std::size_t i = 0; i < about.mesh.x.size(); ++i) about.mesh.y[i] += 0.3 * about.mesh.x[i] * about.mesh.x[i];
  walls.refit(about.mesh.x, about.mesh.y, about.mesh.z);
  EXPECT_TRUE(same_results(answers(on, walls, about), answers(on, about, options())));
}

TEST_P(EveryMovingWall, OneBodyAlone) {
  const WallCase about = two_spheres();
  const Queue on = queue();
  WallDistance walls(on, about.mesh, passing(options()));
  const Array<double> x = to_device(on, about.x), y = to_device(on, about.y), z = to_device(on, about.z);
  Array<double> distance(on, x.count());
  walls.find_body("body", x, y, z, {.distance = distance});
  WallDistanceOptions only = options();
  only.walls = {"passing"};
  EXPECT_EQ(to_host(on, distance), answers(on, about, only).distance);
}

TEST_P(EveryMovingWall, SmallMotionNeedsFewSearches) {
  if (GetParam().name != "bvh") GTEST_SKIP() << "has no certificates";
  const WallCase about = two_spheres();
  const Queue on = queue();
  WallDistance walls(on, about.mesh, passing(options(), 1e-3));
  updated(on, walls, about);
  EXPECT_EQ(walls.reused(), 0);
  updated(on, walls, about);
  EXPECT_GT(walls.reused(), about.point_count() / 2);
  walls.move("body", RigidTransform::shift({0, 1e-4, 0}));
  updated(on, walls, about);
  EXPECT_GT(walls.reused(), about.point_count() / 2);
}

TEST(MovingWalls, PosesAreAppliedInDoubleDouble) {
  const RigidTransform turn = RigidTransform::about({0.3, 0.1, 0}, {1, 2, 3}, 0.7);
  BodyPose pose;
  std::copy(turn.rotation.begin(), turn.rotation.end(), pose.rotation);
  std::copy(turn.translation.begin(), turn.translation.end(), pose.translation);
  pose.moved = true;
  const std::array<double, 3> p{0.7, -1.3, 2.9};
  const DoubleDoubleVector result = pose.to_body({{p[0], 0}, {p[1], 0}, {p[2], 0}});
  const QuadrupleVector q = QuadrupleVector(p) - QuadrupleVector(turn.translation);
  const auto& r = turn.rotation;
  const Quadruple exact = r[0] * q.x + r[3] * q.y + r[6] * q.z;
  EXPECT_LE(std::abs(static_cast<double>(exact - result.x.high - result.x.low)), 0x1p-98);
}

TEST(MovingWalls, BadBodiesAndTransforms) {
  const WallCase about = two_spheres();
  const auto message = [&](WallDistanceOptions options) {
    return message_of([&] { WallDistance(Queue::cpu(1), about.mesh, options); });
  };
  EXPECT_EQ(message({.bodies = {{"a", {"tail"}}}}), "wall_distance: no wall \"tail\"; the mesh has dented, passing.");
  EXPECT_EQ(message({.bodies = {{"a", {"dented"}}, {"b", {"dented"}}}}),
            "wall_distance: wall \"dented\" belongs to two bodies, expected one at most.");
  EXPECT_EQ(message({.bodies = {{"a", {"dented"}}, {"a", {"passing"}}}}),
            "wall_distance: two bodies have the name \"a\". Names must differ.");
  EXPECT_EQ(
      message({.walls = {"dented"}, .bodies = {{"a", {"passing"}}}}),
      "wall_distance: wall \"passing\" of body \"a\" is not among the walls in use. Add it to the option `walls`.");
  EXPECT_EQ(message({.bodies = {{"a", {}}}}), "wall_distance: body \"a\" has no faces. Name its walls.");
  EXPECT_EQ(message({.motion = -1}), "wall_distance: motion is -1 m, expected 0 to 1e30 m.");
  WallDistance walls(Queue::cpu(1), about.mesh, passing({}));
  EXPECT_EQ(message_of([&] { walls.move("wing", {}); }), "wall_distance: no body \"wing\"; this plan has body.");
  EXPECT_EQ(
      message_of([&] {
        walls.move("body", {.rotation = {2, 0, 0, 0, 1, 0, 0, 0, 1}});
      }),
      "rigid transform: the scalar product of rows 0 and 0 of the rotation is 4, expected 1. The rows of a rotation "
      "are orthonormal.");
  EXPECT_EQ(message_of([&] {
              walls.move("body", {.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, 1}});
            }),
            "rigid transform: the determinant of the rotation is -1, expected 1. The matrix is a reflection.");
  EXPECT_EQ(message_of([&] {
              walls.move("body", RigidTransform::shift({INFINITY, 0, 0}));
            }),
            "rigid transform: the translation contains inf m, expected at most 1e100 m in magnitude.");
  EXPECT_EQ(message_of([] {
              RigidTransform::about({}, {0, 0, 0}, 1);
            }),
            "rigid transform: the axis is (0, 0, 0), expected finite numbers that are not all 0.");
  const std::vector<double> two(2);
  EXPECT_EQ(message_of([&] { walls.refit(two, two, two); }),
            "wall_distance: x of the mesh has 2 elements, expected 296.");
  WallDistance flat(Queue::cpu(1), circle_case(20, 3).mesh, {.bodies = {{"circle", {"circle"}}}});
  EXPECT_EQ(message_of([&] {
              flat.move("circle", RigidTransform::shift({0, 0, 1}));
            }),
            "wall_distance: the transform of body \"circle\" leaves the plane of the 2-D mesh.");
}

}  // namespace
}  // namespace shoal::wall_distance
