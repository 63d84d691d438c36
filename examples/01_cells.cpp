// SPDX-License-Identifier: Apache-2.0
// Points into cells: which points are in a cell, and their data in the order of the cells.
#include <shoal/cells.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<double> x = {0.9, 0.1, 0.6, 0.2};
  const std::vector<double> y = {0.1, 0.2, 0.7, 0.1};
  const std::vector<double> mass = {1, 2, 3, 4};
  try {
    const shoal::Queue queue = shoal::Queue::best();
    const shoal::Grid grid = shoal::Grid::fill(2, {0, 0, 0}, {1, 1, 0}, 0.5);

    // Arrays are yours, on the device of the queue; here they are copied there first.
    const auto device_x = shoal::to_device(queue, x);
    const auto device_y = shoal::to_device(queue, y);
    const auto device_mass = shoal::to_device(queue, mass);
    shoal::Array<double> sorted_mass(queue, device_mass.count());

    shoal::Cells<double> cells(queue, grid);
    cells.bin(device_x, device_y);
    cells.reorder(device_mass, sorted_mass);
    queue.wait();  // throws if a point was outside the grid

    const auto start = shoal::to_host(queue, cells.cell_start());
    const auto order = shoal::to_host(queue, cells.order());
    const auto sorted = shoal::to_host(queue, sorted_mass);
    for (std::int64_t cell = 0; cell < grid.cell_count(); ++cell)
      for (std::int64_t k = start[cell]; k < start[cell + 1]; ++k)
        std::printf("cell %lld: point %d, mass %g kg\n", static_cast<long long>(cell), order[k], sorted[k]);
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
