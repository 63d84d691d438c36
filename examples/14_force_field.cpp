// SPDX-License-Identifier: Apache-2.0
// A force field of the program's own: a spring pulls a block of water to a point. On the CPU, where arrays are host memory;
// on CUDA the loop is a kernel on particles.queue().
#include <shoal/sph.hpp>

#include <cstdio>
#include <vector>

int main() {
  shoal::sph::Case block;
  block.spacing = 0.02;  // m
  block.materials = {{.name = "water", .density = 1000, .sound_speed = 20}};
  block.bodies = {{.material = "water", .box = {.from = {0, 0}, .to = {0.4, 0.2}}}};
  block.domain = shoal::sph::Box{{-1, -1}, {1, 1}};

  try {
    shoal::sph::Solver solver(shoal::Queue::cpu(), block);
    std::vector<double> ax, ay;  // m/s²
    solver.on_step([&](shoal::sph::Particles& particles) {
      const shoal::Array<double> position = particles.position();
      ax.resize(static_cast<std::size_t>(particles.count()));
      ay.resize(ax.size());
      for (std::size_t i = 0; i < ax.size(); ++i) {
        ax[i] = -100 * (position.data()[2 * i] - 0.2);
        ay[i] = -100 * (position.data()[2 * i + 1] - 0.1);
      }
      particles.set(shoal::sph::Quantity::acceleration, {ax, ay});
      return true;
    });
    for (const double time : {0.05, 0.1, 0.15, 0.2}) {
      solver.advance_to(time);
      std::printf("t = %.2f s  kinetic energy %.3f J\n", time, solver.balance().kinetic);
    }
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
