// SPDX-License-Identifier: Apache-2.0
// CUDA graphs of sequences of launches.
#pragma once
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

/// Graphs of one step and of several.
class StepGraphs {
 public:
  static constexpr std::int64_t several = 16;

  template <class Enqueue>
  StepGraphs(const Queue& queue, const Enqueue& enqueue_step)
      : one_(queue, enqueue_step), several_(queue, [&] {
          for (int step = 0; step < several; ++step) enqueue_step();
        }) {}

  void launch(const Queue& queue, std::int64_t steps) const {
    for (; steps >= several; steps -= several) several_.launch(queue);
    for (; steps > 0; --steps) one_.launch(queue);
  }

 private:
  Graph one_;
  Graph several_;
};

}  // namespace shoal::sph
