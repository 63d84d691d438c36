// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/shared_memory.cuh"
#include "core/cuda/warp.cuh"
#include "deposit/sums/corner_parts.cuh"

namespace shoal::deposit {

/// Parts of cells. If one warp has both cells that share a node along x, it adds their parts: half the numbers of
/// corner_parts::Parts. Cells are cut into runs, which end at the end of a row of cells and of a warp's cells.
template <int corners, int width, class Real>
class RowParts {
 public:
  static constexpr int rows = corners / 2;  ///< Rows of nodes along x around a cell; row r has corners 2r and 2r + 1
  static constexpr int warp_cells = 32;     ///< Number of cells of a warp
  static constexpr int stage_cells =
      corners * width * sizeof(Real) > 64 ? 8 : 32;  ///< Number of cells that are written together
  using Values = corner_parts::Values<width, Real>;

  /// Runs among a warp's cells: bit i belongs to cell i.
  struct Runs {
    std::uint32_t first;  ///< First cell of the warp
    std::uint32_t begin;  ///< Mask of cells that begin a run
    std::uint32_t end;    ///< Mask of cells that end a run
  };

  /// Parts of some cells in shared memory, preceded by the parts of the previous cell.
  class Stage {
    static constexpr std::uint32_t stride = corners * width + 1;  ///< odd, so that cells lie in different banks

   public:
    struct Memory {
      Real number[(stage_cells + 1) * stride];
    };

    __device__ explicit Stage(SharedAddress memory) : memory_(memory) {}

    __device__ __forceinline__ void put(int cell, int corner, const Values& part) const {
#pragma unroll
      for (int k = 0; k < width; ++k) address(cell, k, corner).store(part.component[k]);
    }
    /// Cell -1 is the previous cell.
    __device__ __forceinline__ Real get(int cell, int k, int corner) const {
      Real part;
      address(cell, k, corner).load(part);
      return part;
    }

   private:
    __device__ __forceinline__ SharedAddress address(int cell, int k, int corner) const {
      return memory_ + ((cell + 1) * stride + k * corners + corner) * static_cast<std::uint32_t>(sizeof(Real));
    }

    SharedAddress memory_;
  };

  RowParts(const DepositSpace<Real>& space, ScratchFrame& frame)
      : cells_(space.cell_count()),
        cells_x_(static_cast<std::uint32_t>(space.axes[0].cell_count())),
        runs_(run_of(cells_ - 1) + 1),
        lower_(frame.array<Real>(cells_ * rows * width).data),
        ends_(frame.array<Real>(runs_ * rows * width).data) {}

  /// Runs of the warp_cells cells from `first`; all lanes of the warp call it.
  __device__ __forceinline__ Runs runs_from(std::int64_t first) const {
    const auto cell = static_cast<std::uint32_t>(first) + threadIdx.x % 32;
    const bool ends = threadIdx.x % 32 == 31 || cell + 1 == cells_ || (cell + 1) % cells_x_ == 0;
    const unsigned end = __ballot_sync(whole_warp, ends);
    return {static_cast<std::uint32_t>(first), end << 1 | 1, end};
  }

  /// Writes cells [from, from + count) of a warp from the stage; all its lanes call it. `from` is a multiple of
  /// stage_cells.
  __device__ __forceinline__ void write(const Stage& stage, const Runs& runs, int from, int count) const {
    __syncwarp();
    const int i = static_cast<int>(threadIdx.x % 32) % stage_cells;
    constexpr int rows_at_once = 32 / stage_cells;
    const auto cell = static_cast<std::int64_t>(runs.first + from + i);
    const bool joins = (runs.begin >> (from + i) & 1) == 0;
    const bool ends = (runs.end >> (from + i) & 1) != 0;
#pragma unroll
    for (int row = static_cast<int>(threadIdx.x % 32) / stage_cells; row < rows; row += rows_at_once) {
      if (i >= count) continue;
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const Real right = stage.get(i, k, 2 * row);
        lower(k, row, cell) = joins ? stage.get(i - 1, k, 2 * row + 1) + right : right;
        if (ends) end(k, row, cell) = stage.get(i, k, 2 * row + 1);
      }
    }
    if (stage_cells == warp_cells) return;
    __syncwarp();
    if (const int corner = static_cast<int>(threadIdx.x % 32); corner < corners) {
      Values last;
#pragma unroll
      for (int k = 0; k < width; ++k) last.component[k] = stage.get(stage_cells - 1, k, corner);
      stage.put(-1, corner, last);
    }
    __syncwarp();
  }

  /// The sum of a row of cells at a node, for NodeRow::sum_of_rows.
  __device__ __forceinline__ Values sum(std::int64_t left, std::int64_t right, int corner) const {
    const int row = corner / 2;
    Values from_left;
    Values from_right;
    const bool is_added = right > 0 && left == right - 1 && right % warp_cells != 0;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      if (right >= 0) from_right.component[k] = lower(k, row, right);
      if (left >= 0 && !is_added) from_left.component[k] = end(k, row, left);
    }
    return is_added ? from_right : from_left + from_right;
  }

 private:
  /// Number of the run of a cell.
  SHOAL_HD std::int64_t run_of(std::int64_t cell) const {
    const auto number = static_cast<std::uint32_t>(cell);
    return static_cast<std::int64_t>(number / warp_cells) + number / cells_x_;
  }
  /// The sum at a cell's lower nodes in x.
  __device__ Real& lower(int k, int row, std::int64_t cell) const { return lower_[(k * rows + row) * cells_ + cell]; }
  /// The part of a run's last cell at its upper nodes in x.
  __device__ Real& end(int k, int row, std::int64_t cell) const {
    return ends_[(k * rows + row) * runs_ + run_of(cell)];
  }

  std::int64_t cells_;
  std::uint32_t cells_x_;
  std::int64_t runs_;
  Real* lower_;  ///< [values][rows][cells]
  Real* ends_;   ///< [values][rows][runs]
};

}  // namespace shoal::deposit
