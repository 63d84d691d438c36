// SPDX-License-Identifier: Apache-2.0
// Stable sort of particles by cell that moves their positions, by digits of up to ten bits from the lowest one on. A digit
// takes three kernels: the particles of each bin in each tile are counted, the counts are summed, and each tile moves its
// particles to their places.
//
// The first digit computes positions, and the last one writes the arrays of sorted particles. So a position is never read
// at random.
#pragma once
#include <bit>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"
#include "core/primitives/primitives.hpp"
#include "deposit/binning/binning.hpp"

namespace shoal::deposit::position_sort {

constexpr int max_digit_bits = 10;
constexpr int max_bins = 1 << max_digit_bits;
constexpr int max_passes = 4;
constexpr int threads = 512;
constexpr int warps = threads / 32;
constexpr int items = 8;  ///< Particles of a thread.
constexpr int tile_size = threads * items;
constexpr std::uint32_t no_particle =
    0xffffffff;  ///< Cell of an item behind the last particle; all its digits are last.

static_assert(max_bins == 2 * threads, "a thread has two bins");

/// Bits of a cell number by which one pass sorts.
struct Digit {
  int shift = 0;
  int bits = 0;

  SHOAL_HD int bins() const { return 1 << bits; }
  __device__ unsigned bin_of(std::uint32_t cell) const { return cell >> shift & ((1u << bits) - 1); }
};

/// Digits of cell numbers, the lowest one first.
struct Digits {
  Digit digit[max_passes];
  int count = 0;

  /// @param largest  largest number of a cell
  explicit Digits(std::uint64_t largest) {
    const int bits = std::max(1, static_cast<int>(std::bit_width(largest)));
    count = (bits + max_digit_bits - 1) / max_digit_bits;
    for (int k = 0, shift = 0; k < count; shift += digit[k].bits, ++k) digit[k] = {shift, (bits - shift) / (count - k)};
  }
};

/// Particles after a digit.
template <class Real>
struct Particles {
  static constexpr bool is_stored = true;

  SortedPositions<Real> positions;
  std::int32_t* number = nullptr;

  __device__ std::uint32_t cell_of(std::int64_t k) const { return positions.cell[k]; }
  __device__ Real offset_of(std::int64_t k, int axis) const { return positions.offset[axis][k]; }
  __device__ std::int32_t number_of(std::int64_t k) const { return number[k]; }
};

/// Particles before the first digit, whose positions are computed where they are needed.
template <class Real>
struct Unsorted {
  static constexpr bool is_stored = false;

  BinningInput<Real> input;

  __device__ std::uint32_t cell_of(std::int64_t i) const {
    return static_cast<std::uint32_t>(input.position_or_fault(i).cell);
  }
  __device__ ParticlePosition<Real> position(std::int64_t i) const { return input.position(i); }
};

/// Particles before the first digit that have positions.
template <class Real>
struct Found {
  static constexpr bool is_stored = false;

  const ParticlePosition<Real>* by_number = nullptr;

  __device__ std::uint32_t cell_of(std::int64_t i) const { return static_cast<std::uint32_t>(by_number[i].cell); }
  __device__ ParticlePosition<Real> position(std::int64_t i) const { return by_number[i]; }
};

/// Numbers of a thread's items in a tile: warps have consecutive parts of it, lanes every 32nd item of a part.
struct ItemNumbers {
  int first = static_cast<int>(threadIdx.x / 32) * 32 * items + static_cast<int>(threadIdx.x % 32);
  int count;  ///< Number of particles in the tile.

