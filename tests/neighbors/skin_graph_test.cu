// SPDX-License-Identifier: Apache-2.0
// An update with a skin is one CUDA graph, which decides by itself whether candidates are searched again.
#include <gtest/gtest.h>
#include <shoal/neighbors.hpp>

#include "core/launch.cuh"
#include "support/devices.hpp"
#include "support/distributions.hpp"

namespace shoal {
namespace {

using namespace testing_support;

void overwrite(const Queue& queue, DevicePoints<float>& points, const Distribution<float>& by) {
  copy(queue, View<const float>(by.x), points.x.view());
  copy(queue, View<const float>(by.y), points.y.view());
  copy(queue, View<const float>(by.z), points.z.view());
}

TEST(SkinGraph, DecidesOnTheDevice_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Queue queue = Queue::cuda(0);
  const Queue cpu = Queue::cpu(2);
  Distribution<float> points = uniform<float>(20'000);
  DevicePoints<float> device(queue, points);
  Neighbors<float> neighbors(queue, 0.05, {}, {.distances = true, .skin = 0.01});
  neighbors.find(device.points());

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  SHOAL_CUDA_CHECK(cudaStreamBeginCapture(stream_of(queue), cudaStreamCaptureModeThreadLocal));
  neighbors.update(device.points());
  SHOAL_CUDA_CHECK(cudaStreamEndCapture(stream_of(queue), &graph));
  SHOAL_CUDA_CHECK(cudaGraphInstantiate(&replay, graph, 0));

  std::int64_t step = 0;
  std::int64_t rebuilds = 0;
  for (const float by : {0.0f, 0.002f, 0.002f, 0.3f, 0.0f, -0.004f, -0.4f}) {
    for (std::size_t i = step++ % 3; i < points.x.size(); i += 3) points.x[i] += by;
    overwrite(queue, device, points);
    SHOAL_CUDA_CHECK(cudaGraphLaunch(replay, stream_of(queue)));
    queue.wait();
    rebuilds += by > 0.1f || by < -0.1f ? 1 : 0;
    EXPECT_EQ(neighbors.rebuilds(), rebuilds) << by;

    Neighbors<float> expected(cpu, 0.05, {}, {.distances = true});
    expected.find(points.points());
    const auto entries = static_cast<std::size_t>(expected.indices().count);
    auto indices = to_host(queue, neighbors.indices());
    auto distances = to_host(queue, neighbors.distances());
    ASSERT_GE(indices.size(), entries);
    indices.resize(entries);
    distances.resize(entries);
    EXPECT_EQ(to_host(queue, neighbors.offsets()), to_host(cpu, expected.offsets())) << by;
    EXPECT_EQ(indices, to_host(cpu, expected.indices())) << by;
    EXPECT_EQ(distances, to_host(cpu, expected.distances())) << by;
  }
  SHOAL_CUDA_CHECK(cudaGraphExecDestroy(replay));
  SHOAL_CUDA_CHECK(cudaGraphDestroy(graph));
}

}  // namespace
}  // namespace shoal
