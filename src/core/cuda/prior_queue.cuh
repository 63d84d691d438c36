// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/cuda/launch.cuh"
#include "core/device/cuda_device.hpp"

namespace shoal {

/// A new queue on the device of a CUDA queue, whose blocks go before those of other queues that wait for room on the device.
inline Queue prior_queue(const Queue& queue) {
  std::shared_ptr<void> owner;
  with_cuda_device(queue.device().index, [&] {
    int lowest = 0, highest = 0;
    SHOAL_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    cudaStream_t stream = nullptr;
    SHOAL_CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest));
    owner = std::shared_ptr<void>(stream, [](void* owned) { cudaStreamDestroy(static_cast<cudaStream_t>(owned)); });
  });
  return Queue::cuda(queue.device().index, owner);
}

}  // namespace shoal
