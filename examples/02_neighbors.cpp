// SPDX-License-Identifier: Apache-2.0
// Neighbor list: all pairs of points within a radius, in a channel that is periodic along x.
#include <shoal/neighbors.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<float> x = {0.05F, 0.95F, 0.50F, 0.55F};
  const std::vector<float> y = {0.20F, 0.20F, 0.50F, 0.55F};
  const double radius = 0.15;  // m
  try {
    const shoal::Queue queue = shoal::Queue::best();
    const auto device_x = shoal::to_device(queue, x);
    const auto device_y = shoal::to_device(queue, y);

    const shoal::Box channel = {.dimensions = 2, .periodic = {true, false}, .lower = {0, 0}, .upper = {1, 0}};
    shoal::Neighbors<float> neighbors(queue, radius, channel);
    neighbors.find({device_x, device_y});
    std::printf("%s, method %s\n", queue.name().c_str(), neighbors.method().name.c_str());

    const auto offsets = shoal::to_host(queue, neighbors.offsets());
    const auto indices = shoal::to_host(queue, neighbors.indices());
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::printf("point %zu is near", i);
      for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) std::printf(" %d", indices[k]);
      std::printf("\n");
    }
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
