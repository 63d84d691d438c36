// SPDX-License-Identifier: Apache-2.0
// A sphere passes another one. Cells close to the one that stands still keep their answers without a search: what was
// left out the last time is proven to be too far still.
#include <shoal/wall_cases.hpp>
#include <shoal/wall_distance.hpp>

#include <algorithm>
#include <cstdio>

int main() {
  shoal::WallMesh fixed;
  add_sphere(fixed, "fixed", {0, 0, 0}, 0.5, 64, 32);
  shoal::WallCase cells = columns_case(fixed, 40, 1e-5, 1.25);  // a boundary layer
  add_sphere(cells.mesh, "passing", {-3, 1.1, 0}, 0.5, 64, 32);

  const shoal::Queue queue = shoal::Queue::cpu();
  const double step = 0.01;  // m
  shoal::WallDistance walls(queue, cells.mesh, {.bodies = {{"passing body", {"passing"}}}, .motion = 5 * step});
  std::vector<double> distance(cells.x.size());
  std::vector<std::int32_t> wall(cells.x.size());
  for (int n = 0; n <= 600; ++n) {
    walls.move("passing body", shoal::RigidTransform::shift({n * step, 0, 0}));
    walls.update(cells.x, cells.y, cells.z, {.distance = distance, .wall = wall});
    queue.wait();
    if (n % 100 == 0)
      std::printf("at x = %5.2f m: %6lld of %zu cells are closest to the passing body, %6lld needed no search\n",
                  -3 + n * step, static_cast<long long>(std::count(wall.begin(), wall.end(), 1)), wall.size(),
                  static_cast<long long>(walls.reused()));
  }
}
