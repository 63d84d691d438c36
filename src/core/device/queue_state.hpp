// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/device/cuda_device.hpp"
#include "core/device/status.hpp"
#include "core/memory/memory.hpp"

namespace shoal {

/// State that the copies of a queue share.
struct Queue::State {
  Device device{};
  int threads = 1;         ///< number of CPU threads; see Queue::threads()
  void* stream = nullptr;  ///< cudaStream_t
  bool owns_stream = false;
  std::shared_ptr<void> stream_owner;  ///< owner of a stream of the caller; null: the caller keeps the stream alive
  std::string name;
  std::vector<std::weak_ptr<StatusBlock>> watched;
  std::vector<std::weak_ptr<StatusPage>> status_pages;
  void* fetch_memory = nullptr;  ///< page-locked, for values that the host fetches; null before the first one

  ~State();
};

/// Calls of the CUDA runtime without CUDA's types. Defined in core/cuda/cuda_runtime.cu, in builds with CUDA only.
namespace cuda_runtime {
int device_count() noexcept;
/// Fills name and stream (a new one when `stream` is null and `make_stream`).
void open(Queue::State& state, bool make_stream);
void close(Queue::State& state) noexcept;
/// Blocks until the work of the stream is done; meanwhile the watches of core/device/wait_watch.hpp look.
void synchronize(const Queue::State& state);
void* allocate(const Queue::State& state, std::size_t bytes);
void free(const Queue::State& state, void* pointer) noexcept;
DeviceUuid uuid(int index);
void with_device(int index, const std::function<void()>& work);
/// Free and total memory; 0 if unknown.
MemoryInfo memory_info(const Queue::State& state);
/// Page-locked host memory; null if the system has none left.
void* allocate_pinned(const Queue::State& state, std::size_t bytes);
void free_pinned(void* pointer) noexcept;
/// Makes later work of `later` wait for the present work of `earlier`.
void enqueue_wait(const Queue::State& later, const Queue::State& earlier);
/// Copies to any memory of the host, and waits. Small copies pass through page-locked memory of the queue, which is faster
/// than what the driver does.
void fetch(Queue::State& state, void* destination, const void* source, std::size_t bytes);
/// @param wait  true for copies from the host: the driver stages pageable memory until the copy has ended
void copy(const Queue::State& state, void* destination, const void* source, std::size_t bytes, bool wait);
/// Copies `count` blocks on the device, without a wait.
void copy_blocks(const Queue::State& state, void* destination, std::size_t destination_apart, const void* source,
                 std::size_t source_apart, std::size_t bytes, std::size_t count);
void fill(const Queue::State& state, void* destination, int value, std::size_t bytes);
/// "driver 13.0, runtime 13.0".
std::string versions();
/// Reason why device_count() is 0.
std::string why_none();
}  // namespace cuda_runtime

}  // namespace shoal
