// SPDX-License-Identifier: Apache-2.0
// Second stage of the method `rows` on CUDA (rows.cu): rows from neighbor masks.
#pragma once
#include "core/cuda/shared_memory.cuh"
#include "core/cuda/sort_network.cuh"
#include "core/cuda/warp.cuh"
#include "neighbors/methods/rows_masks.cuh"

/// Two lanes write a row: they turn its masks into sorted indices of sources, the indices into numbers of sources, and
/// sort the numbers in registers.
namespace shoal::neighbors::rows {

/// Shared memory of a row, in words: its entries, then its masks. The last 2 words put equal positions of 16 rows into
/// 16 banks.
template <int max_entries, int max_row_masks>
constexpr int row_room = max_entries + 2 * max_row_masks + 2;

/// Entries of a row that its two lanes write from their registers, if the warp has no longer row.
constexpr int max_few_entries = 8;

/// Number of zeros above the highest bit of a number that is not 0.
__device__ __forceinline__ int leading_zeros(std::uint32_t bits) {
  int zeros;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(zeros) : "r"(bits));
  return zeros;
}

/// State of one of the two lanes that write a row. The lower lanes of the 16 rows of a warp come first, then the upper
/// ones: half a warp accesses different rows together, hence different banks of shared memory.
struct RowHalf {
  static constexpr int warp_rows = 16;  ///< Rows of a warp; distance between the lanes of a row.

  std::int32_t* row;  ///< Entries and masks in shared memory.
  int count = 0;      ///< Number of entries of the whole row.
  int masks = 0;      ///< Number of masks of the whole row.

  __device__ static bool is_upper() { return threadIdx.x % 32 >= warp_rows; }
  /// Number of the row of this lane in the warp and in the block.
  __device__ static int row_of_warp() { return static_cast<int>(threadIdx.x % warp_rows); }
  __device__ static int row_of_block() { return static_cast<int>(threadIdx.x / 32) * warp_rows + row_of_warp(); }
};

/// Loads a number if `condition` holds; else it stays as it is. The compiler would gather the conditions of many such
/// loads in registers first.
__device__ __forceinline__ void load_if(bool condition, const std::int32_t* address, std::int32_t& number) {
  asm("{\n"
      ".reg .pred holds;\n"
      "setp.ne.s32 holds, %2, 0;\n"
      "@holds ld.global.nc.s32 %0, [%1];\n"
      "}"
      : "+r"(number)
      : "l"(__cvta_generic_to_global(address)), "r"(static_cast<int>(condition)));
}

/// Masks of a row on their way from global to shared memory; each of the two lanes has every second one.
template <int max_row_masks>
struct LaneMasks {
  Mask mask[max_row_masks / 2];

  __device__ static int number(int m) { return 2 * m + (RowHalf::is_upper() ? 1 : 0); }

  /// Starts the loads of the masks of the row with sorted index k.
  template <class Real>
  __device__ __forceinline__ void fetch(const RowsArguments<Real>& search, std::int64_t k, int count) {
#pragma unroll
    for (int m = 0; m < max_row_masks / 2; ++m)
      if (number(m) < count) mask[m] = search.masks[number(m) * search.n() + k];
  }
  __device__ __forceinline__ void store(Mask* masks, int count) const {
#pragma unroll
    for (int m = 0; m < max_row_masks / 2; ++m)
      if (number(m) < count) masks[number(m)] = mask[m];
  }
};

/// Writes the sorted indices of the neighbors into the row: the lower lane the front half, forward from the first
/// entry; the upper lane the back half, backward from the last.
template <int max_entries>
__device__ __forceinline__ void expand_masks(const RowHalf& half) {
  const bool upper = RowHalf::is_upper();
  const std::uint32_t keep_all = opaque(upper ? 0 : -1);
  const int mask_step = opaque(upper ? -8 : 8);
  const int entry_step = opaque(upper ? -4 : 4);
  SharedAddress next(reinterpret_cast<const Mask*>(half.row + max_entries) + (upper ? half.masks - 1 : 0));
  SharedAddress entry(upper ? half.row + half.count - 1 : half.row);
  Mask mask{0, 0};
#pragma unroll 4
  for (int remaining = upper ? half.count / 2 : (half.count + 1) / 2; remaining > 0; --remaining) {
    if (mask.bits == 0) {
      next.load(mask.bits, mask.first);
      next = next + mask_step;
    }
    const int bit = leading_zeros(mask.bits & ((0 - mask.bits) | keep_all));
    mask.bits ^= 0x80000000u >> bit;
    entry.store(mask.first + bit);
    entry = entry + entry_step;
  }
}

