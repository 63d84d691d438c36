// SPDX-License-Identifier: Apache-2.0
// Sums over neighbors without a list: a user-written loop on the CPU, and sum() on the best device.
#include <shoal/neighbors.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

/// Lattice of 20 × 20 points in the unit square.
void fill_square(std::vector<double>& x, std::vector<double>& y) {
  for (int i = 0; i < 400; ++i) {
    x.push_back((i % 20 + 0.5) / 20);
    y.push_back((i / 20 + 0.5) / 20);
  }
}

int main() {
  std::vector<double> x;
  std::vector<double> y;
  fill_square(x, y);
  const std::vector<double> mass(x.size(), 1.0 / static_cast<double>(x.size()));  // kg/m
  const double radius = 0.13;                                                     // m
  const double pi = 3.14159265358979;
  const shoal::Box square = {.dimensions = 2, .periodic = {true, true}, .lower = {0, 0}, .upper = {1, 1}};
  try {
    // A user-written loop: density with the kernel 3 (1 − d²/r²)² / (π r²).
    const shoal::Queue cpu = shoal::Queue::cpu();
    shoal::Neighbors<double> on_cpu(cpu, radius, square, {.include_self = true});
    on_cpu.prepare({x, y});
    cpu.wait();  // throws if a point is not finite or far outside the box
    const shoal::NeighborVisitor<double> visitor = on_cpu.visitor();
    std::vector<double> density(x.size());
    for (std::int64_t k = 0; k < visitor.count(); ++k) {
      double sum = 0;
      visitor.visit(k, [&](std::int32_t j, const shoal::Position<double>&, double squared) {
        sum += mass[static_cast<std::size_t>(j)] * std::pow(1 - squared / (radius * radius), 2);
      });
      density[static_cast<std::size_t>(visitor.destination(k))] = 3 / (pi * radius * radius) * sum;
    }
    std::printf("density of point 210: %.4f kg/m2, expected about 1\n", density[210]);

    // Sum of the masses of the neighbors, on the best available device.
    const shoal::Queue best = shoal::Queue::best();
    const auto device_x = shoal::to_device(best, x);
    const auto device_y = shoal::to_device(best, y);
    const auto device_mass = shoal::to_device(best, mass);
    shoal::Array<double> sums(best, device_mass.count());
    shoal::Neighbors<double> on_best(best, radius, square, {.include_self = true});
    on_best.prepare({device_x, device_y});
    on_best.sum(device_mass, sums);
    std::printf("mass near point 210, on %s: %.4f kg/m\n", best.name().c_str(), shoal::to_host(best, sums)[210]);
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
