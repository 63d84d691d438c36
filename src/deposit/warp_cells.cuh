// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/launch.cuh"
#include "core/range.hpp"
#include "core/warp_peers.cuh"
#include "deposit/deposit_call.hpp"
#include "deposit/sum_tree.hpp"

namespace shoal {

/// A cell and its particles.
struct FilledCell {
  std::int64_t cell = 0;
  Range particles;
};

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
    if (first + lane < cells) own_ = {cell_start[first + lane], cell_start[first + lane + 1]};
    const bool is_wanted = first + lane < cells && wanted(FilledCell{first + lane, own_});
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
    FilledCell filled{first_ + from,
                      {__shfl_sync(whole_warp, own_.begin, from), __shfl_sync(whole_warp, own_.end, from)}};
    if (mine >= count_) filled.particles.end = filled.particles.begin;
    return filled;
  }

 private:
  std::int64_t first_;
  Range own_;  ///< of this lane's cell
  int count_;
  const std::uint8_t* places_;
};

/// The most particles of a cell of a warp.
__device__ __forceinline__ int longest_of_warp(const FilledCell& filled) {
  return __reduce_max_sync(whole_warp, static_cast<int>(filled.particles.count()));
}

}  // namespace shoal
