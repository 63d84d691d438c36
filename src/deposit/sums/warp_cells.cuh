// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_pipeline.h>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "core/range.hpp"
#include "deposit/deposit_method.hpp"
#include "deposit/sums/sum_tree.hpp"

namespace shoal::deposit {

/// A cell and the range of its particles; a plan has fewer than 2^31 particles.
struct FilledCell {
  std::int64_t cell = 0;
  std::int32_t begin = 0;
  std::int32_t end = 0;

  __device__ std::int32_t count() const { return end - begin; }
};

__device__ __forceinline__ FilledCell filled_cell(std::int64_t cell, Range particles) {
  return {cell, static_cast<std::int32_t>(particles.begin), static_cast<std::int32_t>(particles.end)};
}

/// 32 consecutive cells, which a warp processes four at a time with a group of eight lanes per cell. Unselected cells cost
/// nothing.
class WarpCells {
 public:
  static constexpr int at_once = 32 / sum_lanes;

  /// All lanes of a warp call it; lane l reads cell first + l.
  /// @param shared    [32] bytes of the warp
  /// @param selected  bool selected(const FilledCell&)
  template <class Selected>
  __device__ __forceinline__ WarpCells(const std::int64_t* cell_start, std::int64_t first, std::int64_t cells,
                                       std::uint8_t* shared, Selected&& selected)
      : first_(first), slots_(shared) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    lane_cell_.cell = first + lane;
    if (lane_cell_.cell < cells) {
      lane_cell_.begin = static_cast<std::int32_t>(cell_start[lane_cell_.cell]);
      lane_cell_.end = static_cast<std::int32_t>(cell_start[lane_cell_.cell + 1]);
    }
    const bool is_selected = lane_cell_.cell < cells && selected(lane_cell_);
    const unsigned mask = __ballot_sync(whole_warp, is_selected);
    if (is_selected) shared[__popc(mask & ((1u << lane) - 1))] = static_cast<std::uint8_t>(lane);
    count_ = __popc(mask);
    __syncwarp();
  }

  __device__ int count() const { return count_; }

  /// The cell of this lane's group when the warp is at selected cell i; a cell without particles after the last one.
  __device__ __forceinline__ FilledCell at(int i) const {
    const int slot = i + static_cast<int>(threadIdx.x % 32) / sum_lanes;
    const int lane = slot < count_ ? slots_[slot] : 0;
    FilledCell filled{first_ + lane, __shfl_sync(whole_warp, lane_cell_.begin, lane),
                      __shfl_sync(whole_warp, lane_cell_.end, lane)};
    if (slot >= count_) filled.end = filled.begin;
    return filled;
  }

 private:
  std::int64_t first_;
  FilledCell lane_cell_;
  int count_;
  const std::uint8_t* slots_;
};

/// Greatest number of particles of a warp's cells.
__device__ __forceinline__ int longest_of_warp(const FilledCell& filled) {
  return __reduce_max_sync(whole_warp, filled.count());
}

/// Number of particles of a cell that a lane processes in a step.
constexpr int step_particles = 2;
constexpr int step_length = step_particles * sum_lanes;

/// Position of a warp in the steps through its cells.
struct StepCursor {
  const WarpCells* cells;
  int i = 0;
  int done = 0;     ///< Number of processed particles of each cell
  int longest = 0;  ///< Greatest number of particles of the current cells
  FilledCell cell;  ///< Current cell of this lane's group

  __device__ explicit StepCursor(const WarpCells& warp_cells) : cells(&warp_cells) { load_cells(); }

  __device__ bool has_step() const { return i < cells->count(); }
  __device__ bool ends_cells() const { return done + step_length >= longest; }
  __device__ __forceinline__ void advance() {
    done += step_length;
    if (done < longest) return;
    done = 0;
    i += WarpCells::at_once;
    load_cells();
  }
  /// The n-th particle of this lane's step.
  __device__ __forceinline__ std::int32_t particle(int n) const {
    return cell.begin + done + n * sum_lanes + static_cast<int>(threadIdx.x % sum_lanes);
  }
  __device__ __forceinline__ bool has(int n) const { return done + n * sum_lanes < longest && particle(n) < cell.end; }

 private:
  __device__ __forceinline__ void load_cells() {
    if (!has_step()) return;
    cell = cells->at(i);
    longest = longest_of_warp(cell);
  }
};

/// A warp's walk through the particles of its cells. Their numbers are copied to shared memory some steps before they are
/// used, which allows more outstanding loads than registers would. A lane reads only what it requested.
/// @tparam numbers  count of numbers per particle
template <int numbers, int threads, class Real>
class StagedWalk {
  static constexpr int depth = 4;  ///< Number of steps in shared memory
  using Memory = Real[depth][step_particles][numbers][threads];

 public:
  static constexpr std::size_t bytes = sizeof(Memory);  ///< Shared memory of a block

  __device__ StagedWalk(const WarpCells& cells, void* memory)
      : requested_(cells), current_(cells), memory_(*static_cast<Memory*>(memory)) {}

  /// @param source_of  source_of(p)(i) is the address of number i of the particle at position p; null: not needed
  template <class SourceOf>
  __device__ __forceinline__ void begin(SourceOf&& source_of) {
    for (int n = 1; n < depth; ++n) request(source_of);
  }

  __device__ bool has_step() const { return current_.has_step(); }
  __device__ bool ends_cells() const { return current_.ends_cells(); }
  __device__ const FilledCell& cell() const { return current_.cell; }
  __device__ __forceinline__ void advance() {
    current_.advance();
    slot_ = next(slot_);
  }

  template <class SourceOf>
  __device__ __forceinline__ void request_ahead(SourceOf&& source_of) {
    request(source_of);
    __pipeline_wait_prior(depth - 1);
  }

  /// Calls use(particle, values) for the particles of this lane's step.
  template <class Use>
  __device__ __forceinline__ void for_each_particle(Use&& use) const {
#pragma unroll
    for (int n = 0; n < step_particles; ++n) {
      if (!current_.has(n)) continue;
      Real values[numbers];
#pragma unroll
      for (int i = 0; i < numbers; ++i) values[i] = memory_[slot_][n][i][threadIdx.x];
      use(current_.particle(n), values);
    }
  }

 private:
  __device__ static int next(int slot) { return slot + 1 < depth ? slot + 1 : 0; }

  template <class SourceOf>
  __device__ __forceinline__ void request(SourceOf&& source_of) {
    if (requested_.has_step()) {
#pragma unroll
      for (int n = 0; n < step_particles; ++n) {
        if (!requested_.has(n)) continue;
        const auto source = source_of(requested_.particle(n));
#pragma unroll
        for (int i = 0; i < numbers; ++i)
          if (const Real* const number = source(i); number != nullptr)
            __pipeline_memcpy_async(&memory_[request_slot_][n][i][threadIdx.x], number, sizeof(Real));
      }
      requested_.advance();
    }
    request_slot_ = next(request_slot_);
    __pipeline_commit();
  }

  StepCursor requested_;
  StepCursor current_;
  Memory& memory_;
  int slot_ = 0;
  int request_slot_ = 0;
};

}  // namespace shoal::deposit
