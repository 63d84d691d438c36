// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/shared_memory.cuh"
#include "core/cuda/slot_copies.cuh"
#include "core/cuda/warp.cuh"
#include "deposit/sums/sum_tree.hpp"

namespace shoal::deposit {

/// Streams the consecutive particles of a warp's cells through slots of shared memory. A batch, which fills a slot, has
/// the particles of some whole cells, or a part of one cell with more particles than a slot holds. The next batches are
/// copied while one is in use.
/// @tparam numbers     count of numbers per particle
/// @tparam together    number of cells that the warp adds at once; batches end between such groups where they can
/// @tparam slot_bytes  B of a slot
template <int numbers, int together, int slot_bytes, class Real>
class ParticleStream {
  static constexpr int slots = 2;
  static constexpr int aligned = SlotCopies<slots>::alignment / static_cast<int>(sizeof(Real));

 public:
  static constexpr int capacity =
      slot_bytes / numbers / static_cast<int>(sizeof(Real)) / 16 * 16;  ///< Particles of a slot

  struct Sources {
    const Real* number[numbers];  ///< [count] each, aligned to 16 B
    std::int32_t count;           ///< Number of all particles
  };
  /// Cells of the warp; lane l has the particles of cell l.
  struct Cells {
    int count;
    std::int32_t begin, end;  ///< Particles of this lane's cell; no particles after the last cell
    unsigned skipped;         ///< Mask of cells that are not streamed
  };
  struct alignas(16) Memory {
    Real number[slots][numbers][capacity];
    std::int32_t batch[slots][4];
    typename SlotCopies<slots>::Memory copies;
  };

  /// All lanes of a warp call the constructor and the members.
  __device__ __forceinline__ ParticleStream(const Sources& sources, const Cells& cells, SharedAddress memory)
      : sources_(sources),
        cells_(cells),
        memory_(memory),
        copies_(memory + offsetof(Memory, copies)),
        current_(memory) {
    begin_at(0);
    for (int slot = 0; slot + 1 < slots; ++slot) request(slot);
  }

  /// Cells before this one are in the current batch or in earlier ones.
  __device__ __forceinline__ int end_cell() const { return end_cell_; }
  /// Returns true if the next batch continues the last cell of the current one.
  __device__ __forceinline__ bool continues() const { return continues_; }
  /// Particles of the current batch. Those of its cells are among them unless the particles are out of order, a fault that
  /// wait() reports.
  __device__ __forceinline__ std::int32_t begin() const { return begin_; }
  __device__ __forceinline__ std::int32_t end() const { return end_; }

  /// Waits for the next batch. The current one is no longer available.
  __device__ __forceinline__ void next() {
    __syncwarp();  // all lanes have read the slot that is overwritten
    request(slot_ == 0 ? slots - 1 : slot_ - 1);
    copies_.wait(slot_, turn_);
    const SharedAddress batch = memory_ + (offsetof(Memory, batch) + slot_ * sizeof(Memory::batch[0]));
    std::int32_t bounds[4];
    batch.load(bounds);
    end_cell_ = bounds[0];
    begin_ = bounds[1];
    end_ = bounds[2];
    continues_ = bounds[3] != 0;
    current_ = memory_ + (slot_ * sizeof(Memory::number[0]) - static_cast<std::uint32_t>(begin_) * sizeof(Real));
    slot_ = slot_ + 1 < slots ? slot_ + 1 : 0;
    turn_ += slot_ == 0 ? 1 : 0;
  }

  /// Address of the first number of a particle of the current batch; the next particle's is sizeof(Real) behind it.
  __device__ __forceinline__ SharedAddress address(std::int32_t particle) const {
    return current_ + static_cast<std::uint32_t>(particle) * static_cast<std::uint32_t>(sizeof(Real));
  }
  /// Reads the numbers at the address of a particle.
  __device__ __forceinline__ static void read(SharedAddress address, Real (&values)[numbers]) {
#pragma unroll
    for (int i = 0; i < numbers; ++i) (address + i * sizeof(Memory::number[0][0])).load(values[i]);
  }

 private:
  static constexpr int part = capacity - sum_lanes;  ///< Particles of a part of a cell, a multiple of sum_lanes

  /// Continues at the first cell from `cell` on that is streamed.
  __device__ __forceinline__ void begin_at(int cell) {
    cell_ = cell < cells_.count ? cell + __clz(__brev(~(cells_.skipped >> cell))) : cells_.count;
    if (cell_ < cells_.count) particle_ = __shfl_sync(whole_warp, cells_.begin, cell_);
  }

  /// Starts to copy the next batch, if there is one, to a slot.
  __device__ __forceinline__ void request(int slot) {
    const std::int32_t first = particle_ & -aligned;
    std::int32_t end = first;
    if (cell_ < cells_.count) {
      const unsigned fits = __ballot_sync(whole_warp, cells_.end - first <= capacity) & ~cells_.skipped;
      int end_cell = cell_ + __clz(__brev(~(fits >> cell_)));
      end_cell = ::min(end_cell, cells_.count);
      const int end_of_groups = end_cell & -together;
      if (end_cell < cells_.count && end_of_groups > cell_) end_cell = end_of_groups;
      const bool is_part = end_cell == cell_;
      if (is_part) ++end_cell;
      const std::int32_t end_of_cells = __shfl_sync(whole_warp, cells_.end, end_cell - 1);
      const bool continues = is_part && end_of_cells > particle_ + part;
      end = continues ? particle_ + part : ::max(end_of_cells, first);
      if (threadIdx.x % 32 == 0)
        (memory_ + (offsetof(Memory, batch) + slot * sizeof(Memory::batch[0])))
            .store({end_cell, first, end, continues});
      particle_ = end;
      if (!continues) begin_at(end_cell);
    }
    copy(slot, first, end);
  }

  /// Starts to copy particles [first, end) to a slot. Up to alignment − 1 more are copied, but not beyond the last one.
  __device__ __forceinline__ void copy(int slot, std::int32_t first, std::int32_t end) {
    const std::int32_t copied = ::min((end + aligned - 1) & -aligned, sources_.count & -aligned);
    const auto target = [&](int i) {
      return memory_ + (slot * sizeof(Memory::number[0]) + i * sizeof(Memory::number[0][0]));
    };
    copies_.template start<numbers>(slot, static_cast<std::uint32_t>(copied - first) * sizeof(Real), target,
                                    [&](int i) { return sources_.number[i] + first; });
    if (copied >= end || threadIdx.x % 32 != 0) return;
    for (std::int32_t p = copied; p < end; ++p)
#pragma unroll
      for (int i = 0; i < numbers; ++i)
        (target(i) + static_cast<std::uint32_t>(p - first) * static_cast<std::uint32_t>(sizeof(Real)))
            .store(sources_.number[i][p]);
  }

  Sources sources_;
  Cells cells_;
  SharedAddress memory_;
  SlotCopies<slots> copies_;
  int cell_ = 0;               ///< First cell of the next batch to be copied
  std::int32_t particle_ = 0;  ///< Its first particle
  int slot_ = 0;               ///< Slot of the next batch to be used
  unsigned turn_ = 0;          ///< Number of times that it was used
  SharedAddress current_;      ///< Address that particle 0 would have in the current slot
  int end_cell_ = 0;
  std::int32_t begin_ = 0;
  std::int32_t end_ = 0;
  bool continues_ = false;
};

}  // namespace shoal::deposit
