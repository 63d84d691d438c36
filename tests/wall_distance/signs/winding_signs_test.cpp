// SPDX-License-Identifier: Apache-2.0
// Signs by winding numbers: those of closed walls, and of walls with holes, flipped and duplicate faces.
#include <gmock/gmock.h>

#include "wall_distance/signs/closed_walls.hpp"
#include "wall_distance/signs/winding/winding_tree.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

class EveryWindingSign : public EveryWallDistanceMethod {
 protected:
  WallDistanceOptions options() const {
    return {.method = GetParam().name, .signs = true, .inside = WallInside::winding_number};
  }
  WallDistanceOptions closed_options() const { return {.method = GetParam().name, .signs = true}; }
};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryWindingSign, testing::ValuesIn(exact_methods()), method_test_name);

DoubleDoubleVector vector(double x, double y, double z) { return {{x, 0}, {y, 0}, {z, 0}}; }

double angle_of(const Rotation& rotation) {
  AngleSum sum;
  sum.add(rotation);
  return sum.value();
}

/// A corner of a cube, seen from its center: an octant has the solid angle π/2, and a face of a cube 2π/3.
TEST(WindingNumber, SolidAnglesByHand) {
  const double octant = angle_of(half_solid_angle(vector(1, 0, 0), vector(0, 2, 0), vector(0, 0, 3)));
  EXPECT_DOUBLE_EQ(octant, std::numbers::pi / 4);
  EXPECT_DOUBLE_EQ(angle_of(half_solid_angle(vector(0, 2, 0), vector(1, 0, 0), vector(0, 0, 3))), -octant);
  const double half_face = angle_of(half_solid_angle(vector(1, -1, -1), vector(1, 1, -1), vector(1, 1, 1)));
  EXPECT_DOUBLE_EQ(half_face, std::numbers::pi / 6);
  EXPECT_EQ(angle_of(half_solid_angle(vector(1, 0, 0), vector(2, 0, 0), vector(0, 1, 0))), 0) << "in its plane";
  EXPECT_NEAR(angle_of(half_solid_angle(vector(1, 0, 1e-30), vector(-1, 1, 1e-30), vector(-1, -1, 1e-30))),
              std::numbers::pi, 1e-15)
      << "close below it";
  EXPECT_DOUBLE_EQ(angle_of(angle_between(vector(2, 0, 0), vector(0, 5, 0))), std::numbers::pi / 2);
}

TEST(WindingNumber, SumsOfAnglesCountTurns) {
  AngleSum sum;
  const Rotation third = {-0.5, std::sqrt(0.75)}, back = {-0.5, -std::sqrt(0.75)};
  for (int i = 0; i < 30; ++i) {
    EXPECT_NEAR(sum.value(), i * 2 * std::numbers::pi / 3, 1e-12);
    EXPECT_EQ(sum.exceeds_half_turn(), i > 1);
    sum.add(third);
  }
  for (int i = 30; i > -30; --i) {
    EXPECT_NEAR(sum.value(), i * 2 * std::numbers::pi / 3, 1e-12);
    EXPECT_EQ(sum.exceeds_half_turn(), i > 1);
    sum.add(back);
  }
  AngleSum half;
  half.add({-1, 0});
  EXPECT_DOUBLE_EQ(half.value(), std::numbers::pi);
  EXPECT_FALSE(half.exceeds_half_turn());
  half.add({0, 0});
  EXPECT_DOUBLE_EQ(half.value(), std::numbers::pi);
}

TEST_P(EveryWindingSign, IsThatOfClosedWalls) {
  for (const auto& [name, mesh] : closed_walls())
    for (const bool is_reversed : {false, true}) {
      WallCase about = with_points_within(mesh, 1000, 1.9);
      if (is_reversed) reverse_faces(about.mesh);
      EXPECT_EQ(answers(queue(), about, options()).distance, answers(queue(), about, closed_options()).distance)
          << name;
    }
}