/// Returns true if all rows of the warp are ascending. Each lane holds one half of a row.
template <int size>
__device__ __forceinline__ bool rows_ascend(const std::int32_t (&key)[size]) {
  static_assert(size >= 4);
  // The first numbers of rows in no order suffice in nearly all warps.
  if (!__all_sync(whole_warp, key[0] <= key[1] && key[1] <= key[2] && key[2] <= key[3])) return false;
  const std::int32_t adjacent =
      __shfl_xor_sync(whole_warp, RowHalf::is_upper() ? key[0] : key[size - 1], RowHalf::warp_rows);
  bool ascends = !RowHalf::is_upper() || adjacent <= key[0];
#pragma unroll
  for (int i = 1; i < size; ++i) ascends = ascends && key[i - 1] <= key[i];
  return __all_sync(whole_warp, ascends);
}

/// Reads the numbers of the sources of this half, whose sorted indices are in the row; INT32_MAX behind the row.
/// @return  first entry of this half
template <int size>
__device__ __forceinline__ std::int32_t* read_numbers(const RowHalf& half, const std::int32_t* order,
                                                      std::int32_t (&key)[size]) {
  const int first = RowHalf::is_upper() ? size : 0;
  std::int32_t* const entries = half.row + first;
#pragma unroll
  for (int i = 0; i < size; ++i) {
    key[i] = INT32_MAX;
    load_if(i < half.count - first, order + entries[i], key[i]);
  }
  return entries;
}

/// Sorts rows in registers, each in two lanes.
///
/// Each lane sorts its half. The lanes then compare the first key of one with the last key of the other, and so on, which
/// moves the larger keys to the upper lane. A bitonic merge sorts each half.
template <int size>
__device__ __forceinline__ void sort_halves(std::int32_t (&key)[size]) {
  if (rows_ascend(key)) return;
  const bool upper = RowHalf::is_upper();
  sort_network::sort_registers(key);
#pragma unroll
  for (int i = 0; i < size / 2; ++i) {
    std::int32_t& mirrored = key[size - 1 - i];
    const std::int32_t for_first = __shfl_xor_sync(whole_warp, mirrored, RowHalf::warp_rows);
    const std::int32_t for_mirrored = __shfl_xor_sync(whole_warp, key[i], RowHalf::warp_rows);
    key[i] = upper ? ::max(key[i], for_first) : ::min(key[i], for_first);
    mirrored = upper ? ::max(mirrored, for_mirrored) : ::min(mirrored, for_mirrored);
  }
  sort_network::sort_bitonic(key);
}

/// Replaces the sorted indices in a row of at most 2 · `size` entries by the numbers of the sources, ascending.
template <int size>
__device__ __forceinline__ void sort_row(const RowHalf& half, const std::int32_t* order) {
  std::int32_t key[size];
  std::int32_t* const entries = read_numbers(half, order, key);
  sort_halves(key);
#pragma unroll
  for (int i = 0; i < size; ++i) entries[i] = key[i];  // those beyond the row are not read
}

/// Sorts the rows of a block in the fewest registers that suffice for the longest row. All warps of a block run the
/// same sorting network together, because the instruction cache does not hold several networks.
/// @param skips  the rows of this warp stay as they are
template <int size, int... sizes>
__device__ __forceinline__ void sort_rows(const RowHalf& half, const std::int32_t* order, bool skips) {
  const bool is_too_long = __syncthreads_or(half.count > 2 * size) != 0;
  if constexpr (sizeof...(sizes) > 0)
    if (is_too_long) return sort_rows<sizes...>(half, order, skips);
  if (!skips) sort_row<size>(half, order);
}

/// Writes rows of at most `max_few_entries` entries, whose sorted indices are in shared memory, to the list.
template <bool ascending>
__device__ __forceinline__ void write_few_entries(const RowHalf& half, std::int64_t begin, const std::int32_t* order,
                                                  std::int32_t* indices) {
  constexpr int size = max_few_entries / 2;
  std::int32_t key[size];
  const auto first = static_cast<int>(read_numbers(half, order, key) - half.row);
  if constexpr (ascending) sort_halves(key);
#pragma unroll
  for (int i = 0; i < size; ++i)
    if (first + i < half.count) indices[begin + first + i] = key[i];
}

/// Writes the 16 rows of a warp to the list. They are `room` words apart in shared memory, as numbers of the sources or,
/// if `is_sorted_index`, as sorted indices.
/// @tparam rows  number of rows whose reads are under way together
template <int max_entries, int room, bool is_sorted_index, int rows>
__device__ __forceinline__ void write_warp(const RowHalf& half, std::int64_t begin, const std::int32_t* order,
                                           std::int32_t* indices) {
  constexpr int reads = (max_entries + 31) / 32;
  static_assert(32 * reads <= room, "all lanes read, also behind the row");
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int32_t* warp_rows = half.row - RowHalf::row_of_warp() * room + lane;
#pragma unroll 1
  for (int first = 0; first < RowHalf::warp_rows; first += rows) {
    std::int32_t part[rows][reads];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int i = 0; i < reads; ++i) part[r][i] = warp_rows[r * room + 32 * i];
      if constexpr (is_sorted_index) {
        const int length = __shfl_sync(whole_warp, half.count, first + r);
#pragma unroll
        for (int i = 0; i < reads; ++i) load_if(lane + 32 * i < length, order + part[r][i], part[r][i]);
      }
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int length = __shfl_sync(whole_warp, half.count, first + r);
      std::int32_t* const entry = indices + __shfl_sync(whole_warp, begin, first + r) + lane;
#pragma unroll
      for (int i = 0; i < reads; ++i)
        if (lane + 32 * i < length) entry[32 * i] = part[r][i];
    }
    warp_rows += rows * room;
  }
}

