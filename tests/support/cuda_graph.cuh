// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"

namespace shoal::testing_support {

/// A CUDA graph of the work that a call enqueues. The call must neither wait nor allocate.
class CudaGraph {
 public:
  template <class Work>
  CudaGraph(const Queue& queue, Work&& work) : queue_(queue) {
    SHOAL_CUDA_CHECK(cudaStreamBeginCapture(stream_of(queue_), cudaStreamCaptureModeThreadLocal));
    work();
    cudaGraph_t graph = nullptr;
    SHOAL_CUDA_CHECK(cudaStreamEndCapture(stream_of(queue_), &graph));
    SHOAL_CUDA_CHECK(cudaGraphInstantiate(&replay_, graph, 0));
    SHOAL_CUDA_CHECK(cudaGraphDestroy(graph));
  }
  ~CudaGraph() { cudaGraphExecDestroy(replay_); }
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  void launch() const { SHOAL_CUDA_CHECK(cudaGraphLaunch(replay_, stream_of(queue_))); }

 private:
  Queue queue_;
  cudaGraphExec_t replay_ = nullptr;
};

}  // namespace shoal::testing_support
