// SPDX-License-Identifier: Apache-2.0
#include "support/replay.hpp"

#include <memory>

#include "support/cuda_graph.cuh"

namespace shoal::benchmarks {

std::function<void()> captured(const Queue& queue, const std::function<void()>& work) {
  const auto graph = std::make_shared<const testing_support::CudaGraph>(queue, work);
  return [graph] { graph->launch(); };
}

}  // namespace shoal::benchmarks
