// SPDX-License-Identifier: Apache-2.0
// Derivatives of distances with respect to points.
#include <gmock/gmock.h>

#include <numbers>

#include "wall_distance/derivatives/square.hpp"
#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

/// Gradients by axis; z is empty in 2-D.
struct Gradients {
  std::vector<double> x, y, z;

  friend bool operator==(const Gradients&, const Gradients&) = default;
};

/// Returns the gradients alone, without distances and faces.
Gradients gradients(const Queue& queue, WallDistance& walls, const WallCase& about, bool with_update = false) {
  const std::int64_t n = about.point_count();
  const bool is_3d = about.mesh.dimensions == 3;
  const Array<double> x = to_device(queue, about.x), y = to_device(queue, about.y), z = to_device(queue, about.z);
  Array<double> along_x(queue, n), along_y(queue, n), along_z(queue, is_3d ? n : 0);
  WallDistanceOutputs out{.gradient_x = along_x, .gradient_y = along_y};
  if (is_3d) out.gradient_z = along_z;
  if (with_update)
    is_3d ? walls.update(x, y, z, out) : walls.update(x, y, out);
  else
    is_3d ? walls.find(x, y, z, out) : walls.find(x, y, out);
  queue.wait();
  return {to_host(queue, along_x), to_host(queue, along_y), to_host(queue, along_z)};
}

Gradients gradients(const Queue& queue, const WallCase& about, const WallDistanceOptions& options) {
  WallDistance walls(queue, about.mesh, options);
  return gradients(queue, walls, about);
}

