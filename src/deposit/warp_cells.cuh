// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_pipeline.h>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"
#include "core/range.hpp"
#include "deposit/deposit_call.hpp"
#include "deposit/sum_tree.hpp"

namespace shoal {

/// A cell and its particles, which 32 bits can number: a plan has fewer than 2^31.
struct FilledCell {
  std::int64_t cell = 0;
  std::int32_t begin = 0;
  std::int32_t end = 0;

  __device__ std::int32_t count() const { return end - begin; }
};

__device__ __forceinline__ FilledCell filled_cell(std::int64_t cell, Range particles) {
  return {cell, static_cast<std::int32_t>(particles.begin), static_cast<std::int32_t>(particles.end)};
}

/// 32 cells that follow each other, which a warp goes through four at a time, a group of eight lanes a cell; those that
/// are not wanted cost nothing.
class WarpCells {
 public:
  static constexpr int at_once = 32 / sum_lanes;

  /// For all lanes of a warp; lane l looks at cell first + l.
  /// @param shared  [32] bytes of the warp's own
  template <class Wanted>
  __device__ __forceinline__ WarpCells(const std::int64_t* cell_start, std::int64_t first, std::int64_t cells,
                                       std::uint8_t* shared, Wanted&& wanted)
      : first_(first), places_(shared) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    own_.cell = first + lane;
    if (own_.cell < cells) {
      own_.begin = static_cast<std::int32_t>(cell_start[own_.cell]);
      own_.end = static_cast<std::int32_t>(cell_start[own_.cell + 1]);
    }
    const bool is_wanted = own_.cell < cells && wanted(own_);
    const unsigned all = __ballot_sync(whole_warp, is_wanted);
    if (is_wanted) shared[__popc(all & ((1u << lane) - 1))] = static_cast<std::uint8_t>(lane);
    count_ = __popc(all);
    __syncwarp();
  }

  __device__ int count() const { return count_; }

  /// The cell of this lane's group when the warp is at cell i; one without particles where there are no more.
  __device__ __forceinline__ FilledCell at(int i) const {
    const int mine = i + static_cast<int>(threadIdx.x % 32) / sum_lanes;
    const int from = mine < count_ ? places_[mine] : 0;
    FilledCell filled{first_ + from, __shfl_sync(whole_warp, own_.begin, from),
                      __shfl_sync(whole_warp, own_.end, from)};
    if (mine >= count_) filled.end = filled.begin;
    return filled;
  }

 private:
  std::int64_t first_;
  FilledCell own_;  ///< of this lane
  int count_;
  const std::uint8_t* places_;
};

/// The most particles of a cell of a warp.
__device__ __forceinline__ int longest_of_warp(const FilledCell& filled) {
  return __reduce_max_sync(whole_warp, filled.count());
}

/// Particles of a cell that a lane takes in a step.
constexpr int step_particles = 2;
constexpr int step_length = step_particles * sum_lanes;

/// Where a warp is on its way through the steps of its cells.
struct StepCursor {
  const WarpCells* cells;
  int i = 0;
  int done = 0;     ///< particles of each cell
  int longest = 0;  ///< particles of a cell at i
  FilledCell own;

  __device__ explicit StepCursor(const WarpCells& of) : cells(&of) { look(); }

  __device__ bool is_there() const { return i < cells->count(); }
  __device__ bool ends_cells() const { return done + step_length >= longest; }
  __device__ __forceinline__ void advance() {
    done += step_length;
    if (done < longest) return;
    done = 0;
    i += WarpCells::at_once;
    look();
  }
  /// The n-th particle of this lane's step.
  __device__ __forceinline__ std::int32_t particle(int n) const {
    return own.begin + done + n * sum_lanes + static_cast<int>(threadIdx.x % sum_lanes);
  }
  __device__ __forceinline__ bool has(int n) const { return done + n * sum_lanes < longest && particle(n) < own.end; }

 private:
  __device__ __forceinline__ void look() {
    if (!is_there()) return;
    own = cells->at(i);
    longest = longest_of_warp(own);
  }
};

/// A warp's walk through the particles of its cells. What is needed of them is on its way to shared memory some steps
/// before it is used, which keeps more of it on the way than registers could; a lane reads only what it asked for.
/// @tparam numbers  of a particle
template <int numbers, int threads, class Real>
class StagedWalk {
  static constexpr int depth = 4;  ///< steps
  using Memory = Real[depth][step_particles][numbers][threads];

 public:
  static constexpr std::size_t bytes = sizeof(Memory);  ///< of shared memory a block

  __device__ StagedWalk(const WarpCells& cells, void* memory)
      : asked_(cells), now_(cells), memory_(*static_cast<Memory*>(memory)) {}

  /// @param place_of  place_of(p)(i) is where number i of the particle at position p is; null: not needed
  template <class PlaceOf>
  __device__ __forceinline__ void begin(PlaceOf&& place_of) {
    for (int n = 1; n < depth; ++n) ask(place_of);
  }

  __device__ bool is_there() const { return now_.is_there(); }
  __device__ bool ends_cells() const { return now_.ends_cells(); }
  __device__ const FilledCell& own() const { return now_.own; }
  __device__ __forceinline__ void advance() {
    now_.advance();
    slot_ = next(slot_);
  }

  template <class PlaceOf>
  __device__ __forceinline__ void ask_ahead(PlaceOf&& place_of) {
    ask(place_of);
    __pipeline_wait_prior(depth - 1);
  }

  /// Calls use(position, numbers) for the particles of this lane's step.
  template <class Use>
  __device__ __forceinline__ void for_each_particle(Use&& use) const {
#pragma unroll
    for (int n = 0; n < step_particles; ++n) {
      if (!now_.has(n)) continue;
      Real of[numbers];
#pragma unroll
      for (int i = 0; i < numbers; ++i) of[i] = memory_[slot_][n][i][threadIdx.x];
      use(now_.particle(n), of);
    }
  }

 private:
  __device__ static int next(int slot) { return slot + 1 < depth ? slot + 1 : 0; }

  template <class PlaceOf>
  __device__ __forceinline__ void ask(PlaceOf&& place_of) {
    if (asked_.is_there()) {
#pragma unroll
      for (int n = 0; n < step_particles; ++n) {
        if (!asked_.has(n)) continue;
        const auto place = place_of(asked_.particle(n));
#pragma unroll
        for (int i = 0; i < numbers; ++i)
          if (const Real* const from = place(i); from != nullptr)
            __pipeline_memcpy_async(&memory_[ask_slot_][n][i][threadIdx.x], from, sizeof(Real));
      }
      asked_.advance();
    }
    ask_slot_ = next(ask_slot_);
    __pipeline_commit();
  }

  StepCursor asked_;
  StepCursor now_;
  Memory& memory_;
  int slot_ = 0;
  int ask_slot_ = 0;
};

}  // namespace shoal