/// Sorts a row in memory with the whole warp, n keys in each lane.
template <int n>
__device__ __forceinline__ void sort_in_registers(std::int32_t* row, int count) {
  std::int32_t key[n];
  const int first = static_cast<int>(threadIdx.x % 32) * n;
#pragma unroll
  for (int i = 0; i < n; ++i) key[i] = first + i < count ? row[first + i] : INT32_MAX;
  sort_network::sort_across_warp(key);
#pragma unroll
  for (int i = 0; i < n; ++i)
    if (first + i < count) row[first + i] = key[i];
  __syncwarp();
}

/// Sorts a row in memory with the whole warp, in the fewest registers that suffice.
/// @tparam sizes  keys of a lane, ascending; the last one suffices
template <int size, int... sizes>
__device__ __forceinline__ void sort_in_fewest_registers(std::int32_t* row, int count) {
  if constexpr (sizeof...(sizes) > 0)
    if (count > 32 * size) return sort_in_fewest_registers<sizes...>(row, count);
  sort_in_registers<size>(row, count);
}

/// Writes a row of at most `max_masks` masks and `max_large_row` entries with the whole warp.
/// @param k      sorted index of the destination
/// @param sizes  see sort_in_fewest_registers()
template <bool ascending, int... sizes, class Real>
__device__ __forceinline__ void write_row_by_warp(const RowsArguments<Real>& search, std::int64_t k,
                                                  std::int32_t* shared_row) {
  static_assert(max_masks <= 32 && max_large_row <= 256);
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int masks = search.mask_count[k];
  const std::int64_t begin = search.offsets[search.pairs.destinations.order[k]];
  Mask lane_mask{0, 0};
  if (lane < masks) lane_mask = search.masks[lane * search.n() + k];
  int count = 0;
  for (int m = 0; m < masks; ++m) {
    const std::uint32_t bits = __shfl_sync(whole_warp, lane_mask.bits, m);
    const std::int32_t source = __shfl_sync(whole_warp, lane_mask.first, m) + lane;
    const std::uint32_t before = bits & ~(0xffffffffu >> lane);
    if ((bits << lane >> 31) != 0) shared_row[count + __popc(before)] = __ldg(search.pairs.sources.order + source);
    count += __popc(bits);
  }
  __syncwarp();
  if constexpr (ascending) sort_in_fewest_registers<sizes...>(shared_row, count);
  for (int i = lane; i < count; i += 32) search.indices[begin + i] = shared_row[i];
  __syncwarp();
}

/// Writes the rows of a block, one for each two lanes. A row with more than `max_entries` entries or `max_row_masks`
/// masks is left to another kernel.
/// @param k      sorted index of the destination of these two lanes
/// @param skips  these two lanes have no row
/// @param sizes  sizes of the sorting networks, ascending; the last one suffices for `max_entries`
/// @return       true if the row is left; false for long rows, which have no masks
template <bool ascending, int max_entries, int max_row_masks, int... sizes, class Real>
__device__ __forceinline__ bool write_rows_of_block(const RowsArguments<Real>& search, std::int64_t k, bool skips,
                                                    std::int32_t* shared_row) {
  std::int64_t begin = 0;
  RowHalf half{shared_row};
  const int masks = skips ? 0 : search.mask_count[k];
  if (masks > 0 && masks <= max_row_masks) {
    LaneMasks<max_row_masks> lane_masks;
    lane_masks.fetch(search, k, masks);
    const std::int32_t destination = search.pairs.destinations.order[k];
    begin = search.offsets[destination];
    const std::int64_t count = search.offsets[destination + 1] - begin;
    lane_masks.store(reinterpret_cast<Mask*>(shared_row + max_entries), masks);
    if (count <= max_entries) {
      half.count = static_cast<int>(count);
      half.masks = masks;
    }
  }
  const bool are_few = __all_sync(whole_warp, half.count <= max_few_entries);
  __syncwarp();
  expand_masks<max_entries>(half);
  const std::int32_t* const order = search.pairs.sources.order;
  if constexpr (ascending) sort_rows<sizes...>(half, order, are_few);
  __syncwarp();
  if (are_few)
    write_few_entries<ascending>(half, begin, order, search.indices);
  else
    write_warp<max_entries, row_room<max_entries, max_row_masks>, !ascending, ascending ? 4 : 8>(half, begin, order,
                                                                                                 search.indices);
  __syncwarp();
  return masks > 0 && half.masks == 0;
}

}  // namespace shoal::neighbors::rows
