// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/device/status.hpp"
#include "core/memory/memory.hpp"

namespace shoal {

/// What a queue's copies share.
struct Queue::State {
  Device device{};
  int threads = 1;
  void* stream = nullptr;  ///< cudaStream_t
  bool owns_stream = false;
  std::shared_ptr<void> stream_owner;  ///< who else does; null: the caller sees to it
  std::string name;
  std::vector<std::weak_ptr<StatusBlock>> watched;

  ~State();
};

/// Work on a CUDA device, without CUDA's types. Defined in core/cuda_runtime.cu in a build with CUDA only.
namespace cuda_runtime {
int device_count() noexcept;
/// Fills name and stream (a new one when `stream` is null and `make_stream`).
void open(Queue::State& state, bool make_stream);
void close(Queue::State& state) noexcept;
void synchronize(const Queue::State& state);
void* allocate(const Queue::State& state, std::size_t bytes);
void free(const Queue::State& state, void* pointer) noexcept;
/// What is not known stays 0.
MemoryInfo memory_info(const Queue::State& state);
/// Page-locked host memory; null if the system has none left.
void* allocate_pinned(const Queue::State& state, std::size_t bytes);
void free_pinned(void* pointer) noexcept;
/// Work of `later` from now on starts when the present work of `earlier` has ended.
void enqueue_wait(const Queue::State& later, const Queue::State& earlier);
/// `wait` for copies that touch the host: pageable memory is staged by the driver, and only waiting frees it for reuse.
void copy(const Queue::State& state, void* to, const void* from, std::size_t bytes, bool wait);
void fill(const Queue::State& state, void* to, int value, std::size_t bytes);
/// "driver 13.0, runtime 13.0".
std::string versions();
/// Why device_count() is 0, in words.
std::string why_none();
}  // namespace cuda_runtime

}  // namespace shoal
