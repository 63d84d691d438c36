// SPDX-License-Identifier: Apache-2.0
// Start of each cell's particles: the sums of all counts before, by one kernel with decoupled look-back (Merrill and
// Garland 2016). The sort clears the tiles' memory, which saves a launch a step.
#pragma once
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"

namespace shoal::sph {

constexpr int scan_threads = 256;
constexpr int scan_counts_a_thread = 8;
/// Counts that one block scans. Arrays of counts are as long as whole tiles, with zeros after the last count.
constexpr int scan_tile = scan_threads * scan_counts_a_thread;

inline std::int64_t scan_tiles(std::int64_t counts) { return (counts + scan_tile - 1) / scan_tile; }

/// Published sum of a tile: none yet, the sum of its own counts, or of all counts up to its end.
struct TileWord {
  static constexpr unsigned long long of_tile = 1ull << 32;
  static constexpr unsigned long long of_all = 2ull << 32;

  __device__ static unsigned long long read(const unsigned long long* word) {
    return *static_cast<const volatile unsigned long long*>(word);
  }
  __device__ static void write(unsigned long long* word, unsigned long long kind, std::int32_t sum) {
    *static_cast<volatile unsigned long long*>(word) = kind | static_cast<unsigned>(sum);
  }
  __device__ static bool is_of_all(unsigned long long word) { return word >= of_all; }
  __device__ static std::int32_t sum(unsigned long long word) { return static_cast<std::int32_t>(word); }
};

/// Sum of all tiles before `tile`, for which a warp waits.
/// @param total  sum of the tile itself, which is published
__device__ inline std::int32_t sum_before(unsigned long long* words, int tile, std::int32_t total) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (lane == 0) TileWord::write(words + tile, tile == 0 ? TileWord::of_all : TileWord::of_tile, total);
  std::int32_t before = 0;
  for (int latest = tile - 1; latest >= 0; latest -= 32) {
    const int tile_of_lane = latest - lane;
    unsigned long long word = TileWord::of_all;  // before the first tile there is nothing
    do {
      if (tile_of_lane >= 0) word = TileWord::read(words + tile_of_lane);
    } while (__any_sync(whole_warp, word == 0));
    const unsigned complete = __ballot_sync(whole_warp, TileWord::is_of_all(word));
    const bool counts = complete == 0 || lane < __ffs(static_cast<int>(complete));
    before += __reduce_add_sync(whole_warp, counts ? TileWord::sum(word) : 0);
    if (complete) break;
  }
  if (lane == 0 && tile > 0) TileWord::write(words + tile, TileWord::of_all, before + total);
  return before;
}

/// Sums of the values of all threads before this one, and of all threads of the block.
struct BlockSum {
  std::int32_t before;
  std::int32_t total;
};

__device__ inline BlockSum scan_block(std::int32_t value) {
  constexpr int warps = scan_threads / 32;
  __shared__ std::int32_t warp_total[warps];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const std::int32_t sum = warp_prefix_sum(value);
  if (lane == 31) warp_total[warp] = sum;
  __syncthreads();
  BlockSum result{sum - value, 0};
  for (int k = 0; k < warps; ++k) {
    if (k < warp) result.before += warp_total[k];
    result.total += warp_total[k];
  }
  return result;
}

/// starts[i] = counts[0] + ... + counts[i - 1] for the tile of this block, whose number is that of the tile. When it
/// returns all blocks before have begun.
/// @param words  [tiles] zero before the kernel begins
__device__ inline void scan_counts(const std::int32_t* counts, std::int32_t* starts, unsigned long long* words) {
  __shared__ std::int32_t shared_before;
  const int tile = static_cast<int>(blockIdx.x);
  const std::int64_t first = std::int64_t{tile} * scan_tile + threadIdx.x * scan_counts_a_thread;
  int4 count[scan_counts_a_thread / 4];
  std::int32_t sum = 0;
  for (int k = 0; k < scan_counts_a_thread / 4; ++k) {
    count[k] = reinterpret_cast<const int4*>(counts + first)[k];
    sum += count[k].x + count[k].y + count[k].z + count[k].w;
  }
  const BlockSum block = scan_block(sum);
  if (threadIdx.x < 32) {
    const std::int32_t before = sum_before(words, tile, block.total);
    if (threadIdx.x == 0) shared_before = before;
  }
  __syncthreads();
  std::int32_t start = shared_before + block.before;
  for (int k = 0; k < scan_counts_a_thread / 4; ++k) {
    const int4 begin{start, start + count[k].x, start + count[k].x + count[k].y,
                     start + count[k].x + count[k].y + count[k].z};
    reinterpret_cast<int4*>(starts + first)[k] = begin;
    start = begin.w + count[k].w;
  }
}

}  // namespace shoal::sph
