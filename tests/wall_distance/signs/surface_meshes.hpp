// SPDX-License-Identifier: Apache-2.0
// Meshes with every kind of surface that signs accept or refuse.
#pragma once
#include "wall_distance/signs/closed_walls.hpp"

namespace shoal::testing_support {

struct NamedSurface {
  std::string name;
  WallMesh mesh;
  WallDistanceOptions options = {};
};

/// The faces of a mesh with their own points, like those of an STL file. Zeros have both signs.
inline WallMesh with_faces_apart(const WallMesh& joined) {
  WallMesh apart;
  for (std::size_t face = 0; face < joined.wall.size(); ++face) {
    std::vector<std::int64_t> corners;
    for (std::int64_t k = joined.face_start[face]; k < joined.face_start[face + 1]; ++k) {
      const auto i = static_cast<std::size_t>(joined.corners[static_cast<std::size_t>(k)]);
      corners.push_back(apart.add_point(joined.x[i] == 0 && k % 2 ? -0.0 : joined.x[i], joined.y[i], joined.z[i]));
    }
    apart.add_face(corners, apart.add_wall("apart"));
  }
  return apart;
}

/// A cylinder whose ends are polygons: vertices with many faces.
inline WallMesh drum(std::int64_t around) {
  WallMesh mesh;
  std::vector<std::int64_t> low, high;
  const std::int32_t wall = mesh.add_wall("drum");
  for (int height = 0; height < 2; ++height)
    for (std::int64_t i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(around);
      mesh.add_point(std::cos(angle), std::sin(angle), height);
    }
  for (std::int64_t i = 0; i < around; ++i) {
    mesh.add_face({i, (i + 1) % around, around + (i + 1) % around, around + i}, wall);
    low.push_back(around - 1 - i);
    high.push_back(around + i);
  }
  mesh.add_face(low, wall);
  mesh.add_face(high, wall);
  return mesh;
}

inline WallMesh many_boxes(int count) {
  WallMesh mesh;
  for (int i = 0; i < count; ++i)
    add_box(mesh, "box " + std::to_string(i % 3), {2.0 * i, 0, 0}, {2.0 * i + 1, 1, 1 + 0.01 * (i % 10)});
  return mesh;
}

inline WallMesh with_faces(WallMesh mesh, const std::vector<std::vector<std::int64_t>>& faces) {
  for (const std::vector<std::int64_t>& corners : faces) mesh.add_face(corners, mesh.add_wall("more"));
  return mesh;
}

inline std::vector<NamedSurface> closed_surfaces() {
  std::vector<NamedSurface> surfaces;
  for (const auto& [name, mesh] : closed_walls()) {
    surfaces.push_back({name, mesh});
    surfaces.push_back({std::string(name) + ", inwards", mesh});
    reverse_faces(surfaces.back().mesh);
  }
  std::vector<std::array<double, 2>> circle;
  for (int i = 0; i < 3000; ++i)
    circle.push_back({std::cos(i * std::numbers::pi / 1500), std::sin(i * std::numbers::pi / 1500)});
  WallMesh opposite = many_boxes(2);
  reverse_faces(opposite, 6);
  const std::vector<NamedSurface> more = {
      {"faces apart", with_faces_apart(dented_sphere(10))},
      {"two bodies", many_boxes(2), {.bodies = {{"second", {"box 1"}}}}},
      {"two bodies of opposite orientations", opposite, {.bodies = {{"second", {"box 1"}}}}},
      {"one wall of two", many_boxes(2), {.walls = {"box 1"}}},
      {"many boxes", many_boxes(100)},
      {"drum", drum(600)},
      {"circle", outline(circle)},
      {"faces without area", with_faces(box(-1, 1), {{0, 0, 0}, {0, 1, 1}, {0, 0, 2}})},
      {"segment without length", with_faces(outline({{0, 0}, {1, 0}, {1, 1}}), {{1, 1}})},
      {"of the size of an electron", scaled_by({urchin()}, 1e-23).mesh},
      {"of the size of a galaxy", scaled_by({urchin()}, 1e35).mesh}};
  surfaces.insert(surfaces.end(), more.begin(), more.end());
  return surfaces;
}

inline std::vector<NamedSurface> refused_surfaces() {
  WallMesh triangle;
  triangle.add_point(0, 0, 0), triangle.add_point(1, 0, 0), triangle.add_point(0, 1, 0);
  triangle.add_face({0, 1, 2}, triangle.add_wall("triangle"));
  WallMesh apart = box(0, 1);
  const std::int64_t away = apart.add_point(5, 5, 5);
  WallMesh opposite = many_boxes(2);
  reverse_faces(opposite, 6);
  WallMesh flipped = dented_sphere(10);
  std::reverse(flipped.corners.begin() + 21, flipped.corners.begin() + 24);
  WallMesh open = dented_sphere(10);
  open.corners.resize(open.corners.size() - 3), open.face_start.pop_back(), open.wall.pop_back();
  WallMesh line = outline({{0, 0}, {1, 0}, {1, 1}});
  line.corners.resize(4), line.face_start.pop_back(), line.wall.pop_back();
  return {{"one face", triangle},
          {"open", open},
          {"open line", line},
          {"flipped face", flipped},
          {"duplicate face", with_faces(dented_sphere(10), {{0, 1, 2}})},
          {"both sides of a face", with_faces(triangle, {{0, 2, 1}})},
          {"bad faces", bad_faces()},
          {"point away from the walls", with_faces(apart, {{away, away, away}})},
          {"segment along a diagonal", with_faces(box(0, 1), {{0, 7, 7}})},
          {"shells of opposite orientations", opposite}};
}

}  // namespace shoal::testing_support
