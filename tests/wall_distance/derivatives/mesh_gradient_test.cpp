// SPDX-License-Identifier: Apache-2.0
// Derivatives of weighted sums of distances with respect to the points of the mesh.
#include <gmock/gmock.h>
#include <shoal/wall_distance/mesh_gradient.hpp>

#include <array>
#include <numeric>
#include <random>

#include "support/messages.hpp"
#include "wall_distance/derivatives/square.hpp"

namespace shoal::wall_distance {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

using Columns = std::array<std::vector<double>, 3>;  ///< coordinates by axis; z is empty in 2-D

View<const double> read(const std::vector<double>& values) { return {values.data(), std::ssize(values)}; }
View<double> write(std::vector<double>& values) { return {values.data(), std::ssize(values)}; }

/// Distances of points, with what mesh_gradient() needs.
struct SearchResult {
  std::vector<double> distance;
  std::vector<std::int64_t> face;
  Columns nearest, gradient;

  WallDistanceOutputs outputs() {
    return {.distance = write(distance),
            .face = {face.data(), std::ssize(face)},
            .x = write(nearest[0]),
            .y = write(nearest[1]),
            .z = write(nearest[2]),
            .gradient_x = write(gradient[0]),
            .gradient_y = write(gradient[1]),
            .gradient_z = write(gradient[2])};
  }
};

SearchResult search(const WallMesh& mesh, const Columns& points, const WallDistanceOptions& options = {}) {
  const std::size_t n = points[0].size();
  SearchResult result_of_search{
      .distance = std::vector<double>(n), .face = std::vector<std::int64_t>(n), .nearest = {}, .gradient = {}};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(mesh.dimensions); ++axis) {
    result_of_search.nearest[axis].resize(n);
    result_of_search.gradient[axis].resize(n);
  }
  WallDistance walls(Queue::cpu(1), mesh, options);
  if (mesh.dimensions == 3)
    walls.find(read(points[0]), read(points[1]), read(points[2]), result_of_search.outputs());
  else
    walls.find(read(points[0]), read(points[1]), result_of_search.outputs());
  return result_of_search;
}

Columns gradient_of_mesh(const WallMesh& mesh, const Columns& points, const std::vector<double>& weight,
                         const WallDistanceOptions& options = {}) {
  SearchResult result_of_search = search(mesh, points, options);
  Columns result;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(mesh.dimensions); ++axis)
    result[axis].assign(mesh.x.size(), 7);
  mesh_gradient(mesh, result_of_search.outputs(), read(weight), {write(result[0]), write(result[1]), write(result[2])},
                options.to);
  return result;
}

std::vector<double> random_values(std::size_t n, double low, double high) {
  static std::mt19937 engine(5);
  std::uniform_real_distribution<double> any(low, high);
  std::vector<double> values(n);
  for (double& value : values) value = any(engine);
  return values;
}

