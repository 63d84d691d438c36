// SPDX-License-Identifier: Apache-2.0
#include "core/memory/pinned_array.hpp"

#include <cstdlib>

#include "core/device/queue_state.hpp"

namespace shoal {

PinnedMemory allocate_pinned(const Queue& queue, std::size_t bytes) {
  if (bytes == 0) return {nullptr, std::free};
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) {
    void* const pointer = cuda_runtime::allocate_pinned(queue.state(), bytes);
    if (pointer == nullptr) throw_out_of_memory("page-locked memory of the host", bytes, memory_info(Queue::cpu(1)));
    return {pointer, cuda_runtime::free_pinned};
  }
#endif
  return {allocate_bytes(queue, bytes), std::free};
}

void copy_to_pinned(const Queue& queue, void* destination, const void* source, std::size_t bytes) {
#ifdef SHOAL_CUDA
  if (!queue.on_cpu() && bytes > 0) return cuda_runtime::copy(queue.state(), destination, source, bytes, false);
#endif
  copy_bytes(queue, destination, {}, source, queue.device(), bytes);
}

void copy_from_pinned(const Queue& queue, void* destination, const void* source, std::size_t bytes) {
#ifdef SHOAL_CUDA
  if (!queue.on_cpu() && bytes > 0) return cuda_runtime::copy(queue.state(), destination, source, bytes, false);
#endif
  copy_bytes(queue, destination, queue.device(), source, {}, bytes);
}

}  // namespace shoal
