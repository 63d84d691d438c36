// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_pipeline.h>

#include "core/launch.cuh"
#include "core/warp_peers.cuh"

namespace shoal {

/// The particles of a warp's cells, which follow each other, on their way through shared memory: a ring of windows, of
/// which those to come are on the way while earlier ones are used. Each lane copies two numbers that lie side by side,
/// so that what is on the way costs neither registers nor an instruction a particle and lane.
/// @tparam numbers  of a particle
/// @tparam window   particles, 32 or 64
/// @tparam used     windows, of four, whose particles may be asked for together
template <int numbers, int window, int used, class Real>
class ParticleStream {
  static constexpr int depth = 4;            ///< windows
  static constexpr int across = window / 2;  ///< lanes that copy a window of one array
  static constexpr int at_once = 32 / across;
  static constexpr int rounds = (numbers + at_once - 1) / at_once;

 public:
  static constexpr int most = (used - 1) * window + 1;  ///< particles that one call of need() may ask for

  /// One array a number, aligned to two numbers; null: not needed.
  struct Sources {
    const Real* of[numbers];
  };
  struct Memory {
    alignas(16) Real at[numbers][depth * window];
  };

  /// For all lanes of a warp, as all that follows.
  __device__ ParticleStream(const Sources& sources, std::int32_t begin, std::int32_t end, Memory& memory)
      : memory_(memory), begin_(begin), end_(end), asked_(window_of(begin)), here_(asked_) {
    const bool is_lower = threadIdx.x % 32 < across;
#pragma unroll
    for (int i = 0; i < rounds; ++i) {  // constant indices, so that sources stay where they are
      constexpr auto source = [](const Sources& all, int n) { return n < numbers ? all.of[n] : nullptr; };
      source_[i] = is_lower ? source(sources, i * at_once) : source(sources, i * at_once + at_once - 1);
    }
  }

  /// Waits for particles [begin, end), of which there are 1 to `most`; those before begin are given up.
  __device__ __forceinline__ void need(std::int32_t begin, std::int32_t end) {
    if (window_of(end - 1) < here_) return;
    const int first = window_of(begin);
    __syncwarp();  // nobody still reads what is overwritten
    asked_ = max(asked_, first);
    for (; asked_ < first + depth; ++asked_) ask(asked_);
    __pipeline_wait_prior(depth - used);
    __syncwarp();
    here_ = first + used;
  }

  /// Number i of a particle that was asked for.
  __device__ __forceinline__ Real number(int i, std::int32_t particle) const {
    return memory_.at[i][slot_of(particle)];
  }

 private:
  // Of unsigned numbers, so that each is one instruction.
  __device__ static int window_of(std::uint32_t particle) { return static_cast<int>(particle / window); }
  __device__ static unsigned slot_of(std::uint32_t particle) { return particle % (depth * window); }

  __device__ __forceinline__ void ask(int of_window) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const std::int32_t p = of_window * window + 2 * (lane % across);
    if (p + 1 >= begin_ && p < end_) {
      const std::size_t missing = p + 1 < end_ ? 0 : sizeof(Real);  // of the last pair, which may end the array
#pragma unroll
      for (int i = 0; i < rounds; ++i)
        if (source_[i] != nullptr)
          __pipeline_memcpy_async(&memory_.at[i * at_once + lane / across][slot_of(p)], source_[i] + p,
                                  2 * sizeof(Real), missing);
    }
    __pipeline_commit();
  }

  Memory& memory_;
  const Real* source_[rounds];
  std::int32_t begin_;
  std::int32_t end_;
  int asked_;  ///< windows before this one
  int here_;
};

}  // namespace shoal
