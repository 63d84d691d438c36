// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <shoal/wall_distance.hpp>

#include <cmath>
#include <random>

#include "support/boundary_layer_points.hpp"
#include "support/dented_sphere.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::testing_support {

using namespace wall_distance;

/// Results of find(), on the host.
struct WallAnswers {
  std::vector<double> distance, x, y, z;
  std::vector<std::int64_t> face;
  std::vector<std::int32_t> wall;

  friend bool operator==(const WallAnswers&, const WallAnswers&) = default;
};

/// Succeeds if all results are equal; otherwise names the first point and quantity that differ.
inline testing::AssertionResult same_results(const WallAnswers& result, const WallAnswers& expected) {
  const auto compare = [](const char* name, const auto& a, const auto& b) -> testing::AssertionResult {
    if (a.size() != b.size()) return testing::AssertionFailure() << a.size() << " points, expected " << b.size();
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(a[i] == b[i]))
        return testing::AssertionFailure() << name << " of point " << i << " is " << testing::PrintToString(a[i])
                                           << ", expected " << testing::PrintToString(b[i]);
    return testing::AssertionSuccess();
  };
  for (const testing::AssertionResult& compared :
       {compare("distance", result.distance, expected.distance), compare("face", result.face, expected.face),
        compare("wall", result.wall, expected.wall), compare("x", result.x, expected.x),
        compare("y", result.y, expected.y), compare("z", result.z, expected.z)})
    if (!compared) return compared;
  return testing::AssertionSuccess();
}

/// @throws Error  the errors of Queue::wait()
inline WallAnswers answers(const Queue& queue, WallDistance& walls, const WallCase& about) {
  const std::int64_t n = about.point_count();
  const Array<double> x = to_device(queue, about.x), y = to_device(queue, about.y), z = to_device(queue, about.z);
  Array<double> distance(queue, n), at_x(queue, n), at_y(queue, n), at_z(queue, n);
  Array<std::int64_t> face(queue, n);
  Array<std::int32_t> wall(queue, n);
  const WallDistanceOutputs out{distance, face, wall, at_x, at_y, at_z};
  if (about.mesh.dimensions == 3)
    walls.find(x, y, z, out);
  else
    walls.find(x, y, out);
  queue.wait();
  return {to_host(queue, distance), to_host(queue, at_x), to_host(queue, at_y),
          to_host(queue, at_z),     to_host(queue, face), to_host(queue, wall)};
}

inline WallAnswers answers(const Queue& queue, const WallCase& about, const WallDistanceOptions& options = {}) {
  WallDistance walls(queue, about.mesh, options);
  return answers(queue, walls, about);
}

inline WallAnswers serial(const WallCase& about, WallDistanceOptions options = {}) {
  options.method = "serial";
  return answers(Queue::cpu(1), about, options);
}

/// Every `stride`-th point.
inline WallCase thinned(WallCase points, std::size_t stride) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.x.size(); i += stride, ++kept) {
    points.x[kept] = points.x[i];
    points.y[kept] = points.y[i];
    if (!points.z.empty()) points.z[kept] = points.z[i];
  }
  points.x.resize(kept);
  points.y.resize(kept);
  if (!points.z.empty()) points.z.resize(kept);
  return points;
}

inline WallCase moved_by(WallCase points, double offset) {
  for (auto* coordinates : {&points.mesh.x, &points.mesh.y, &points.mesh.z, &points.x, &points.y, &points.z})
    for (double& coordinate : *coordinates) coordinate += offset;
  return points;
}

/// All lengths times a number; a power of two is exact.
inline WallCase scaled_by(WallCase points, double scale) {
  for (auto* coordinates : {&points.mesh.x, &points.mesh.y, &points.mesh.z, &points.x, &points.y, &points.z})
    for (double& coordinate : *coordinates) coordinate *= scale;
  return points;
}

