// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <shoal/wall_cases.hpp>
#include <shoal/wall_distance.hpp>

#include <cmath>
#include <random>

#include "support/dented_sphere.hpp"
#include "support/devices.hpp"
#include "support/messages.hpp"

namespace shoal::testing_support {

/// All that find() can tell, on the host.
struct WallAnswers {
  std::vector<double> distance, x, y, z;
  std::vector<std::int64_t> face;
  std::vector<std::int32_t> wall;

  friend bool operator==(const WallAnswers&, const WallAnswers&) = default;
};

/// Throws what wait() throws.
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
inline WallCase thinned(WallCase from, std::size_t stride) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < from.x.size(); i += stride, ++kept) {
    from.x[kept] = from.x[i];
    from.y[kept] = from.y[i];
    if (!from.z.empty()) from.z[kept] = from.z[i];
  }
  from.x.resize(kept);
  from.y.resize(kept);
  if (!from.z.empty()) from.z.resize(kept);
  return from;
}

inline WallCase moved_by(WallCase from, double offset) {
  for (auto* coordinates : {&from.mesh.x, &from.mesh.y, &from.mesh.z, &from.x, &from.y, &from.z})
    for (double& coordinate : *coordinates) coordinate += offset;
  return from;
}

/// All lengths times a number; a power of two is exact.
inline WallCase scaled_by(WallCase from, double scale) {
  for (auto* coordinates : {&from.mesh.x, &from.mesh.y, &from.mesh.z, &from.x, &from.y, &from.z})
    for (double& coordinate : *coordinates) coordinate *= scale;
  return from;
}

inline WallCase with_points_within(WallMesh mesh, std::int64_t count, double reach) {
  WallCase about{std::move(mesh)};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> pick(-reach, reach);
  for (std::int64_t i = 0; i < count; ++i) {
    about.x.push_back(pick(random));
    about.y.push_back(pick(random));
    if (about.mesh.dimensions == 3) about.z.push_back(pick(random));
  }
  return about;
}

/// Triangles that no mesh should have: slivers, points, segments, duplicates, quadrilaterals and polygons that are not
/// flat.
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

/// Small enough for `serial`.
inline std::vector<NamedCase> every_case() {
  const WallCase columns = columns_case(dented_sphere(30), 40, 1e-5, 1.25);
  return {{"circle", thinned(circle_case(200, 50), 3)},
          {"airfoil", thinned(naca0012_case(129, 33), 2)},
          {"airfoil a million away", moved_by(thinned(naca0012_case(129, 33), 2), 1e6)},
          {"six spheres", six_spheres_case(500, 1000)},
          {"columns", thinned(columns, 13)},
          {"columns a million away", moved_by(thinned(columns, 13), 1e6)},
          {"columns from 1e-7", thinned(columns_case(dented_sphere(30), 10, 1e-7, 2), 7)},
          {"far away", with_points_within(dented_sphere(20), 1000, 1e4)},
          {"of the size of an electron", scaled_by(with_points_within(dented_sphere(10), 300, 2), 1e-23)},
          {"of the size of a galaxy", scaled_by(with_points_within(dented_sphere(10), 300, 2), 1e35)},
          {"bad faces", with_points_within(bad_faces(), 3000, 2)},
          {"anywhere", with_points_within(dented_sphere(10), 5000, 5)},
          {"anywhere in the plane", with_points_within(circle_case(40, 3).mesh, 5000, 5)},
          {"no points", WallCase{dented_sphere(6)}}};
}

/// One test body for each row of the method table.
class EveryWallDistanceMethod : public testing::TestWithParam<MethodInfo> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam().device); }
  Queue queue() const { return queue_on(GetParam().device); }
  WallDistanceOptions options() const { return {.method = GetParam().name}; }
};

#define SHOAL_EVERY_WALL_DISTANCE_METHOD(Suite)                                      \
  INSTANTIATE_TEST_SUITE_P(Rows, Suite, testing::ValuesIn(methods("wall_distance")), \
                           [](const auto& row) { return row.param.name + "_" + device_word(row.param.device); })

}  // namespace shoal::testing_support
