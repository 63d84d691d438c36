// SPDX-License-Identifier: Apache-2.0
// How the method `rows` on CUDA makes rows of marks: see rows.cu.
#pragma once
#include "core/cuda/sort_network.cuh"
#include "neighbors/methods/rows_marks.cuh"

/// Two lanes make a row: its marks become places, places numbers, and numbers are sorted in registers.
namespace shoal::row_marks {

/// Shared memory of a row: its elements, and behind them its marks. The last 2 make equal places of 16 rows be in 16
/// banks.
template <int most, int most_marks_here>
constexpr int row_room = most + 2 * most_marks_here + 2;

/// A row in the making, as one of its two lanes has it.
struct RowHalf {
  std::int32_t* row;  ///< in shared memory
  int count = 0;      ///< of the whole row
  int marks = 0;

  __device__ static bool is_upper() { return threadIdx.x % 2 != 0; }
};

/// Puts the marks of place k behind the room for the row, which is `most`.
template <int most, int most_marks_here, class Real>
__device__ __forceinline__ void fetch_marks(const RowSearch<Real>& search, std::int64_t k, const RowHalf& half) {
  Mark* const marks = reinterpret_cast<Mark*>(half.row + most);
#pragma unroll
  for (int m = 0; m < most_marks_here; m += 2) {
    const int mine = RowHalf::is_upper() ? m + 1 : m;
    if (mine < half.marks) marks[mine] = search.marks[mine * search.n() + k];
  }
}

/// Puts the places that are marked into the row: the lower lane the front half, from the first on; the upper lane the
/// back half, from the last back.
template <int most>
__device__ __forceinline__ void list_places(const RowHalf& half) {
  const bool upper = RowHalf::is_upper();
  const std::uint32_t from_front = upper ? 0 : 0xffffffffu;
  const int onward = upper ? -1 : 1;
  const Mark* next = reinterpret_cast<const Mark*>(half.row + most) + (upper ? half.marks - 1 : 0);
  std::int32_t* to = upper ? half.row + half.count - 1 : half.row;
  Mark mark{0, 0};
  for (int left = upper ? half.count / 2 : (half.count + 1) / 2; left > 0; --left) {
    if (mark.bits == 0) {
      mark = *next;
      next += onward;
    }
    const std::uint32_t last_bit_or_all = mark.bits & ((0 - mark.bits) | from_front);
    const int bit = __clz(static_cast<int>(last_bit_or_all));
    mark.bits ^= 0x80000000u >> bit;
    *to = mark.first + bit;
    to += onward;
  }
}

/// Whether the rows of a warp are in order, of which each lane has a part.
template <int size>
__device__ __forceinline__ bool rows_ascend(const std::int32_t (&key)[size]) {
  const std::int32_t other = __shfl_xor_sync(whole_warp, RowHalf::is_upper() ? key[0] : key[size - 1], 1);
  bool ascends = !RowHalf::is_upper() || other <= key[0];
#pragma unroll
  for (int i = 1; i < size; ++i) ascends = ascends && key[i - 1] <= key[i];
  return __all_sync(whole_warp, ascends);
}

/// Replaces the places in a row of at most 2 `size` elements by their numbers, in order. Each lane sorts its own part;
/// a comparison of the largest of the lower lane with the smallest of the upper, of the second largest ... leaves the
/// upper lane the larger ones; and a merge puts those of each lane in order. The lower lane sorts complements, from the
/// largest number to the smallest, so that both do the same.
template <int size>
__device__ __forceinline__ void sort_row(const RowHalf& half, const std::int32_t* order) {
  const bool upper = RowHalf::is_upper();
  std::int32_t* const mine = upper ? half.row + size : half.row;
  const int count = upper ? half.count - size : half.count;
  std::int32_t key[size];
#pragma unroll
  for (int i = 0; i < size; ++i) key[i] = i < count ? __ldg(order + mine[i]) : INT32_MAX;
  if (rows_ascend(key)) {
#pragma unroll
    for (int i = 0; i < size; ++i)
      if (i < count) mine[i] = key[i];
    return;
  }
  const std::int32_t turn = upper ? 0 : -1;
#pragma unroll
  for (int i = 0; i < size; ++i) key[i] ^= turn;
  sort_network::sort_registers(key);
#pragma unroll
  for (int i = 0; i < size; ++i) key[i] = ::max(key[i], ~__shfl_xor_sync(whole_warp, key[i], 1));
  sort_network::sort_valley(key);
  __syncwarp();
#pragma unroll
  for (int i = 0; i < size; ++i) {
    const int place = upper ? size + i : size - 1 - i;
    if (place < half.count) half.row[place] = key[i] ^ turn;
  }
}

/// Sorts the rows of a block in the fewest registers that are enough for the longest. All warps of a block go through
/// the same instructions together, which are too many for the instruction cache to hold for warps that do not.
template <int size, int... sizes>
__device__ __forceinline__ void sort_rows(const RowHalf& half, const std::int32_t* order) {
  const bool is_too_long = __syncthreads_or(half.count > 2 * size) != 0;
  if constexpr (sizeof...(sizes) > 0)
    if (is_too_long) return sort_rows<sizes...>(half, order);
  sort_row<size>(half, order);
}

/// Writes the 16 rows of a warp, which are `room` apart in shared memory and have at most `most` elements.
template <int most, int room>
__device__ __forceinline__ void write_warp(const RowHalf& half, std::int64_t begin, std::int32_t* indices) {
  constexpr int reads = (most + 31) / 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int32_t* const of_warp = half.row - lane / 2 * room;
#pragma unroll 4
  for (int r = 0; r < 16; ++r) {
    const int length = __shfl_sync(whole_warp, half.count, 2 * r);
    std::int32_t* const to = indices + __shfl_sync(whole_warp, begin, 2 * r) + lane;
    std::int32_t part[reads];
#pragma unroll
    for (int i = 0; i < reads; ++i)
      if (lane + 32 * i < length) part[i] = of_warp[r * room + lane + 32 * i];
#pragma unroll
    for (int i = 0; i < reads; ++i)
      if (lane + 32 * i < length) to[32 * i] = part[i];
  }
}

/// Sorts a row in memory by the whole warp, in 32 n registers.
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

/// Makes the row of place k, of at most `most_marks` marks and `most_in_medium_row` elements, by the whole warp.
template <class Real>
__device__ __forceinline__ void write_row_by_warp(const RowSearch<Real>& search, std::int64_t k,
                                                  std::int32_t* shared_row) {
  static_assert(most_marks <= 32 && most_in_medium_row <= 256);
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int marks = search.mark_count[k];
  const std::int64_t begin = search.offsets[search.pairs.destinations.order[k]];
  Mark of_lane{0, 0};
  if (lane < marks) of_lane = search.marks[lane * search.n() + k];
  int count = 0;
  for (int m = 0; m < marks; ++m) {
    const std::uint32_t bits = __shfl_sync(whole_warp, of_lane.bits, m);
    const std::int32_t place = __shfl_sync(whole_warp, of_lane.first, m) + lane;
    const std::uint32_t before = bits & ~(0xffffffffu >> lane);
    if ((bits << lane >> 31) != 0) shared_row[count + __popc(before)] = __ldg(search.pairs.sources.order + place);
    count += __popc(bits);
  }
  __syncwarp();
  if (count <= 128)
    sort_in_registers<4>(shared_row, count);
  else
    sort_in_registers<8>(shared_row, count);
  for (int i = lane; i < count; i += 32) search.indices[begin + i] = shared_row[i];
  __syncwarp();
}

/// Makes the rows of a block: that of place k by each two lanes, or none if `skips`. A row that has more than `most`
/// elements or `most_marks_here` marks is left.
/// @param sizes  of sorting networks, ascending; twice the last is enough for all
/// @return       whether the row of place k is left; false for long rows
template <int most, int most_marks_here, int... sizes, class Real>
__device__ __forceinline__ bool write_rows_of_block(const RowSearch<Real>& search, std::int64_t k, bool skips,
                                                    std::int32_t* shared_row) {
  std::int64_t begin = 0;
  RowHalf half{shared_row};
  const int marks = skips ? 0 : search.mark_count[k];
  if (marks > 0 && marks <= most_marks_here) {
    const std::int32_t destination = search.pairs.destinations.order[k];
    begin = search.offsets[destination];
    const std::int64_t count = search.offsets[destination + 1] - begin;
    if (count <= most) {
      half.count = static_cast<int>(count);
      half.marks = marks;
    }
  }
  fetch_marks<most, most_marks_here>(search, k, half);
  __syncwarp();
  list_places<most>(half);
  sort_rows<sizes...>(half, search.pairs.sources.order);
  __syncwarp();
  write_warp<most, row_room<most, most_marks_here>>(half, begin, search.indices);
  __syncwarp();
  return marks > 0 && half.marks == 0;
}

}  // namespace shoal::row_marks
