// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <numbers>

#include "wall_distance/walls.hpp"

namespace shoal::testing_support {

/// A closed outline with these corners, counter-clockwise.
inline WallMesh outline(const std::vector<std::array<double, 2>>& corners) {
  WallMesh mesh{.dimensions = 2};
  const auto n = static_cast<std::int64_t>(corners.size());
  for (const auto& [x, y] : corners) mesh.add_point(x, y);
  for (std::int64_t i = 0; i < n; ++i) mesh.add_face({i, (i + 1) % n}, mesh.add_wall("outline"));
  return mesh;
}

/// The faces of a box, counter-clockwise from outside, as quadrilaterals.
inline void add_box(WallMesh& mesh, const std::string& wall, const std::array<double, 3>& low,
                    const std::array<double, 3>& high) {
  const std::int64_t first = mesh.point_count();
  for (int corner = 0; corner < 8; ++corner)
    mesh.add_point(corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2]);
  for (const auto& face :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    mesh.add_face({first + face[0], first + face[1], first + face[2], first + face[3]}, mesh.add_wall(wall));
}

inline void reverse_faces(WallMesh& mesh, std::size_t from = 0) {
  for (std::size_t face = from; face < mesh.wall.size(); ++face)
    std::reverse(mesh.corners.begin() + mesh.face_start[face], mesh.corners.begin() + mesh.face_start[face + 1]);
}

inline WallMesh box(double low, double high) {
  WallMesh mesh;
  add_box(mesh, "box", {low, low, low}, {high, high, high});
  return mesh;
}

/// Returns true if a point is inside a closed surface, by the sum of the solid angles (2-D: angles) of its faces.
inline bool is_inside(const WallMesh& mesh, const std::array<double, 3>& p) {
  double sum = 0;
  for (std::size_t face = 0; face < mesh.wall.size(); ++face) {
    std::vector<std::int64_t> numbers(mesh.corners.begin() + mesh.face_start[face],
                                      mesh.corners.begin() + mesh.face_start[face + 1]);
    std::rotate(numbers.begin(), std::min_element(numbers.begin(), numbers.end()), numbers.end());
    const auto offset = [&](std::size_t k) {
      const auto i = static_cast<std::size_t>(numbers[k]);
      return std::array{mesh.x[i] - p[0], mesh.y[i] - p[1], mesh.dimensions == 3 ? mesh.z[i] - p[2] : 0};
    };
    const auto dot = [](const auto& a, const auto& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    if (mesh.dimensions == 2) {
      const auto a = offset(0), b = offset(1);
      const double orientation = numbers[0] == mesh.corners[static_cast<std::size_t>(mesh.face_start[face])] ? 1 : -1;
      sum += 2 * orientation * std::atan2(a[0] * b[1] - a[1] * b[0], dot(a, b));
      continue;
    }
    for (std::size_t k = 2; k < numbers.size(); ++k) {
      const auto a = offset(0), b = offset(k - 1), c = offset(k);
      const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
      const double volume =
          a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
      sum += 2 * std::atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
  }
  return std::abs(sum) > 2 * std::numbers::pi;  // 4 pi inside, 0 outside
}

/// A star with convex and concave corners of many angles.
inline WallMesh star() {
  std::vector<std::array<double, 2>> corners;
  for (int i = 0; i < 20; ++i) {
    const double angle = i * std::numbers::pi / 10, size = i % 2 == 0 ? 1 + 0.05 * i : 0.2 + 0.03 * i;
    corners.push_back({size * std::cos(angle), size * std::sin(angle)});
  }
  return outline(corners);
}

/// A sphere with random radii at its vertices, which are the nearest features of many points.
inline WallMesh urchin() {
  WallMesh mesh;
  add_sphere(mesh, "urchin", {0, 0, 0}, 1, 12, 6);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> pick(0.4, 1.6);
  for (std::size_t i = 0; i < mesh.x.size(); ++i) {
    const double size = pick(random);
    mesh.x[i] *= size, mesh.y[i] *= size, mesh.z[i] *= size;
  }
  return mesh;
}

/// Two boxes, one with a hole, and a pyramid whose sides are quadrilaterals with two equal corners.
inline WallMesh boxes() {
  WallMesh mesh;
  add_box(mesh, "box", {-1, -1, -1}, {0.5, 1, 1});
  add_box(mesh, "other", {0.7, -1, -1}, {1, 1, 1});
  WallMesh hole;
  add_box(hole, "hole", {-0.7, -0.5, -0.6}, {0.1, 0.5, 0.7});
  reverse_faces(hole);
  const std::int64_t first = mesh.point_count();
  for (std::size_t i = 0; i < hole.x.size(); ++i) mesh.add_point(hole.x[i], hole.y[i], hole.z[i]);
  for (std::size_t face = 0; face < hole.wall.size(); ++face) {
    std::vector<std::int64_t> corners(hole.corners.begin() + hole.face_start[face],
                                      hole.corners.begin() + hole.face_start[face + 1]);
    for (std::int64_t& corner : corners) corner += first;
    mesh.add_face(corners, mesh.add_wall("hole"));
  }
  const std::int64_t base = mesh.add_point(-1, -1, 1.2);
  mesh.add_point(1, -1, 1.2), mesh.add_point(1, 1, 1.2), mesh.add_point(-1, 1, 1.2);
  const std::int64_t tip = mesh.add_point(0.3, 0.2, 1.8);
  const std::int32_t cone = mesh.add_wall("cone");
  mesh.add_face({base + 3, base + 2, base + 1, base}, cone);
  for (std::int64_t i = 0; i < 4; ++i) mesh.add_face({base + i, base + (i + 1) % 4, tip, tip}, cone);
  return mesh;
}

struct NamedWalls {
  const char* name;
  WallMesh mesh;
};

inline std::vector<NamedWalls> closed_walls() {
  return {
      {"box", box(-1, 1)}, {"star", star()}, {"urchin", urchin()}, {"boxes", boxes()}, {"dented", dented_sphere(20)}};
}

/// Points whose distance to edges and corners of a mesh is close to the rounding error of their coordinates.
/// @param offset  distance of the mesh from the origin along each axis, m
inline WallCase points_close_to(const WallMesh& mesh, double offset) {
  return moved_by(boundary_layer_case(mesh, {.layers = 3, .first_height = 1e-9 * (1 + offset), .growth = 2}), offset);
}

/// Expects signed distances of closed walls that scale with the mesh exactly.
inline void expect_same_signs_at_any_scale(const Queue& queue, const WallDistanceOptions& options) {
  for (const auto& [name, mesh] : closed_walls()) {
    const WallCase about = with_points_within(mesh, 100, 1.9);
    const WallAnswers expected = answers(queue, about, options);
    for (const double scale : {0x1p-100, 0x1p+100})
      for (std::size_t i = 0; const double distance : answers(queue, scaled_by(about, scale), options).distance)
        ASSERT_EQ(distance, scale * expected.distance[i++]) << name;
  }
}

inline std::array<double, 3> point_of(const WallCase& about, std::size_t i) {
  return {about.x[i], about.y[i], about.mesh.dimensions == 3 ? about.z[i] : 0};
}

}  // namespace shoal::testing_support
