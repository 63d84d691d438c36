// SPDX-License-Identifier: Apache-2.0
// CUDA graphs of sequences of launches.
#pragma once
#include <memory>
#include <vector>

#include "core/cuda/launch.cuh"

namespace shoal::sph {

/// A captured sequence of launches.
class Graph {
 public:
  /// Captures what `enqueue` puts on the queue's stream, without running it.
  template <class Enqueue>
  Graph(const Queue& queue, const Enqueue& enqueue) {
    cudaGraph_t graph = nullptr;
    SHOAL_CUDA_CHECK(cudaStreamBeginCapture(stream_of(queue), cudaStreamCaptureModeThreadLocal));
    try {
      enqueue();
    } catch (...) {
      cudaStreamEndCapture(stream_of(queue), &graph);
      if (graph) cudaGraphDestroy(graph);
      throw;
    }
    SHOAL_CUDA_CHECK(cudaStreamEndCapture(stream_of(queue), &graph));
    const cudaError_t result = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    SHOAL_CUDA_CHECK(result);
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;

  void launch(const Queue& queue) const { SHOAL_CUDA_CHECK(cudaGraphLaunch(executable_, stream_of(queue))); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

/// Graphs of 16, 8, 4, 2 and 1 steps, so that any number of steps takes few launches.
class StepGraphs {
 public:
  static constexpr std::int64_t most_steps = 16;  ///< Number of steps of the longest graph.

  template <class Enqueue>
  StepGraphs(const Queue& queue, const Enqueue& enqueue_step) {
    for (std::int64_t steps = most_steps; steps > 0; steps /= 2)
      graphs_.push_back(std::make_unique<Graph>(queue, [&] {
        for (std::int64_t step = 0; step < steps; ++step) enqueue_step();
      }));
  }

  void launch(const Queue& queue, std::int64_t steps) const {
    std::int64_t steps_of_graph = most_steps;
    for (const std::unique_ptr<Graph>& graph : graphs_) {
      for (; steps >= steps_of_graph; steps -= steps_of_graph) graph->launch(queue);
      steps_of_graph /= 2;
    }
  }

 private:
  std::vector<std::unique_ptr<Graph>> graphs_;  ///< the longest first
};

}  // namespace shoal::sph
