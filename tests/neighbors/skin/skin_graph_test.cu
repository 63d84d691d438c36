// SPDX-License-Identifier: Apache-2.0
// A CUDA graph of an update with a skin decides on the device whether candidates are searched again.
#include <gtest/gtest.h>
#include <shoal/neighbors.hpp>

#include "support/cuda_graph.cuh"
#include "support/devices.hpp"
#include "support/distributions.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

TEST(SkinGraph, DecidesOnTheDevice_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Queue queue = Queue::cuda(0);
  const Queue cpu = Queue::cpu(2);
  Distribution<float> points = uniform<float>(20'000);
  DevicePoints<float> device(queue, points);
  Neighbors<float> neighbors(queue, 0.05, {}, {.distances = true, .skin = 0.01});
  neighbors.find(device.points());

  const CudaGraph graph(queue, [&] { neighbors.update(device.points()); });
  std::int64_t step = 0;
  std::int64_t rebuilds = 0;
  for (const float shift : {0.0f, 0.002f, 0.002f, 0.3f, 0.0f, -0.004f, -0.4f}) {
    for (std::size_t i = step++ % 3; i < points.x.size(); i += 3) points.x[i] += shift;
    device.copy_from(queue, points);
    graph.launch();
    queue.wait();
    rebuilds += shift > 0.1f || shift < -0.1f ? 1 : 0;
    EXPECT_EQ(neighbors.rebuilds(), rebuilds) << shift;

    Neighbors<float> expected(cpu, 0.05, {}, {.distances = true});
    expected.find(points.points());
    const auto entries = static_cast<std::size_t>(expected.indices().count);
    auto indices = to_host(queue, neighbors.indices());
    auto distances = to_host(queue, neighbors.distances());
    ASSERT_GE(indices.size(), entries);
    indices.resize(entries);
    distances.resize(entries);
    EXPECT_EQ(to_host(queue, neighbors.offsets()), to_host(cpu, expected.offsets())) << shift;
    EXPECT_EQ(indices, to_host(cpu, expected.indices())) << shift;
    EXPECT_EQ(distances, to_host(cpu, expected.distances())) << shift;
  }
}

}  // namespace
}  // namespace shoal::neighbors
