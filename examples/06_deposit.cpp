// SPDX-License-Identifier: Apache-2.0
// Particle mass to the nodes of a grid, and a node field back to the particles: a channel that is periodic along x.
#include <shoal/deposit.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<double> x = {0.05, 0.95, 0.50, 0.55};  // m
  const std::vector<double> y = {0.20, 0.20, 0.50, 0.95};  // m
  const std::vector<double> mass = {1, 2, 3, 4};           // kg
  try {
    const shoal::Queue queue = shoal::Queue::best();
    const auto device_x = shoal::to_device(queue, x);
    const auto device_y = shoal::to_device(queue, y);
    const auto device_mass = shoal::to_device(queue, mass);

    const shoal::DepositGrid grid = shoal::Grid::fill(2, {0, 0}, {1, 1}, 0.25, {true, false});
    shoal::Deposit<double> deposit(queue, grid);
    deposit.bin(device_x, device_y);

    shoal::Array<double> node_mass(queue, grid.node_count());
    deposit.to_nodes(device_mass, node_mass);
    shoal::Array<double> mass_around(queue, device_mass.count());
    deposit.interpolate(node_mass, mass_around);

    double total = 0;
    for (const double kg : shoal::to_host(queue, node_mass)) total += kg;  // to_host() waits
    std::printf("%s, method %s: %g kg at the nodes\n", queue.name().c_str(), deposit.method().name.c_str(), total);
    const auto around = shoal::to_host(queue, mass_around);
    for (std::size_t i = 0; i < around.size(); ++i) std::printf("around particle %zu: %g kg\n", i, around[i]);
    return total > 9.999 && total < 10.001 ? 0 : 1;
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
