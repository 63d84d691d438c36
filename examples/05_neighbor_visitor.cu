// SPDX-License-Identifier: Apache-2.0
// A user-written kernel that loops over neighbors without a list: repulsion between points that are too near.
#include <shoal/neighbors.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

struct Force {
  float x, y;  ///< N/m
};

/// Springs of 100 N/m² between points nearer than `reach`.
__global__ void repel(shoal::NeighborVisitor<float> visitor, float reach, Force* force) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= visitor.count()) return;
  Force sum = {0, 0};
  visitor.visit(k, [&](std::int32_t, const shoal::Position<float>& d, float squared) {
    const float distance = std::sqrt(squared);
    if (distance == 0) return;  // coincident points have no direction
    const float pull = 100 * (reach - distance) / distance;
    sum.x += pull * d.x;
    sum.y += pull * d.y;
  });
  force[visitor.destination(k)] = sum;
}

int main() {
  if (shoal::cuda_device_count() == 0) {
    std::printf("no CUDA device: %s\n", shoal::cuda_description().c_str());
    return 77;  // skipped
  }
  const std::vector<float> x = {0.10F, 0.18F, 0.50F, 0.98F};
  const std::vector<float> y = {0.50F, 0.50F, 0.50F, 0.50F};
  const float reach = 0.15F;  // m
  const shoal::Box channel = {.dimensions = 2, .periodic = {true, false}, .lower = {0, 0}, .upper = {1, 0}};
  try {
    const shoal::Queue queue = shoal::Queue::cuda();
    const auto device_x = shoal::to_device(queue, x);
    const auto device_y = shoal::to_device(queue, y);
    shoal::Array<Force> force(queue, device_x.count());

    shoal::Neighbors<float> neighbors(queue, reach, channel);
    neighbors.prepare({device_x, device_y});  // the kernel follows on the same stream without a wait
    const shoal::NeighborVisitor<float> visitor = neighbors.visitor();
    const auto blocks = static_cast<unsigned>((visitor.count() + 127) / 128);
    repel<<<blocks, 128, 0, static_cast<cudaStream_t>(queue.stream())>>>(visitor, reach, force.data());

    const std::vector<Force> forces = shoal::to_host(queue, force);  // throws if a point is not finite
    for (std::size_t i = 0; i < forces.size(); ++i)
      std::printf("point %zu: force (%g, %g) N/m\n", i, forces[i].x, forces[i].y);
  } catch (const shoal::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
