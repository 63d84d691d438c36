// SPDX-License-Identifier: Apache-2.0
// Two interpenetrating beams of Maxwell molecules: collisions relax their stress at half the collision frequency.
#include <shoal/collision.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

/// Distribution of two beams, in units in which density and collision frequency are 1.
std::vector<double> two_beams(const shoal::VelocityGrid& grid) {
  constexpr double speed = 1.2, temperature = 0.6;  // k T / m
  const double peak = 0.5 / std::pow(2 * 3.14159265358979 * temperature, 1.5);
  std::vector<double> f;
  for (int z = 0; z < grid.nodes; ++z)
    for (int y = 0; y < grid.nodes; ++y)
      for (int x = 0; x < grid.nodes; ++x) {
        const double across2 = std::pow(grid.velocity(1, y), 2) + std::pow(grid.velocity(2, z), 2);
        const double first2 = std::pow(grid.velocity(0, x) - speed, 2),
                     second2 = std::pow(grid.velocity(0, x) + speed, 2);
        f.push_back(peak * (std::exp(-(first2 + across2) / (2 * temperature)) +
                            std::exp(-(second2 + across2) / (2 * temperature))));
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
    for (const shoal::Warning& warning : collision.warnings(f)) std::printf("%s\n", warning.text().c_str());

    constexpr double step = 0.1, duration = 2;
    collision.require_step(f, step);
    const double deviator = collision.moments(f)[0].stress[0] - collision.moments(f)[0].temperature;
    double share = 1;  // remaining share of the stress
    for (double time = 0; time < duration - step / 2; time += step) {
      std::vector<double> middle = f;  // the midpoint rule
      collision.evaluate(f, shoal::View<double>(q));
      for (std::size_t i = 0; i < f.size(); ++i) middle[i] += step / 2 * q[i];
      collision.evaluate(middle, shoal::View<double>(q));
      for (std::size_t i = 0; i < f.size(); ++i) f[i] += step * q[i];
      queue.wait();
      const shoal::VelocityMoments now = collision.moments(f)[0];
      share = (now.stress[0] - now.density * now.temperature) / deviator;
      std::printf("t %.1f: stress %.4f, exact %.4f; entropy %.6f\n", time + step, share, std::exp(-(time + step) / 2),
                  collision.entropy(f)[0]);
    }
    return std::abs(share - std::exp(-duration / 2)) < 0.03 ? 0 : 1;
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