/// A cube from −1 to 1 m, with faces that are counter-clockwise from outside.
WallMesh cube() {
  WallMesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.add_point(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
  for (const auto& face : std::vector<std::vector<std::int64_t>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    mesh.add_face(face, mesh.add_wall("cube"));
  return mesh;
}

class EveryGradient : public EveryWallDistanceMethod {
 protected:
  WallDistanceOptions with_signs() const { return {.method = GetParam().name, .signs = true}; }
};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryGradient, testing::ValuesIn(exact_methods()), method_test_name);

TEST_P(EveryGradient, SquareByHand) {
  // below a side, beside one, near a corner, on the diagonal (face 0 of two), and on a side
  const WallCase about{square_of_4_meters(), {1, 5, 7, 1, 0}, {-2, 1, 8, 1, 3}};
  const Gradients unsigned_ones = gradients(queue(), about, options());
  EXPECT_THAT(unsigned_ones.x, ElementsAre(0, 1, 0.6, 0, 0));
  EXPECT_THAT(unsigned_ones.y, ElementsAre(-1, 0, 0.8, 1, 0));
  const Gradients signed_ones = gradients(queue(), about, with_signs());
  EXPECT_THAT(signed_ones.x, ElementsAre(0, 1, 0.6, 0, -1));
  EXPECT_THAT(signed_ones.y, ElementsAre(-1, 0, 0.8, -1, 0));
}

TEST_P(EveryGradient, CubeByHand) {
  // inside, near an edge, near a corner, and on the upper face, an edge and a corner
  const WallCase about{cube(), {0.5, 4, 3, 0.25, 1, -1}, {0, 5, 2, 0.5, 1, 1}, {0.25, 0, -3, 1, 0.5, -1}};
  const Gradients unsigned_ones = gradients(queue(), about, options());
  EXPECT_THAT(unsigned_ones.x, ElementsAre(-1, 0.6, DoubleNear(2 / 3.0, 1e-15), 0, 0, 0));
  EXPECT_THAT(unsigned_ones.y, ElementsAre(0, 0.8, DoubleNear(1 / 3.0, 1e-15), 0, 0, 0));
  EXPECT_THAT(unsigned_ones.z, ElementsAre(0, 0, DoubleNear(-2 / 3.0, 1e-15), 0, 0, 0));
  const Gradients signed_ones = gradients(queue(), about, with_signs());
  const double third = 1 / std::numbers::sqrt3;
  EXPECT_THAT(std::vector(signed_ones.x.begin(), signed_ones.x.begin() + 4),
              ElementsAre(1, 0.6, DoubleNear(2 / 3.0, 1e-15), 0));
  EXPECT_THAT(std::vector(signed_ones.z.begin(), signed_ones.z.begin() + 4),
              ElementsAre(0, 0, DoubleNear(-2 / 3.0, 1e-15), 1));
  EXPECT_EQ(std::hypot(signed_ones.x[4], signed_ones.y[4]), 1) << "the normal of a face at the edge, or between them";
  EXPECT_GE(signed_ones.x[4], 0);
  EXPECT_GE(signed_ones.y[4], 0);
  EXPECT_EQ(signed_ones.z[4], 0);
  EXPECT_NEAR(signed_ones.x[5], -third, 1e-15) << "the pseudonormal of the corner";
  EXPECT_NEAR(signed_ones.y[5], third, 1e-15);
  EXPECT_NEAR(signed_ones.z[5], -third, 1e-15);
}

TEST_P(EveryGradient, OfDistancesToCentersIsTheirDirection) {
  WallDistanceOptions centers = options();
  centers.to = WallDistanceTo::face_center;
  const Gradients result = gradients(queue(), {square_of_4_meters(), {5, 2}, {-4, 0}}, centers);
  EXPECT_THAT(result.x, ElementsAre(0.6, 0));  // from (2, 0), and at it
  EXPECT_THAT(result.y, ElementsAre(-0.8, 0));
}

TEST_P(EveryGradient, IsTheDifferenceQuotientOfTheSignedDistance) {
  const WallCase about = with_points_within(dented_sphere(12), 150, 2);
  const Gradients result = gradients(queue(), about, with_signs());
  const WallAnswers middle = answers(queue(), about, with_signs());
  constexpr double step = 0x1p-14;  // m
  int compared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto shifted = [&](double by) {
      WallCase points = about;
      for (double& coordinate : axis == 0 ? points.x : axis == 1 ? points.y : points.z) coordinate += by;
      return answers(queue(), points, with_signs());
    };
    const WallAnswers before = shifted(-step), after = shifted(step);
    const std::vector<double>& derivative = axis == 0 ? result.x : axis == 1 ? result.y : result.z;
    for (std::size_t i = 0; i < derivative.size(); ++i) {
      const double distance = std::abs(middle.distance[i]);
      if (distance < 0.1 || before.face[i] != after.face[i]) continue;
      // The second derivative is at most 1 / distance, and jumps between a face and its edges.
      ASSERT_NEAR(derivative[i], (after.distance[i] - before.distance[i]) / (2 * step), step / distance)
          << "point " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
}

TEST_P(EveryGradient, HasTheBitsOfSerialAndLengthOne) {
  const WallDistanceOptions serial_options{.method = "serial"};
  for (const auto& [name, about] : every_case()) {
    if (about.point_count() == 0) continue;
    const WallCase points = thinned(about, 19);
    const Gradients result = gradients(queue(), points, options());
    EXPECT_EQ(result, gradients(Queue::cpu(1), points, serial_options)) << name;
    for (std::size_t i = 0; i < result.x.size(); ++i) {
      const double z = result.z.empty() ? 0 : result.z[i];
      const double length = std::hypot(result.x[i], result.y[i], z);
      ASSERT_TRUE(length == 0 || std::abs(length - 1) < 1e-15) << name << ", point " << i << ": " << length;
    }
  }
}

TEST_P(EveryGradient, TurnsWithABody) {
  WallMesh mesh = cube();
  WallDistanceOptions with = with_signs();
  with.bodies = {{"cube", {"cube"}}};
  const Queue on = queue();
  WallDistance walls(on, mesh, with);
  // A turn by 45 degrees about z: the face x = 1 then points along (1, 1, 0), at a distance of 1 from the center.
  walls.move("cube", RigidTransform::about({0, 0, 0}, {0, 0, 1}, std::numbers::pi / 4));
  const double half = std::numbers::sqrt2 / 2;
  const WallCase about{mesh, {2, 0.25}, {2, 0.25}, {0, 0.125}};
  for (const bool with_update : {false, true}) {
    const Gradients result = gradients(on, walls, about, with_update);
    EXPECT_THAT(result.x, Pointwise(testing::DoubleNear(1e-15), {half, half}));
    EXPECT_THAT(result.y, Pointwise(testing::DoubleNear(1e-15), {half, half}));
    EXPECT_THAT(result.z, Pointwise(testing::DoubleNear(1e-15), {0.0, 0.0}));
  }
}

TEST(Gradient, ViewsOfAnotherLengthAreRefused) {
  const Queue queue = Queue::cpu(1);
  WallDistance walls(queue, square_of_4_meters());
  const std::vector<double> x = {1, 2}, y = {3, 4};
  std::vector<double> shorter(1), fitting(2);
  EXPECT_THAT(message_of([&] { walls.find(x, y, {.gradient_x = shorter, .gradient_y = fitting}); }),
              testing::HasSubstr("the x of gradients has 1"));
  EXPECT_THAT(message_of([&] { walls.find(x, y, {.gradient_x = fitting, .gradient_y = shorter}); }),
              testing::HasSubstr("the y of gradients has 1"));
}

}  // namespace
}  // namespace shoal::wall_distance