  __device__ ItemNumbers(std::int64_t n, std::int64_t first_of_tile)
      : count(static_cast<int>(::min(n - first_of_tile, std::int64_t{tile_size}))) {}
  __device__ int operator[](int j) const { return first + 32 * j; }
  __device__ bool is_particle(int j) const { return first + 32 * j < count; }
};

/// Particles of a thread. Positions that are computed are kept, others are read when they are moved.
template <class Source, class Real>
class ItemsOfThread {
 public:
  __device__ ItemsOfThread(const Source& source, ItemNumbers number, std::int64_t first)
      : source_(source), number_(number), first_(first) {
    if constexpr (!Source::is_stored) {
#pragma unroll
      for (int j = 0; j < items; ++j) {
        if (number_.is_particle(j))
          position_[j] = source.position(first + number_[j]);
        else
          position_[j].cell = no_particle;
      }
    }
  }
  __device__ std::uint32_t cell(int j) const {
    if constexpr (Source::is_stored)
      return number_.is_particle(j) ? source_.cell_of(first_ + number_[j]) : no_particle;
    else
      return static_cast<std::uint32_t>(position_[j].cell);
  }
  __device__ Real offset(int j, int axis) const {
    if constexpr (Source::is_stored)
      return number_.is_particle(j) ? source_.offset_of(first_ + number_[j], axis) : Real(0);
    else
      return position_[j].offset[axis];
  }
  __device__ std::int32_t number(int j) const {
    if constexpr (Source::is_stored)
      return number_.is_particle(j) ? source_.number_of(first_ + number_[j]) : 0;
    else
      return static_cast<std::int32_t>(first_ + number_[j]);
  }

 private:
  const Source& source_;
  ItemNumbers number_;
  std::int64_t first_;
  ParticlePosition<Real> position_[Source::is_stored ? 1 : items];
};

/// Counts the particles of each bin in each tile. The first digit records faults.
/// @param counts  [bins][tiles] out
template <class Source>
__global__ void __launch_bounds__(threads)
    count_bins(Source source, std::int64_t n, Digit digit, std::int32_t* counts) {
  __shared__ std::int32_t shared_counts[max_bins];
  for (int bin = static_cast<int>(threadIdx.x); bin < max_bins; bin += threads) shared_counts[bin] = 0;
  const std::int64_t tile = blockIdx.x;
  const std::int64_t first = tile * tile_size;
  const ItemNumbers number(n, first);
  std::uint32_t cell[items];
#pragma unroll
  for (int j = 0; j < items; ++j) cell[j] = number.is_particle(j) ? source.cell_of(first + number[j]) : no_particle;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const unsigned bin = digit.bin_of(cell[j]);
    const unsigned first_bin = __shfl_sync(whole_warp, bin, 0);
    // Lanes that add to one number take turns, so that equal ones add together.
    if (__all_sync(whole_warp, bin == first_bin && number.is_particle(j))) {
      if (threadIdx.x % 32 == 0) atomicAdd(shared_counts + bin, 32);
    } else if (number.is_particle(j)) {
      atomicAdd(shared_counts + bin, 1);
    }
  }
  __syncthreads();
  for (int bin = static_cast<int>(threadIdx.x); bin < digit.bins(); bin += threads)
    counts[bin * std::int64_t{gridDim.x} + tile] = shared_counts[bin];
}

/// Sum of the values of all threads of the block before this one.
__device__ inline std::uint32_t sum_before(std::uint32_t value, std::uint32_t (&warp_total)[warps]) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int warp = static_cast<int>(threadIdx.x / 32);
  std::uint32_t sum = value;
  for (int apart = 1; apart < 32; apart *= 2) {
    const std::uint32_t preceding = __shfl_up_sync(whole_warp, sum, apart);
    if (lane >= apart) sum += preceding;
  }
  if (lane == 31) warp_total[warp] = sum;
  __syncthreads();
  std::uint32_t before = sum - value;
  for (int w = 0; w < warp; ++w) before += warp_total[w];
  return before;
}

/// Lanes of the warp with the same bin as this one.
__device__ __forceinline__ unsigned lanes_with(unsigned bin, int bits) {
  unsigned same = whole_warp;
#pragma unroll
  for (int bit = 0; bit < max_digit_bits; ++bit) {
    if (bit >= bits) break;
    const bool is_set = (bin >> bit & 1) != 0;
    const unsigned set = __ballot_sync(whole_warp, is_set);
    same &= is_set ? set : ~set;
  }
  return same;
}

