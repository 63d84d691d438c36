// SPDX-License-Identifier: Apache-2.0
// The distance of every cell of a grid around a NACA 0012 to the airfoil, and the face and the place it is nearest to.
#include <shoal/wall_cases.hpp>
#include <shoal/wall_distance.hpp>

#include <algorithm>
#include <cstdio>

int main() {
  const shoal::WallCase grid = shoal::naca0012_case(513, 129);  // or read a mesh: see docs/wall_distance.md
  const auto cells = static_cast<std::size_t>(grid.point_count());

  const shoal::Queue queue = shoal::Queue::cpu();
  shoal::WallDistance walls(queue, grid.mesh, {.walls = {"airfoil"}});
  std::vector<double> distance(cells), x(cells), y(cells);
  std::vector<std::int64_t> face(cells);
  walls.find(grid.x, grid.y, {.distance = distance, .face = face, .x = x, .y = y});
  queue.wait();

  const auto nearest = std::min_element(distance.begin(), distance.end()) - distance.begin();
  std::printf("%zu cells, %lld faces: the lowest cell is %.3e m above face %lld, at (%.5f, %.5f)\n", cells,
              static_cast<long long>(walls.face_count()), distance[nearest], static_cast<long long>(face[nearest]),
              x[nearest], y[nearest]);
}
