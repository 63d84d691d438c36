// SPDX-License-Identifier: Apache-2.0
// Distances to a fixed and a moving box. Most points close to the fixed box keep their answers without a search: the
// bound that update() stores shows that the moving box is still too far away.
#include <shoal/wall_distance.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

/// Adds the six faces of a cube.
void add_cube(shoal::WallMesh& mesh, const char* name, const std::array<double, 3>& center, double edge) {
  const std::int64_t first = mesh.point_count();
  const std::int32_t wall = mesh.add_wall(name);
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [&](int axis) { return (corner >> axis & 1) != 0 ? edge / 2 : -edge / 2; };
    mesh.add_point(center[0] + side(0), center[1] + side(1), center[2] + side(2));
  }
  for (const auto& face :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    mesh.add_face({first + face[0], first + face[1], first + face[2], first + face[3]}, wall);
}

int main() {
  shoal::WallMesh mesh;
  add_cube(mesh, "fixed", {0, 0, 0}, 1);
  add_cube(mesh, "passing", {-3, 1.3, 0}, 1);

  std::vector<double> x, y, z;  // a boundary layer on the side of the fixed box that the other one passes
  for (int i = 0; i < 40; ++i)
    for (int k = 0; k < 40; ++k)
      for (double height = 1e-5; height < 0.1; height *= 1.25) {
        x.push_back(-0.5 + (i + 0.5) / 40);
        y.push_back(0.5 + height);
        z.push_back(-0.5 + (k + 0.5) / 40);
      }

  const shoal::Queue queue = shoal::Queue::cpu();
  const double step = 0.01;  // m
  shoal::WallDistance walls(queue, mesh, {.bodies = {{"passing body", {"passing"}}}, .motion = 5 * step});
  std::vector<double> distance(x.size());
  std::vector<std::int32_t> wall(x.size());
  for (int n = 0; n <= 600; ++n) {
    walls.move("passing body", shoal::RigidTransform::shift({n * step, 0, 0}));
    walls.update(x, y, z, {.distance = distance, .wall = wall});
    queue.wait();
    if (n % 100 == 0)
      std::printf("at x = %5.2f m: %6lld of %zu points are closest to the passing body, %6lld needed no search\n",
                  -3 + n * step, static_cast<long long>(std::count(wall.begin(), wall.end(), 1)), wall.size(),
                  static_cast<long long>(walls.reused()));
  }
}
