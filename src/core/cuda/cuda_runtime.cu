// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <vector>

#include "core/cuda/cuda_check.hpp"
#include "core/device/queue_state.hpp"
#include "core/device/wait_watch.hpp"

namespace shoal::cuda_runtime {

namespace {

/// Selects a device for the calls of one scope and restores the thread's previous device.
class DeviceScope {
 public:
  explicit DeviceScope(int index) {
    SHOAL_CUDA_CHECK(cudaGetDevice(&before_));
    if (index != before_) SHOAL_CUDA_CHECK(cudaSetDevice(index));
  }
  ~DeviceScope() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

cudaStream_t stream_of(const Queue::State& state) { return static_cast<cudaStream_t>(state.stream); }

/// Makes the pool retain its memory, so that later allocations of plans need no call of the driver.
void keep_pool_memory(int index) {
  cudaMemPool_t pool = nullptr;
  SHOAL_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, index));
  std::uint64_t threshold = UINT64_MAX;
  SHOAL_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
}

/// Blocks of page-locked memory that no queue uses. They stay allocated, since their allocation is slow.
class FetchBlocks {
 public:
  static constexpr std::size_t bytes = 4096;

  void* take() {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      void* const block = free_.back();
      free_.pop_back();
      return block;
    }
    void* block = nullptr;
    if (cudaHostAlloc(&block, bytes, cudaHostAllocPortable) == cudaSuccess) return block;
    cudaGetLastError();
    return nullptr;
  }
  void give_back(void* block) {
    const std::lock_guard lock(mutex_);
    free_.push_back(block);
  }

  static FetchBlocks& of_process() {
    static auto* const blocks = new FetchBlocks;  // queues may end after static objects
    return *blocks;
  }

 private:
  std::mutex mutex_;
  std::vector<void*> free_;
};

/// Looks at the watches, every millisecond, while the stream has work.
void poll_until_done(cudaStream_t stream) {
  const auto start = std::chrono::steady_clock::now();
  for (double next_look = 1e-3;;) {
    const cudaError_t state = cudaStreamQuery(stream);
    if (state != cudaErrorNotReady) return SHOAL_CUDA_CHECK(state);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds < next_look) continue;
    look_while_waiting(seconds);
    next_look = seconds + 1e-3;
  }
}

}  // namespace

int device_count() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

std::string why_none() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (result == cudaErrorInsufficientDriver)
    return text("the driver is too old or absent (", versions(), "); install a driver for CUDA ", CUDART_VERSION / 1000,
                " or newer");
  return result == cudaSuccess ? std::string("the driver reports no device") : cudaGetErrorString(result);
}

std::string versions() {
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  const auto dotted = [](int version) { return text(version / 1000, ".", version % 1000 / 10); };
  return text("driver ", driver ? dotted(driver) : "none", ", runtime ", dotted(runtime));
}

void open(Queue::State& state, bool make_stream) {
  SHOAL_CUDA_CHECK(cudaSetDevice(state.device.index));
  cudaDeviceProp properties{};
  SHOAL_CUDA_CHECK(cudaGetDeviceProperties(&properties, state.device.index));
  state.name = text(to_string(state.device), " ", properties.name);
  keep_pool_memory(state.device.index);
  if (!make_stream) return;
  cudaStream_t stream = nullptr;
  SHOAL_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  state.stream = stream;
  state.owns_stream = true;
}

void close(Queue::State& state) noexcept {
  if (state.fetch_memory != nullptr) FetchBlocks::of_process().give_back(state.fetch_memory);
  if (state.owns_stream) cudaStreamDestroy(stream_of(state));
}

void synchronize(const Queue::State& state) {
  if (has_wait_watch()) return poll_until_done(stream_of(state));
  SHOAL_CUDA_CHECK(cudaStreamSynchronize(stream_of(state)));
}

DeviceUuid uuid(int index) {
  cudaDeviceProp properties{};
  SHOAL_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  DeviceUuid uuid{};
  static_assert(sizeof properties.uuid.bytes == sizeof uuid);
  std::memcpy(uuid.data(), properties.uuid.bytes, sizeof uuid);
  return uuid;
}

void with_device(int index, const std::function<void()>& work) {
  const DeviceScope scope(index);
  work();
}

void* allocate(const Queue::State& state, std::size_t bytes) {
  const DeviceScope scope(state.device.index);
  void* pointer = nullptr;
  const cudaError_t result = cudaMallocAsync(&pointer, bytes, stream_of(state));
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw_out_of_memory(state.name, bytes, memory_info(state));
  }
  SHOAL_CUDA_CHECK(result);
  return pointer;
}

MemoryInfo memory_info(const Queue::State& state) {
  const DeviceScope scope(state.device.index);
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  cudaMemPool_t pool = nullptr;
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  if (cudaDeviceGetDefaultMemPool(&pool, state.device.index) != cudaSuccess ||
      cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved) != cudaSuccess ||
      cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) != cudaSuccess) {
    cudaGetLastError();
    return {free, total};
  }
  return {free + (reserved - used), total};
}

void* allocate_pinned(const Queue::State& state, std::size_t bytes) {
  const DeviceScope scope(state.device.index);
  void* pointer = nullptr;
  const cudaError_t result = cudaHostAlloc(&pointer, bytes, cudaHostAllocPortable);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  SHOAL_CUDA_CHECK(result);
  return pointer;
}

void free_pinned(void* pointer) noexcept { cudaFreeHost(pointer); }

void enqueue_wait(const Queue::State& later, const Queue::State& earlier) {
  const DeviceScope scope(earlier.device.index);
  cudaEvent_t event = nullptr;
  SHOAL_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const cudaError_t recorded = cudaEventRecord(event, stream_of(earlier));
  const cudaError_t waits = recorded == cudaSuccess ? cudaStreamWaitEvent(stream_of(later), event, 0) : recorded;
  cudaEventDestroy(event);  // CUDA frees it when the wait has ended
  SHOAL_CUDA_CHECK(waits);
}

void free(const Queue::State& state, void* pointer) noexcept { cudaFreeAsync(pointer, stream_of(state)); }

void copy(const Queue::State& state, void* destination, const void* source, std::size_t bytes, bool wait) {
  SHOAL_CUDA_CHECK(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, stream_of(state)));
  if (wait) synchronize(state);
}

void fetch(Queue::State& state, void* destination, const void* source, std::size_t bytes) {
  const bool is_small = bytes <= FetchBlocks::bytes;
  if (is_small && state.fetch_memory == nullptr) state.fetch_memory = FetchBlocks::of_process().take();
  if (!is_small || state.fetch_memory == nullptr) return copy(state, destination, source, bytes, true);
  copy(state, state.fetch_memory, source, bytes, true);
  std::memcpy(destination, state.fetch_memory, bytes);
}

void copy_blocks(const Queue::State& state, void* destination, std::size_t destination_apart, const void* source,
                 std::size_t source_apart, std::size_t bytes, std::size_t count) {
  SHOAL_CUDA_CHECK(cudaMemcpy2DAsync(destination, destination_apart, source, source_apart, bytes, count,
                                     cudaMemcpyDefault, stream_of(state)));
}

void fill(const Queue::State& state, void* destination, int value, std::size_t bytes) {
  SHOAL_CUDA_CHECK(cudaMemsetAsync(destination, value, bytes, stream_of(state)));
}

}  // namespace shoal::cuda_runtime
