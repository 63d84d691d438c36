// SPDX-License-Identifier: Apache-2.0
// A column of water collapses: build a case in code, step it, look at the fields.
#include <shoal/sph.hpp>

#include <algorithm>
#include <cstdio>

int main() {
  shoal::sph::Case dam;
  dam.title = "Dam break";
  dam.spacing = 0.05;  // m
  dam.materials = {{.name = "water", .density = 1000, .sound_speed = 50}};
  dam.bodies = {{.material = "water", .box = {.from = {0, 0}, .to = {2, 1}}}};
  dam.walls = {{.name = "tank", .box = {.from = {0, 0}, .to = {5.4, 1.6}}, .open = {shoal::sph::Side::top}}};
  dam.scheme.gravity = {0, -9.81};  // m/s²

  try {
    const shoal::Queue queue = shoal::Queue::best();
    shoal::sph::Solver solver(queue, dam);
    std::printf("%s, method %s\n", queue.name().c_str(), solver.method().name.c_str());

    for (const double time : {0.1, 0.2, 0.3, 0.4}) {
      solver.advance_to(time);
      const shoal::sph::Fields fields = solver.fields();
      double front = 0;
      for (std::size_t i = 0; i < fields.id.size(); ++i)
        if (!fields.wall[i]) front = std::max(front, fields.position[3 * i]);
      std::printf("t = %.1f s  step %5lld  front at x = %.3f m\n", time, static_cast<long long>(fields.clock.step),
                  front);
    }
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