/// A cube whose corners are displaced, so that its quadrilaterals are bent.
WallMesh bent_cube() {
  WallMesh mesh;
  const std::vector<double> by = random_values(24, -0.2, 0.2);
  for (std::size_t corner = 0; corner < 8; ++corner)
    mesh.add_point((corner & 1 ? 1 : -1) + by[3 * corner], (corner & 2 ? 1 : -1) + by[3 * corner + 1],
                   (corner & 4 ? 1 : -1) + by[3 * corner + 2]);
  for (const auto& face : std::vector<std::vector<std::int64_t>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    mesh.add_face(face, mesh.add_wall("cube"));
  return mesh;
}

TEST(MeshGradient, SquareByHand) {
  // below a side, at the corner (4, 4), and inside, where signs reverse the derivative
  const Columns points{{{1, 7, 1}, {-2, 8, 2}, {}}};
  const Columns result = gradient_of_mesh(testing_support::square_of_4_meters(), points, {2, 10, 1}, {.signs = true});
  EXPECT_THAT(result[0], ElementsAre(0.5, 0, -6, 0.5));
  EXPECT_THAT(result[1], ElementsAre(1.5, 0.5, -8, 0));
}

TEST(MeshGradient, IsTheDerivativeOfTheSumOfDistances) {
  WallMesh mesh = bent_cube();
  const Columns points{{random_values(400, -2, 2), random_values(400, -2, 2), random_values(400, -2, 2)}};
  const std::vector<double> weight = random_values(400, -1, 1);
  for (const WallDistanceTo target : {WallDistanceTo::face, WallDistanceTo::face_center})
    for (const bool signs : {false, true}) {
      if (signs && target == WallDistanceTo::face_center) continue;
      const WallDistanceOptions options{.to = target, .signs = signs};
      const Columns result = gradient_of_mesh(mesh, points, weight, options);
      const auto sum = [&] {
        const SearchResult result_of_search = search(mesh, points, options);
        return std::inner_product(weight.begin(), weight.end(), result_of_search.distance.begin(), 0.0);
      };
      for (const auto& [axis, values] : {std::pair(0u, &mesh.x), {1u, &mesh.y}, {2u, &mesh.z}})
        for (std::size_t v = 0; v < values->size(); ++v) {
          constexpr double step = 1e-7;
          const double coordinate = (*values)[v];
          (*values)[v] = coordinate + step;
          const double above = sum();
          (*values)[v] = coordinate - step;
          const double below = sum();
          (*values)[v] = coordinate;
          EXPECT_THAT(result[axis][v], DoubleNear((above - below) / (2 * step), 2e-6)) << "point " << v;
        }
    }
}

TEST(MeshGradient, OfATranslationIsMinusThatOfThePoints) {
  const WallMesh mesh = bent_cube();
  const Columns points{{random_values(100, -2, 2), random_values(100, -2, 2), random_values(100, -2, 2)}};
  const std::vector<double> weight = random_values(100, -1, 1);
  const Columns result = gradient_of_mesh(mesh, points, weight);
  const SearchResult result_of_search = search(mesh, points);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(std::accumulate(result[axis].begin(), result[axis].end(), 0.0),
                -std::inner_product(weight.begin(), weight.end(), result_of_search.gradient[axis].begin(), 0.0), 1e-12);
}

TEST(MeshGradient, TakesFacesWithoutAreaAndPointsOnWalls) {
  WallMesh mesh;
  for (const double x : {0.0, 1.0, 4.0}) mesh.add_point(x, 0, 0);
  mesh.add_face({0, 1, 2}, mesh.add_wall("needle"));
  // (3, 2, 0) is nearest to (3, 0, 0), which lies between points 1 and 2, or 0 and 2; (1, 0, 0) is on the wall
  const Columns result = gradient_of_mesh(mesh, {{{3, 1}, {2, 0}, {0, 0}}}, {1, 5});
  EXPECT_NEAR(result[1][0] + result[1][1] + result[1][2], -1, 1e-15);
  EXPECT_NEAR(result[1][1] + 4 * result[1][2], -3, 1e-15) << "the moment of the derivative is that at (3, 0, 0)";
  EXPECT_THAT(result[0], ElementsAre(0, 0, 0));
}

TEST(MeshGradient, ErrorsNameTheArray) {
  const WallMesh mesh = testing_support::square_of_4_meters();
  SearchResult result_of_search = search(mesh, {{{1, 7}, {-2, 8}, {}}});
  std::vector<double> x(4), y(4);
  const std::vector<double> weight{1, 1};
  const auto message = [&] {
    return testing_support::message_of([&] {
      mesh_gradient(mesh, result_of_search.outputs(), read(weight), {write(x), write(y)});
    });
  };
  result_of_search.face[1] = 4;
  EXPECT_THAT(message(), HasSubstr("point 1 has the face 4, expected 0 to 3"));
  result_of_search.gradient[1].clear();
  EXPECT_THAT(message(), HasSubstr("the gradient of mesh_gradient() has 0 elements on cpu, expected 2"));
  x.pop_back();
  EXPECT_THAT(message(), HasSubstr("out of mesh_gradient() has 3 elements on cpu, expected 4"));
}

}  // namespace
}  // namespace shoal::wall_distance
