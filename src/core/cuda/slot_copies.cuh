// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_pipeline.h>

#include <cstdint>

#include "core/cuda/shared_memory.cuh"
#include "core/cuda/warp.cuh"

namespace shoal {

/// Copies of a warp from global memory to slots of shared memory, which run while the warp works on another slot. From
/// compute capability 9.0 on, one lane starts a bulk copy per array; before, each lane copies its own numbers.
///
/// All lanes of the warp call each member.
/// @tparam slots  number of slots, which are filled in turn
template <int slots>
class SlotCopies {
 public:
  /// Shared memory of the warp.
  struct Memory {
    std::uint64_t arrived[slots];  ///< Barriers, one per slot
  };
  static constexpr int alignment = 16;  ///< B, of sources, targets and sizes of the copies

  __device__ __forceinline__ explicit SlotCopies(SharedAddress memory) : memory_(memory) {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x % 32 == 0) {
      for (int slot = 0; slot < slots; ++slot)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(barrier(slot)) : "memory");
      asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    }
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(read_once_));
    __syncwarp();
#endif
  }

  /// Starts to fill a slot, whose previous numbers all lanes have read.
  /// @param arrays  number of arrays
  /// @param bytes   B of each array, a multiple of `alignment`, at least 0
  /// @param target  SharedAddress target(int array)
  /// @param source  const void* source(int array)
  template <int arrays, class Target, class Source>
  __device__ __forceinline__ void start(int slot, std::uint32_t bytes, Target&& target, Source&& source) {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x % 32 != 0) return;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(barrier(slot)), "r"(bytes * arrays)
                 : "memory");
    if (bytes == 0) return;
#pragma unroll
    for (int array = 0; array < arrays; ++array)
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;"
          :
          : "r"(target(array).number()), "l"(__cvta_generic_to_global(source(array))), "r"(bytes), "r"(barrier(slot)),
            "l"(read_once_)
          : "memory");
#else
    for (std::uint32_t offset = threadIdx.x % 32 * 8; offset < bytes; offset += 32 * 8)
#pragma unroll
      for (int array = 0; array < arrays; ++array) {
        const void* const begin = source(array);
        (target(array) + offset).copy_async(reinterpret_cast<const double*>(static_cast<const char*>(begin) + offset));
      }
    __pipeline_commit();
#endif
  }

  /// Waits for the copies of the oldest slot that was started and not waited for. `slots` − 1 slots may have been started
  /// since.
  /// @param turn  how often the slot was waited for before
  __device__ __forceinline__ void wait([[maybe_unused]] int slot, [[maybe_unused]] unsigned turn) {
#if __CUDA_ARCH__ >= 900
    unsigned arrived = 0;
    do {
      asm volatile(
          "{\n"
          ".reg .pred arrived;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 arrived, [%1], %2;\n"
          "selp.u32 %0, 1, 0, arrived;\n"
          "}"
          : "=r"(arrived)
          : "r"(barrier(slot)), "r"(turn & 1)
          : "memory");
    } while (arrived == 0);
#else
    __pipeline_wait_prior(slots - 1);
    __syncwarp();
#endif
  }

 private:
  __device__ __forceinline__ std::uint32_t barrier(int slot) const {
    return (memory_ + static_cast<std::uint32_t>(slot) * 8).number();
  }

  SharedAddress memory_;
#if __CUDA_ARCH__ >= 900
  std::uint64_t read_once_;  ///< Policy of the cache for numbers that nothing reads again
#endif
};

}  // namespace shoal