TEST_P(EveryWindingSign, HoldsCloseToTheWall) {
  for (const double offset : {0.0, 1e6}) {
    const WallCase above = points_close_to(dented_sphere(16), offset);
    EXPECT_EQ(answers(queue(), above, options()).distance, answers(queue(), above, closed_options()).distance);
  }
}

TEST_P(EveryWindingSign, IsTheSameAtAnyScale) { expect_same_signs_at_any_scale(queue(), options()); }

TEST_P(EveryWindingSign, OfPointsFarAwayIsOutside) {
  const WallCase about{box(-1, 1), {1e100, -1e100, 1e20, 0}, {0, 1e100, 0, 0}, {0, -1e100, 3, 0}};
  const std::vector<double> distance = answers(queue(), about, options()).distance;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(distance[i], 0);
  EXPECT_EQ(distance[3], -1);
}

/// A sphere of many triangles, without those around its top.
WallMesh sphere_with_hole() {
  WallMesh closed, open;
  add_sphere(closed, "sphere", {0, 0, 0}, 1, 60, 30);
  open.x = closed.x, open.y = closed.y, open.z = closed.z;
  for (std::size_t face = 0; face < closed.wall.size(); ++face) {
    const std::vector<std::int64_t> corners(closed.corners.begin() + closed.face_start[face],
                                            closed.corners.begin() + closed.face_start[face + 1]);
    const bool is_in_hole = std::any_of(corners.begin(), corners.end(),
                                        [&](std::int64_t i) { return closed.z[static_cast<std::size_t>(i)] > 0.93; });
    if (!is_in_hole) open.add_face(corners, open.add_wall("sphere"));
  }
  return open;
}

/// Checks that points of rays from the center are inside up to the sphere, and outside beyond it.
void expect_sphere(const Queue& queue, const WallMesh& mesh, const WallDistanceOptions& options, double lowest_z,
                   double highest_z) {
  WallCase about{mesh};
  std::vector<bool> is_in;
  for (const double radius : {0.1, 0.5, 0.9, 0.98, 1.001, 1.02, 1.1, 2.0, 10.0, 1e4})
    for (int i = 0; i < 40; ++i) {
      const double z = lowest_z + (highest_z - lowest_z) * (i + 0.5) / 40, angle = 2.399963 * i,
                   across = std::sqrt(1 - z * z);
      about.x.push_back(radius * across * std::cos(angle));
      about.y.push_back(radius * across * std::sin(angle));
      about.z.push_back(radius * z);
      is_in.push_back(radius < 1);
    }
  const std::vector<double> expected = serial(about).distance, distance = answers(queue, about, options).distance;
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(distance[i], is_in[i] ? -expected[i] : expected[i])
        << about.x[i] << " " << about.y[i] << " " << about.z[i];
}

TEST_P(EveryWindingSign, OfASphereWithAHole) { expect_sphere(queue(), sphere_with_hole(), options(), -1, 0.75); }

TEST_P(EveryWindingSign, OfASphereWithDuplicateFaces) {
  WallMesh mesh;
  add_sphere(mesh, "sphere", {0, 0, 0}, 1, 60, 30);
  const std::size_t faces = mesh.wall.size();
  for (std::size_t face = 0; face < faces; face += 3)
    mesh.add_face({mesh.corners.begin() + mesh.face_start[face], mesh.corners.begin() + mesh.face_start[face + 1]}, 0);
  expect_sphere(queue(), mesh, options(), -1, 1);
}

/// Faces of the upper half are flipped here and there: points near the lower half, and far ones, are right.
TEST_P(EveryWindingSign, OfASphereWithFlippedFaces) {
  WallMesh mesh;
  add_sphere(mesh, "sphere", {0, 0, 0}, 1, 60, 30);
  int flipped = 0;
  for (std::size_t face = 0; face < mesh.wall.size(); face += 7) {
    const auto begin = mesh.corners.begin() + mesh.face_start[face],
               end = mesh.corners.begin() + mesh.face_start[face + 1];
    if (std::any_of(begin, end, [&](std::int64_t i) { return mesh.z[static_cast<std::size_t>(i)] < 0.5; })) continue;
    std::reverse(begin, end);
    ++flipped;
  }
  EXPECT_GT(flipped, 20);
  expect_sphere(queue(), mesh, options(), -1, 0.2);
}

