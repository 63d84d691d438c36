// SPDX-License-Identifier: Apache-2.0
// The method `serial_double` stays within the bound of its error that docs/theory/wall_distance.md has.
#include <gmock/gmock.h>

#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

const WallDistanceOptions in_double = {.method = "serial_double"};

struct Shape {
  double longest_edge = 0, aspect_ratio = 0;
};

/// Longest edge and largest ratio of longest edge to height, over the triangles of all faces.
Shape shape_of(const WallMesh& mesh) {
  Shape shape;
  for (std::size_t face = 0; face < mesh.wall.size(); ++face) {
    std::vector<std::int64_t> corners(mesh.corners.begin() + mesh.face_start[face],
                                      mesh.corners.begin() + mesh.face_start[face + 1]);
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    const auto edge = [&](std::size_t from, std::size_t end) {
      const auto i = static_cast<std::size_t>(corners[from]), j = static_cast<std::size_t>(corners[end]);
      const long double z = mesh.dimensions == 3 ? static_cast<long double>(mesh.z[j]) - mesh.z[i] : 0;
      return std::array<long double, 3>{static_cast<long double>(mesh.x[j]) - mesh.x[i],
                                        static_cast<long double>(mesh.y[j]) - mesh.y[i], z};
    };
    const auto length = [](const std::array<long double, 3>& a) { return std::hypot(a[0], a[1], a[2]); };
    shape.longest_edge = std::max(shape.longest_edge, static_cast<double>(length(edge(0, 1))));
    for (std::size_t k = 2; k < corners.size(); ++k) {
      const std::array<long double, 3> a = edge(0, k - 1), b = edge(0, k);
      const long double longest = std::max({length(a), length(b), length(edge(k - 1, k))});
      const long double area =
          length({a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]});
      shape.longest_edge = std::max(shape.longest_edge, static_cast<double>(longest));
      if (area > 0x1p-46L * longest * longest)
        shape.aspect_ratio = std::max(shape.aspect_ratio, static_cast<double>(longest * longest / area));
    }
  }
  return shape;
}

/// Bound of the error at the distance d, slightly enlarged for rounding of the bound itself.
double bound(const Shape& shape, double d, double coordinate = 0) {
  return (1 + 1e-9) * 0x1p-46 * (1 + shape.aspect_ratio) * (d + shape.longest_edge + coordinate) + 1e-130;
}

std::vector<double> lower_bounds(const WallCase& about) {
  std::vector<double> lower(about.x.size());
  WallDistance walls(Queue::cpu(1), about.mesh, in_double);
  if (about.mesh.dimensions == 3)
    walls.find(about.x, about.y, about.z, {.lower = lower});
  else
    walls.find(about.x, about.y, {.lower = lower});
  return lower;
}

TEST(SerialDouble, DistancesByHand) {
  WallMesh segment{.dimensions = 2};
  segment.add_point(0, 0), segment.add_point(4, 0);
  segment.add_face({0, 1}, segment.add_wall("floor"));
  const WallAnswers plane = answers(Queue::cpu(1), {segment, {1, 7, -3}, {2, 4, 4}}, in_double);
  EXPECT_EQ(plane.distance, (std::vector<double>{2, 5, 5}));
  EXPECT_EQ(plane.x, (std::vector<double>{1, 4, 0}));
  WallMesh triangle;
  triangle.add_point(0, 0, 0), triangle.add_point(4, 0, 0), triangle.add_point(0, 4, 0);
  triangle.add_face({0, 1, 2}, triangle.add_wall("wing"));
  const WallAnswers space = answers(Queue::cpu(1), {triangle, {1, 1, 7, -3}, {1, -4, 0, -4}, {3, 3, 4, 0}}, in_double);
  EXPECT_EQ(space.distance, (std::vector<double>{3, 5, 5, 5})) << "above the face, an edge and two corners";
}

TEST(SerialDouble, StaysWithinTheBoundOfItsError) {
  int differing = 0;
  for (const auto& [name, about] : every_case()) {
    const Shape shape = shape_of(about.mesh);
    const std::vector<double> exact = serial(about).distance, lower = lower_bounds(about);
    const WallAnswers result = answers(Queue::cpu(1), about, in_double);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      SCOPED_TRACE(testing::Message() << name << ", point " << i);
      ASSERT_LE(std::abs(result.distance[i] - exact[i]), bound(shape, exact[i]));
      ASSERT_LE(lower[i], exact[i]);
      ASSERT_GE(lower[i], result.distance[i] - bound(shape, result.distance[i]));
      differing += result.distance[i] != exact[i];
    }
  }
  EXPECT_GT(differing, 100) << "double-double arithmetic has no error";
}

TEST(SerialDouble, BoundOfTheCircleIsSmall) {
  const WallCase circle = circle_case(200, 50);
  const Shape shape = shape_of(circle.mesh);
  EXPECT_EQ(shape.aspect_ratio, 0);
  EXPECT_LT(bound(shape, 10), 2e-13);
}

TEST(SerialDouble, StaysWithinItsBoundWhereABodyMoved) {
  const WallCase about = with_points_within(dented_sphere(12), 300, 3);
  const Shape shape = shape_of(about.mesh);
  WallDistanceOptions exact{.method = "serial", .bodies = {{"body", {about.mesh.wall_names[0]}}}}, rounded = exact;
  rounded.method = "serial_double";
  WallDistance by_serial(Queue::cpu(1), about.mesh, exact), by_double(Queue::cpu(1), about.mesh, rounded);
  const RigidTransform transform = RigidTransform::about({1, 2, 3}, {1, 1, 0}, 0.7);
  by_serial.move("body", transform);
  by_double.move("body", transform);
  const std::vector<double> expected = answers(Queue::cpu(1), by_serial, about).distance;
  const std::vector<double> result = answers(Queue::cpu(1), by_double, about).distance;
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_LE(std::abs(result[i] - expected[i]), bound(shape, expected[i], 2)) << "point " << i;
}

TEST(SerialDouble, RefusesSignsAndWallsThatOverflow) {
  const WallCase about{dented_sphere(6)};
  WallDistanceOptions with_signs = in_double;
  with_signs.signs = true;
  EXPECT_EQ(message_of([&] { WallDistance(Queue::cpu(1), about.mesh, with_signs); }),
            "wall_distance: signs need the nearest face, which method `serial_double` does not guarantee. Set signs = "
            "false, or choose another method.");
  EXPECT_THAT(message_of([&] { WallDistance(Queue::cpu(1), scaled_by(about, 0x1p+200).mesh, in_double); }),
              testing::HasSubstr("m, expected 1e-50 to 1e50 m for method `serial_double`. Choose `serial`."));
}

}  // namespace
}  // namespace shoal::wall_distance
