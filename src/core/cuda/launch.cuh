// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "core/cuda/cuda_check.hpp"

namespace shoal {

inline cudaStream_t stream_of(const Queue& queue) { return static_cast<cudaStream_t>(queue.stream()); }

/// Number of multiprocessors of the queue's device.
inline int multiprocessors(const Queue& queue) {
  int count = 0;
  SHOAL_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, queue.device().index));
  return count;
}

/// Number of blocks of `threads` that cover n items with one thread per item.
inline unsigned blocks_for(std::int64_t n, int threads) {
  const std::int64_t blocks = (n + threads - 1) / threads;
  require(blocks <= 0x7fffffff, "cuda: ", n, " items, more than one launch covers. Split the problem.");
  return static_cast<unsigned>(std::max<std::int64_t>(blocks, 1));
}

/// Index of the item of this thread.
__device__ __forceinline__ std::int64_t thread_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/// Lets a kernel have dynamic shared memory.
template <class... Parameters>
void allow_shared_memory(void (*kernel)(Parameters...), std::size_t bytes) {
  constexpr std::size_t granted = 40 << 10;  // every kernel has it, besides 8 KiB for static shared memory
  if (bytes > granted)
    SHOAL_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

/// Runs `kernel` with at least n threads on the queue's stream; the kernel itself checks thread_index() < n.
/// @param shared_bytes  dynamic shared memory of a block
template <int threads = 256, class... Parameters, class... Arguments>
void launch_with(const Queue& queue, std::int64_t n, std::size_t shared_bytes, void (*kernel)(Parameters...),
                 Arguments&&... arguments) {
  if (n == 0) return;
  allow_shared_memory(kernel, shared_bytes);
  kernel<<<blocks_for(n, threads), threads, shared_bytes, stream_of(queue)>>>(static_cast<Parameters>(arguments)...);
  SHOAL_CUDA_CHECK(cudaGetLastError());
}

/// Runs `kernel` with at least n threads for each of several cells; blockIdx.y is the number of a cell.
template <int threads = 256, class... Parameters, class... Arguments>
void launch_cells(const Queue& queue, std::int64_t n, std::int64_t cells, void (*kernel)(Parameters...),
                  Arguments&&... arguments) {
  if (n == 0 || cells == 0) return;
  require(cells <= 0xffff, "cuda: ", cells, " cells, more than one launch covers. Split the problem.");
  const dim3 blocks(blocks_for(n, threads), static_cast<unsigned>(cells));
  kernel<<<blocks, threads, 0, stream_of(queue)>>>(static_cast<Parameters>(arguments)...);
  SHOAL_CUDA_CHECK(cudaGetLastError());
}

/// Runs `kernel` without dynamic shared memory.
template <int threads = 256, class... Parameters, class... Arguments>
void launch(const Queue& queue, std::int64_t n, void (*kernel)(Parameters...), Arguments&&... arguments) {
  launch_with<threads>(queue, n, 0, kernel, std::forward<Arguments>(arguments)...);
}

/// First call of a kernel of launch_chained(); when it returns, all previous kernels have finished.
/// @param early  true: the next kernel may be set up beside this one, instead of when the blocks of this one end. This is
///               right for kernels that leave room on the device, because blocks with little work are distributed
///               unevenly.
__device__ __forceinline__ void join_chain([[maybe_unused]] bool early) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if (early) cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/// Returns true if join_chain() waits in the code that a device runs, which is the same for all kernels.
template <class... Parameters>
bool has_chains(int device, void (*kernel)(Parameters...)) {
  constexpr int devices = 64;
  static std::atomic<signed char> known[devices] = {};  // 1: true; -1: false; 0: not looked up yet
  if (device < devices && known[device] != 0) return known[device] > 0;
  cudaFuncAttributes compiled{};
  SHOAL_CUDA_CHECK(cudaFuncGetAttributes(&compiled, kernel));
  const bool has = compiled.ptxVersion >= 90;
  if (device < devices) known[device] = has ? 1 : -1;
  return has;
}

/// Runs one of many consecutive kernels, which all begin with join_chain(). From compute capability 9.0 on, a kernel is
/// set up while the previous one still runs.
/// @param shared_bytes  dynamic shared memory of a block
template <int threads = 256, class... Parameters, class... Arguments>
void launch_chained_with(const Queue& queue, std::int64_t n, std::size_t shared_bytes, void (*kernel)(Parameters...),
                         Arguments&&... arguments) {
  if (n == 0) return;
  allow_shared_memory(kernel, shared_bytes);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks_for(n, threads));
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream_of(queue);
  config.attrs = &early;
  config.numAttrs = has_chains(queue.device().index, kernel) ? 1 : 0;
  SHOAL_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

/// Runs such a kernel without dynamic shared memory.
template <int threads = 256, class... Parameters, class... Arguments>
void launch_chained(const Queue& queue, std::int64_t n, void (*kernel)(Parameters...), Arguments&&... arguments) {
  launch_chained_with<threads>(queue, n, 0, kernel, std::forward<Arguments>(arguments)...);
}

}  // namespace shoal
