// SPDX-License-Identifier: Apache-2.0
// Signed distance of every cell of a Cartesian grid to a NACA 0012 airfoil, with the nearest face and point.
#include <shoal/wall_distance.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

/// Outline of a NACA 0012 of chord 1 m, counter-clockwise from the trailing edge.
shoal::WallMesh naca0012(std::int64_t faces) {
  shoal::WallMesh mesh{.dimensions = 2};
  const std::int32_t wall = mesh.add_wall("airfoil");
  for (std::int64_t i = 0; i < faces; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(faces);
    const double x = (1 + std::cos(angle)) / 2;
    const double y = 0.6 * (0.2969 * std::sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - x * 0.1036))));
    mesh.add_point(x, 2 * i < faces ? y : -y);
    mesh.add_face({i, (i + 1) % faces}, wall);
  }
  return mesh;
}

int main() {
  const shoal::WallMesh mesh = naca0012(512);  // or read a mesh: see docs/wall_distance.md
  std::vector<double> cell_x, cell_y;
  for (int j = 0; j < 200; ++j)
    for (int i = 0; i < 300; ++i) {
      cell_x.push_back(-1 + 0.01 * (i + 0.5));
      cell_y.push_back(-1 + 0.01 * (j + 0.5));
    }

  const shoal::Queue queue = shoal::Queue::cpu();
  shoal::WallDistance walls(queue, mesh, {.walls = {"airfoil"}, .signs = true});
  std::vector<double> distance(cell_x.size()), x(cell_x.size()), y(cell_x.size());
  std::vector<std::int64_t> face(cell_x.size());
  walls.find(cell_x, cell_y, {.distance = distance, .face = face, .x = x, .y = y});
  queue.wait();

  const auto inside = std::count_if(distance.begin(), distance.end(), [](double d) { return d < 0; });
  const auto deepest = static_cast<std::size_t>(std::min_element(distance.begin(), distance.end()) - distance.begin());
  std::printf("%zu cells, %lld faces: %lld cell centers are inside the airfoil\n", distance.size(),
              static_cast<long long>(walls.face_count()), static_cast<long long>(inside));
  std::printf("the deepest one is %.4f m from face %lld, at (%.5f, %.5f)\n", -distance[deepest],
              static_cast<long long>(face[deepest]), x[deepest], y[deepest]);
}