/// A mesh with random points in the cube (square) from −half_edge to half_edge.
inline WallCase with_points_within(WallMesh mesh, std::int64_t count, double half_edge) {
  WallCase about{std::move(mesh)};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> pick(-half_edge, half_edge);
  for (std::int64_t i = 0; i < count; ++i) {
    about.x.push_back(pick(random));
    about.y.push_back(pick(random));
    if (about.mesh.dimensions == 3) about.z.push_back(pick(random));
  }
  return about;
}

/// Faces that no mesh should contain: slivers, points, segments, duplicates, and polygons that are not planar.
inline WallMesh bad_faces() {
  WallMesh mesh;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> pick(-1, 1);
  const std::int32_t wall = mesh.add_wall("bad");
  for (int i = 0; i < 40; ++i) mesh.add_point(pick(random), pick(random), pick(random));
  const std::int64_t twin = mesh.add_point(mesh.x[0], mesh.y[0], mesh.z[0]);
  const std::int64_t close = mesh.add_point(mesh.x[1] + 1e-9, mesh.y[1], mesh.z[1]);
  const std::int64_t between =
      mesh.add_point((mesh.x[2] + mesh.x[3]) / 2, (mesh.y[2] + mesh.y[3]) / 2, (mesh.z[2] + mesh.z[3]) / 2);
  for (const auto& corners : std::vector<std::vector<std::int64_t>>{{0, 1, 2},
                                                                    {2, twin, 1},
                                                                    {0, 1, close},
                                                                    {2, 3, between},
                                                                    {4, 4, 4},
                                                                    {5, 6, 6},
                                                                    {7, 8, 9, 10},
                                                                    {9, 10, 7, 8},
                                                                    {11, 12, 13, 14, 15},
                                                                    {16, 16, 17, 17}})
    mesh.add_face(corners, wall);
  for (std::int64_t i = 18; i + 2 < 40; ++i) mesh.add_face({i, i + 1, i + 2}, wall);
  return mesh;
}

struct NamedCase {
  std::string name;
  WallCase about;
};

/// Cases that are small enough for `serial`.
inline std::vector<NamedCase> every_case() {
  const WallCase layers = boundary_layer_case(dented_sphere(30), {.layers = 40, .first_height = 1e-5, .growth = 1.25});
  return {{"circle", thinned(circle_case(200, 50), 3)},
          {"airfoil", thinned(naca0012_case(129, 33), 2)},
          {"airfoil a million meters away", moved_by(thinned(naca0012_case(129, 33), 2), 1e6)},
          {"six spheres", six_spheres_case(500, 1000)},
          {"boundary layer", thinned(layers, 13)},
          {"boundary layer a million meters away", moved_by(thinned(layers, 13), 1e6)},
          {"boundary layer from 1e-7 m",
           thinned(boundary_layer_case(dented_sphere(30), {.layers = 10, .first_height = 1e-7, .growth = 2}), 7)},
          {"far away", with_points_within(dented_sphere(20), 1000, 1e4)},
          {"of the size of an electron", scaled_by(with_points_within(dented_sphere(10), 300, 2), 1e-23)},
          {"of the size of a galaxy", scaled_by(with_points_within(dented_sphere(10), 300, 2), 1e35)},
          {"bad faces", with_points_within(bad_faces(), 3000, 2)},
          {"anywhere", with_points_within(dented_sphere(10), 5000, 5)},
          {"anywhere in the plane", with_points_within(circle_case(40, 3).mesh, 5000, 5)},
          {"no points", WallCase{dented_sphere(6)}}};
}

/// Methods that give the bits of `serial`: all but `serial_double`.
inline std::vector<MethodInfo> exact_methods() {
  std::vector<MethodInfo> exact = methods("wall_distance");
  std::erase_if(exact, [](const MethodInfo& method) { return method.name == "serial_double"; });
  return exact;
}

/// Fixture of tests that run for every method of exact_methods().
class EveryWallDistanceMethod : public MethodTest {
 protected:
  WallDistanceOptions options() const { return {.method = GetParam().name}; }
};

}  // namespace shoal::testing_support
