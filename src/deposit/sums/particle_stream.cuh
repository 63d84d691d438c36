// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_pipeline.h>

#include "core/cuda/shared_memory.cuh"
#include "core/cuda/warp_peers.cuh"

namespace shoal::deposit {

/// Streams the consecutive particles of a warp's cells through shared memory: a ring of windows of 32 particles. The next
/// windows are copied while earlier ones are in use, so prefetched numbers occupy no registers.
/// @tparam numbers  count of numbers per particle
/// @tparam depth    count of windows of the ring, a power of two
template <int numbers, int depth, class Real>
class ParticleStream {
  static constexpr int window = 32;
  static constexpr int used = 3;  ///< Greatest number of windows in use at once; the others are being copied

 public:
  static constexpr int max_needed = (used - 1) * window + 1;  ///< Greatest number of particles of one call of need()

  struct Sources {
    const Real* number[numbers];  ///< [particles] each
  };
  struct Memory {
    Real number[numbers][depth * window];
  };

  /// All lanes of a warp call the constructor and the members.
  __device__ __forceinline__ ParticleStream(const Sources& sources, std::int32_t begin, std::int32_t end,
                                            SharedAddress memory)
      : sources_(sources),
        memory_(memory),
        lane_(opaque(static_cast<int>(threadIdx.x % 32))),
        end_(end),
        requested_(window_of(begin)),
        arrived_(requested_) {}

  /// Waits for particles [begin, end), which are 1 to max_needed. Particles before `begin` are no longer available.
  __device__ __forceinline__ void need(std::int32_t begin, std::int32_t end) {
    const int last = window_of(end - 1);
    if (last < arrived_) return;
    const int first = window_of(begin);
    if (first > arrived_) __pipeline_wait_prior(0);  // copies of skipped windows may still write to these addresses
    __syncwarp();                                    // all lanes have read what is overwritten
    requested_ = ::max(requested_, first);
    for (; requested_ < first + depth; ++requested_) request(requested_);
    if (last - first == used - 1)
      __pipeline_wait_prior(depth - used);
    else
      __pipeline_wait_prior(depth - used + 1);
    __syncwarp();
    arrived_ = last + 1;
  }

  /// Reads the numbers of a particle of the last need().
  __device__ __forceinline__ void read(std::int32_t particle, Real (&values)[numbers]) const {
    const SharedAddress address = address_of(particle);
#pragma unroll
    for (int i = 0; i < numbers; ++i) (address + i * sizeof(Memory::number[0])).load(values[i]);
  }

 private:
  // Unsigned, so that each operation is one instruction.
  __device__ static int window_of(std::uint32_t particle) { return static_cast<int>(particle / window); }
  __device__ __forceinline__ SharedAddress address_of(std::uint32_t particle) const {
    return memory_ + particle % (depth * window) * static_cast<std::uint32_t>(sizeof(Real));
  }

  __device__ __forceinline__ void request(int number_of_window) {
    const std::int32_t p = number_of_window * window + lane_;
    const SharedAddress address = address_of(p);
    if (p < end_) {
#pragma unroll
      for (int i = 0; i < numbers; ++i)
        (address + i * sizeof(Memory::number[0])).copy_async(sources_.number[i] + static_cast<std::uint32_t>(p));
    }
    __pipeline_commit();
  }

  Sources sources_;
  SharedAddress memory_;
  int lane_;
  std::int32_t end_;
  int requested_;  ///< Windows before this one have been requested
  int arrived_;    ///< Windows before this one have arrived
};

}  // namespace shoal::deposit