TEST_P(EveryWindingSign, OfIntersectingBoxesIsThatOfTheirUnion) {
  WallMesh mesh;
  add_box(mesh, "one", {0, 0, 0}, {2, 2, 2});
  add_box(mesh, "two", {1, 1, 1}, {3, 3, 3});
  const WallCase about{mesh, {1.5, 0.5, 2.5, 2.5, 3.5}, {1.5, 0.5, 2.5, 0.25, 1.5}, {1.5, 0.5, 2.5, 0.25, 1.5}};
  EXPECT_THAT(answers(queue(), about, options()).distance, testing::ElementsAre(-0.5, -0.5, -0.5, 0.5, 0.5));
}

/// Three quarters of a circle: the winding number exceeds 1/2 around the center, and not beyond the gap.
TEST_P(EveryWindingSign, OfAnOpenOutline) {
  WallMesh mesh{.dimensions = 2};
  const std::int32_t wall = mesh.add_wall("arc");
  for (int i = 0; i <= 300; ++i)
    mesh.add_point(std::cos(i * std::numbers::pi / 200), std::sin(i * std::numbers::pi / 200));
  for (std::int64_t i = 0; i < 300; ++i) mesh.add_face({i, i + 1}, wall);
  const WallCase about{mesh, {0, -0.9, 0, 0.8, -1.1, 3}, {0, 0, 0.95, -0.8, 0, -3}, {}};
  const std::vector<double> distance = answers(queue(), about, options()).distance;
  EXPECT_THAT(std::vector(distance.begin(), distance.begin() + 3), testing::Each(testing::Lt(0)));
  EXPECT_THAT(std::vector(distance.begin() + 3, distance.end()), testing::Each(testing::Gt(0)));
}

TEST_P(EveryWindingSign, FollowsBodiesAndRefit) {
  WallMesh mesh = box(-1, 1);
  add_box(mesh, "door", {3, 0, 0}, {4, 1, 1});
  WallDistanceOptions with = options();
  with.bodies = {{"door", {"door"}}};
  const Queue on = queue();
  WallDistance walls(on, mesh, with);
  const WallCase about{mesh, {0.25, 3.5, 6}, {0, 0.5, 0.5}, {0, 0.5, 0.5}};
  EXPECT_EQ(answers(on, walls, about).distance, (std::vector<double>{-0.75, -0.5, 2}));
  walls.move("door", RigidTransform::shift({2, 0, 0}));
  EXPECT_EQ(answers(on, walls, about).distance, (std::vector<double>{-0.75, 1.5, 0}));
  for (double& along : mesh.x) along *= 2;
  walls.refit(mesh.x, mesh.y, mesh.z);
  EXPECT_EQ(answers(on, walls, {mesh, {9, 1.75}, {0.5, 0}, {0.5, 0}}).distance, (std::vector<double>{-0.5, -0.25}));
}

TEST(WindingNumber, NeedsSignsAndArea) {
  const auto refusal = [](const WallMesh& mesh, const WallDistanceOptions& options) {
    return message_of([&] { WallDistance(Queue::cpu(1), mesh, options); });
  };
  EXPECT_EQ(refusal(box(0, 1), {.inside = WallInside::winding_number}),
            "wall_distance: inside = \"winding_number\" is a rule for signs. Set signs = true, or leave it out.");
  WallMesh line;
  line.add_point(0, 0, 0), line.add_point(1, 0, 0);
  line.add_face({0, 1, 1}, line.add_wall("line"));
  EXPECT_EQ(
      refusal(line, {.signs = true, .inside = WallInside::winding_number}),
      "wall_distance: the faces of wall \"line\" and of its body have no area, so they have no inside. Remove them, "
      "or set signs = false.");
}

}  // namespace
}  // namespace shoal::wall_distance
