// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_pipeline.h>

#include "core/cuda/shared_memory.cuh"
#include "core/cuda/warp_peers.cuh"

namespace shoal {

/// The particles of a warp's cells, which follow each other, on their way through shared memory: a ring of windows of
/// 32, of which those to come are on the way while earlier ones are used. So what is on the way costs no registers.
/// @tparam numbers  of a particle
/// @tparam depth    windows of the ring, a power of two
template <int numbers, int depth, class Real>
class ParticleStream {
  static constexpr int window = 32;
  static constexpr int used = 3;  ///< windows whose particles may be asked for together; the others are on the way

 public:
  static constexpr int most = (used - 1) * window + 1;  ///< particles that one call of need() may ask for

  struct Sources {
    const Real* of[numbers];
  };
  struct Memory {
    Real at[numbers][depth * window];
  };

  /// For all lanes of a warp, as all that follows.
  __device__ __forceinline__ ParticleStream(const Sources& sources, std::int32_t begin, std::int32_t end,
                                            SharedAddress memory)
      : sources_(sources),
        memory_(memory),
        lane_(kept(static_cast<int>(threadIdx.x % 32))),
        end_(end),
        asked_(window_of(begin)),
        here_(asked_) {}

  /// Waits for particles [begin, end), of which there are 1 to `most`; those before begin are given up.
  __device__ __forceinline__ void need(std::int32_t begin, std::int32_t end) {
    const int last = window_of(end - 1);
    if (last < here_) return;
    const int first = window_of(begin);
    if (first > here_) __pipeline_wait_prior(0);  // windows that nobody needed may still be on the way to these places
    __syncwarp();                                 // nobody still reads what is overwritten
    asked_ = ::max(asked_, first);
    for (; asked_ < first + depth; ++asked_) ask(asked_);
    if (last - first == used - 1)
      __pipeline_wait_prior(depth - used);
    else
      __pipeline_wait_prior(depth - used + 1);
    __syncwarp();
    here_ = last + 1;
  }

  /// The numbers of a particle that was asked for.
  __device__ __forceinline__ void read(std::int32_t particle, Real (&of)[numbers]) const {
    const SharedAddress own = place_of(particle);
#pragma unroll
    for (int i = 0; i < numbers; ++i) (own + i * sizeof(Memory::at[0])).load(of[i]);
  }

 private:
  // Of unsigned numbers, so that each is one instruction.
  __device__ static int window_of(std::uint32_t particle) { return static_cast<int>(particle / window); }
  __device__ __forceinline__ SharedAddress place_of(std::uint32_t particle) const {
    return memory_ + particle % (depth * window) * static_cast<std::uint32_t>(sizeof(Real));
  }

  __device__ __forceinline__ void ask(int of_window) {
    const std::int32_t p = of_window * window + lane_;
    const SharedAddress own = place_of(p);
    if (p < end_) {
#pragma unroll
      for (int i = 0; i < numbers; ++i)
        (own + i * sizeof(Memory::at[0])).copy_async(sources_.of[i] + static_cast<std::uint32_t>(p));
    }
    __pipeline_commit();
  }

  Sources sources_;
  SharedAddress memory_;
  int lane_;
  std::int32_t end_;
  int asked_;  ///< windows before this one
  int here_;
};

}  // namespace shoal
