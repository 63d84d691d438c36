// SPDX-License-Identifier: Apache-2.0
// Two beams of Maxwell molecules through each other: collisions turn their stress into heat, at half the collision
// rate.
#include <shoal/collision.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

/// In units of the gas: density 1, collision frequency 1.
std::vector<double> two_beams(const shoal::VelocityGrid& grid) {
  constexpr double speed = 1.2, temperature = 0.6;  // k T / m
  const double peak = 0.5 / std::pow(2 * 3.14159265358979 * temperature, 1.5);
  std::vector<double> f;
  for (int z = 0; z < grid.nodes; ++z)
    for (int y = 0; y < grid.nodes; ++y)
      for (int x = 0; x < grid.nodes; ++x) {
        const double across2 = std::pow(grid.at(1, y), 2) + std::pow(grid.at(2, z), 2);
        const double one = std::pow(grid.at(0, x) - speed, 2), other = std::pow(grid.at(0, x) + speed, 2);
        f.push_back(
            peak * (std::exp(-(one + across2) / (2 * temperature)) + std::exp(-(other + across2) / (2 * temperature))));
      }
  return f;
}

}  // namespace

int main() {
  try {
    const shoal::Queue queue = shoal::Queue::cpu();
    const shoal::VelocityGrid grid{.nodes = 16, .half_width = 5.5};
    // A stencil without negative weights, so that f stays positive.
    shoal::Collision<double> collision(queue, grid, {.rate = 1}, {.stencil = shoal::CollisionStencil::two_pair});
    std::vector<double> f = two_beams(grid), q(f.size());
    for (const std::string& warning : collision.warnings(f)) std::printf("%s\n", warning.c_str());

    constexpr double step = 0.1, duration = 2;
    collision.require_step(f, step);
    const double deviator = collision.moments(f)[0].stress[0] - collision.moments(f)[0].temperature;
    double left = 1;
    for (double time = 0; time < duration - step / 2; time += step) {
      std::vector<double> middle = f;  // the midpoint rule
      collision.evaluate(f, shoal::View<double>(q));
      for (std::size_t i = 0; i < f.size(); ++i) middle[i] += step / 2 * q[i];
      collision.evaluate(middle, shoal::View<double>(q));
      for (std::size_t i = 0; i < f.size(); ++i) f[i] += step * q[i];
      queue.wait();
      const shoal::VelocityMoments now = collision.moments(f)[0];
      left = (now.stress[0] - now.density * now.temperature) / deviator;
      std::printf("t %.1f: stress %.4f, exact %.4f; entropy %.6f\n", time + step, left, std::exp(-(time + step) / 2),
                  collision.entropy(f)[0]);
    }
    return std::abs(left - std::exp(-duration / 2)) < 0.03 ? 0 : 1;
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