/// Memory of a block that moves its particles.
template <class Real>
struct TileMemory {
  union {
    std::uint16_t warp_counts[warps][max_bins];  ///< particles of a bin in the warps before
    std::uint32_t words[tile_size];              ///< one number of each particle of the tile, in the order of bins
    Real reals[tile_size];
  };
  std::uint32_t first[max_bins];  ///< first particle of a bin in the tile
  std::uint32_t shift[max_bins];  ///< distance from a place in the tile to the place among all particles
  std::uint32_t warp_total[warps];
};

/// Finds the place of each particle of this thread in the tile after a stable sort by bins.
/// @param place  the bins before, the places after
template <class Real>
__device__ __forceinline__ void sort_in_tile(TileMemory<Real>& memory, int bits, std::uint32_t (&place)[items]) {
  const int warp = static_cast<int>(threadIdx.x / 32);
  const unsigned lanes_before = (1u << threadIdx.x % 32) - 1;
  auto* const all_counts = reinterpret_cast<std::uint32_t*>(memory.warp_counts);
  for (int k = static_cast<int>(threadIdx.x); k < warps * max_bins / 2; k += threads) all_counts[k] = 0;
  __syncthreads();
  std::uint32_t rank[items];
  std::uint16_t* const counts = memory.warp_counts[warp];
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const unsigned same = lanes_with(place[j], bits);
    const int leader = __ffs(static_cast<int>(same)) - 1;
    std::uint32_t before = 0;
    if ((same & lanes_before) == 0) {
      before = counts[place[j]];
      counts[place[j]] = static_cast<std::uint16_t>(before + __popc(same));
    }
    rank[j] = __shfl_sync(whole_warp, before, leader) + __popc(same & lanes_before);
    __syncwarp();
  }
  __syncthreads();
  std::uint32_t total = 0;  // of two bins, in 16 bits each
  for (int w = 0; w < warps; ++w) {
    std::uint32_t* const count = all_counts + w * (max_bins / 2) + threadIdx.x;
    const std::uint32_t of_warp = *count;
    *count = total;
    total += of_warp;
  }
  const std::uint32_t lower = total & 0xffff;
  const std::uint32_t before = sum_before(lower + (total >> 16), memory.warp_total);
  memory.first[2 * threadIdx.x] = before;
  memory.first[2 * threadIdx.x + 1] = before + lower;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < items; ++j) place[j] = memory.first[place[j]] + counts[place[j]] + rank[j];
  __syncthreads();
}

/// Moves one number of each particle of a tile from the order of threads to that among all particles.
/// @param shared     [tile_size] memory of the block
/// @param number_of  number_of(j): the number of this thread's particle j
/// @param place      places in the tile of this thread's particles
/// @param target     places among all of particles threadIdx.x, threadIdx.x + threads, ... in the order of the tile
template <class T, class NumberOf>
__device__ __forceinline__ void move_numbers(T* shared, const NumberOf& number_of, const std::uint32_t (&place)[items],
                                             const std::uint32_t (&target)[items], int count, T* sorted) {
  T number[items];
#pragma unroll
  for (int j = 0; j < items; ++j) number[j] = number_of(j);
  __syncthreads();
#pragma unroll
  for (int j = 0; j < items; ++j) shared[place[j]] = number[j];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int k = static_cast<int>(threadIdx.x) + threads * j;
    if (k < count) sorted[target[j]] = shared[k];
  }
}

/// Moves particles into the order of a digit; particles with the same one keep their order.
/// @param starts  [bins][tiles] particles before those of a bin in a tile
template <int resident_blocks, class Source, class Real>
__global__ void __launch_bounds__(threads, resident_blocks)
    sort_by_digit(Source source, std::int64_t n, Digit digit, const std::int64_t* starts, Particles<Real> sorted) {
  __shared__ TileMemory<Real> memory;
  const std::int64_t tile = blockIdx.x;
  const std::int64_t first = tile * tile_size;
  const ItemNumbers number(n, first);
  const ItemsOfThread<Source, Real> particles(source, number, first);
  std::uint32_t cell[items], place[items], target[items];
#pragma unroll
  for (int j = 0; j < items; ++j) place[j] = digit.bin_of(cell[j] = particles.cell(j));
  sort_in_tile(memory, digit.bits, place);
  for (int bin = static_cast<int>(threadIdx.x); bin < digit.bins(); bin += threads)
    memory.shift[bin] = static_cast<std::uint32_t>(starts[bin * std::int64_t{gridDim.x} + tile]) - memory.first[bin];
#pragma unroll
  for (int j = 0; j < items; ++j) memory.words[place[j]] = cell[j];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int k = static_cast<int>(threadIdx.x) + threads * j;
    target[j] = k < number.count ? memory.shift[digit.bin_of(memory.words[k])] + static_cast<std::uint32_t>(k) : 0;
    if (k < number.count) sorted.positions.cell[target[j]] = memory.words[k];
  }
