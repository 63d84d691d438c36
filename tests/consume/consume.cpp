// SPDX-License-Identifier: Apache-2.0
#include <shoal/array.hpp>
#include <shoal/grid.hpp>

#include <vector>

int main() {
  const shoal::Queue queue = shoal::Queue::cpu();
  const std::vector<double> sent = {1, 2, 3};
  const shoal::Array<double> array = shoal::to_device(queue, sent);
  const shoal::Grid grid = shoal::Grid::fill(2, {0, 0, 0}, {1, 1, 0}, 0.25);
  const bool right = shoal::to_host(queue, array) == sent && grid.cell_count() == 16;
  return right ? 0 : 1;
}
