// SPDX-License-Identifier: Apache-2.0
// A CUDA graph captures an update of several sets and replays it on points that moved.
#include <gtest/gtest.h>
#include <shoal/neighbors/sets.hpp>

#include "core/cuda/launch.cuh"
#include "support/devices.hpp"
#include "support/distributions.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

void overwrite(const Queue& queue, DevicePoints<float>& points, const Distribution<float>& values) {
  copy(queue, View<const float>(values.x), points.x.view());
  copy(queue, View<const float>(values.y), points.y.view());
  copy(queue, View<const float>(values.z), points.z.view());
}

TEST(NeighborSetsGraph, ReplaysOnPointsThatMoved_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Queue queue = Queue::cuda(0);
  const Distribution<float> before = clustered<float>(3'000);
  const Distribution<float> after = uniform<float>(3'000);
  DevicePoints<float> fluid(queue, before);
  const DevicePoints<float> wall(queue, packed<float>(1'000));
  NeighborSets<float> sets(queue, 0.1);
  sets.add("fluid");
  sets.add("wall");
  sets.activate("fluid", "fluid");
  sets.activate("fluid", "wall");
  sets.set_points("fluid", fluid.points());
  sets.set_points("wall", wall.points());
  sets.find();

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  SHOAL_CUDA_CHECK(cudaStreamBeginCapture(stream_of(queue), cudaStreamCaptureModeThreadLocal));
  sets.update();
  SHOAL_CUDA_CHECK(cudaStreamEndCapture(stream_of(queue), &graph));
  SHOAL_CUDA_CHECK(cudaGraphInstantiate(&replay, graph, 0));
  overwrite(queue, fluid, after);
  SHOAL_CUDA_CHECK(cudaGraphLaunch(replay, stream_of(queue)));
  queue.wait();

  const Queue cpu = Queue::cpu(2);
  const Distribution<float> wall_points = packed<float>(1'000);
  for (const std::string source : {"fluid", "wall"}) {
    Neighbors<float> expected(cpu, 0.1);
    source == "fluid" ? expected.find(after.points()) : expected.find(after.points(), wall_points.points());
    const auto indices = to_host(cpu, expected.indices());
    auto graph_indices = to_host(queue, sets.list("fluid", source).indices);
    ASSERT_GE(graph_indices.size(), indices.size());
    graph_indices.resize(indices.size());
    EXPECT_EQ(graph_indices, indices) << source;
    EXPECT_EQ(to_host(queue, sets.list("fluid", source).offsets), to_host(cpu, expected.offsets())) << source;
  }
  SHOAL_CUDA_CHECK(cudaGraphExecDestroy(replay));
  SHOAL_CUDA_CHECK(cudaGraphDestroy(graph));
}

}  // namespace
}  // namespace shoal::neighbors