#pragma unroll
  for (int axis = 0; axis < 3; ++axis)
    if (sorted.positions.offset[axis] != nullptr)
      move_numbers(
          memory.reals, [&](int j) { return particles.offset(j, axis); }, place, target, number.count,
          sorted.positions.offset[axis]);
  move_numbers(
      memory.words, [&](int j) { return static_cast<std::uint32_t>(particles.number(j)); }, place, target, number.count,
      reinterpret_cast<std::uint32_t*>(sorted.number));
}

/// Arrays of particles between two digits.
template <class Real>
Particles<Real> make_particles(ScratchFrame& frame, std::int64_t n, int dimensions) {
  Particles<Real> particles;
  particles.positions.cell = frame.array<std::uint32_t>(n).data;
  for (int axis = 0; axis < dimensions; ++axis) particles.positions.offset[axis] = frame.array<Real>(n).data;
  particles.number = frame.array<std::int32_t>(n).data;
  return particles;
}

/// Sorts particles by one digit.
/// @param counts  [bins][tiles] scratch
/// @param starts  [bins][tiles] scratch
template <class Source, class Real>
void sort_digit(Scratch& scratch, const Source& source, std::int64_t n, Digit digit, View<std::int32_t> counts,
                View<std::int64_t> starts, const Particles<Real>& sorted) {
  constexpr int resident_blocks = sizeof(Real) == 4 || Source::is_stored ? 2 : 1;
  const Queue& queue = scratch.queue();
  const std::int64_t tiles = (n + tile_size - 1) / tile_size;
  const std::int64_t bins = digit.bins();
  launch<threads>(queue, tiles * threads, count_bins<Source>, source, n, digit, counts.data);
  exclusive_scan<std::int32_t>(scratch, {counts.data, bins * tiles, queue.device()},
                               {starts.data, bins * tiles, queue.device()});
  launch<threads>(queue, tiles * threads, sort_by_digit<resident_blocks, Source, Real>, source, n, digit, starts.data,
                  sorted);
}

/// Sorts particles by cell, then by number.
/// @param source  Unsorted or Found
/// @param cells   number of cells; particles without a cell have this number
template <class Source, class Real>
void run(Scratch& scratch, const Source& source, std::int64_t n, std::int64_t cells, int dimensions,
         const Particles<Real>& sorted) {
  if (n == 0) return;
  ScratchFrame frame(scratch);
  const Digits digits(static_cast<std::uint64_t>(cells));
  const std::int64_t tiles = (n + tile_size - 1) / tile_size;
  const View<std::int32_t> counts = frame.array<std::int32_t>(tiles * max_bins);
  const View<std::int64_t> starts = frame.array<std::int64_t>(tiles * max_bins);
  const Particles<Real> between = digits.count > 1 ? make_particles<Real>(frame, n, dimensions) : Particles<Real>{};
  for (int k = 0; k < digits.count; ++k) {
    const bool ends_in_sorted = (digits.count - 1 - k) % 2 == 0;
    const Particles<Real>& moved = ends_in_sorted ? sorted : between;
    if (k == 0)
      sort_digit(scratch, source, n, digits.digit[k], counts, starts, moved);
    else
      sort_digit(scratch, ends_in_sorted ? between : sorted, n, digits.digit[k], counts, starts, moved);
  }
}

}  // namespace shoal::deposit::position_sort
