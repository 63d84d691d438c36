// SPDX-License-Identifier: Apache-2.0
// The search of the method `rows` on CUDA: see rows.cu.
#pragma once
#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"
#include "neighbors/neighbors_method.hpp"
#include "neighbors/search/same_cell_row.cuh"

/// Tests the runs of cells around each destination and keeps a bit a test.
namespace shoal::row_marks {

constexpr int mark_threads = 128;
constexpr int marked_together = 2;       ///< destinations of a thread
constexpr int most_marks = 24;           ///< that a destination may keep
constexpr int most_marks_of_row = 12;    ///< of a row that is written at once
constexpr int most_in_row = 80;          ///< neighbors of a row that two lanes sort without more ado
constexpr int most_in_medium_row = 160;  ///< of a row that two lanes sort in more registers

/// Rows that are not written at once.
enum RowList { medium_rows, long_rows };

/// Which of 32 sources from `first` on are near: the first one in the highest bit. Marks without any are not kept.
struct alignas(8) Mark {
  std::uint32_t bits;
  std::int32_t first;
};

/// How a search finds pairs that are near but not wanted.
enum class Unwanted {
  none,
  own_place,  ///< only the destination itself, which has the same place among the sources
  by_number
};

/// What the kernels share.
template <class Real>
struct RowSearch {
  NeighborPairs<Real> pairs;
  Unwanted unwanted;
  Mark* marks;               ///< [most_marks][destinations], those of a destination in the order of its search
  std::int32_t* count;       ///< [destinations] neighbors of each, by number
  std::uint8_t* mark_count;  ///< [destinations] of each place
  std::int32_t* listed[2];   ///< [destinations] each: places of medium and long rows, in any order
  unsigned* listed_count;    ///< of each list
  const std::int64_t* offsets;
  std::int64_t room;
  std::int32_t* indices;
  const int* needed;  ///< see NeighborSearch

  __device__ std::int64_t n() const { return pairs.destinations.count; }
  __device__ bool is_needed() const { return shoal::is_needed(needed); }
  __device__ bool fits() const { return offsets[n()] <= room; }
  __device__ bool writes() const { return is_needed() && fits(); }
  /// Whether medium rows are worth a kernel of their own; else the warps that meet them make them.
  __device__ bool has_enough_medium_rows() const { return listed_count[medium_rows] > n() / 64; }
};

/// Shifts in the sign of a − b from below: 1 if a < b.
__device__ __forceinline__ std::uint32_t shift_in_sign(std::uint32_t bits, float a, float b) {
  return __funnelshift_l(__float_as_uint(a - b), bits, 1);
}
__device__ __forceinline__ std::uint32_t shift_in_sign(std::uint32_t bits, double a, double b) {
  return __funnelshift_l(static_cast<std::uint32_t>(__double2hiint(a - b)), bits, 1);
}

/// Destinations that a thread marks together.
template <int count, class Real>
struct Together {
  Position<Real> at[count];
  Real limit[count];
};

/// The mark bits of sources [j, j + length) for each destination; length ≤ 32. Reads up to three sources more.
template <bool periodic, bool limits, int count, class Real>
__device__ __forceinline__ void mark_bits(const NeighborPairs<Real>& pairs, const Together<count, Real>& near,
                                          std::int32_t j, int length, std::uint32_t (&bits)[count]) {
  constexpr int step = 4;
#pragma unroll
  for (int d = 0; d < count; ++d) bits[d] = 0;
  int tested = 0;
  for (; tested < length; tested += step) {
#pragma unroll
    for (int s = 0; s < step; ++s) {
      const Position<Real> source = pairs.sources.at(j + tested + s);
      Real of_source = 0;
      if constexpr (limits) of_source = pairs.sources.limits[j + tested + s];
#pragma unroll
      for (int d = 0; d < count; ++d) {
        const Real within = limits ? ::max(near.limit[d], of_source) : near.limit[d];
        const Real squared = PairTest<Real>::squared(pairs.test.template displacement<periodic>(near.at[d], source));
        bits[d] = shift_in_sign(bits[d], squared, within);
      }
    }
  }
#pragma unroll
  for (int d = 0; d < count; ++d) {
    bits[d] <<= 32 - tested;
    if (length < 32) bits[d] &= ~(0xffffffffu >> length);
  }
}

template <class Real>
Unwanted unwanted_of(const NeighborPairs<Real>& pairs) {
  if (pairs.half) return Unwanted::by_number;
  if (!pairs.excludes_self()) return Unwanted::none;
  return pairs.destinations.packed == pairs.sources.packed ? Unwanted::own_place : Unwanted::by_number;
}

/// Leaves only pairs whose numbers are wanted.
template <class Real>
__device__ std::uint32_t wanted_of(const NeighborPairs<Real>& pairs, std::int64_t destination, const Mark& mark) {
  std::uint32_t wanted = mark.bits;
  for (std::uint32_t left = mark.bits; left != 0;) {
    const int bit = __clz(static_cast<int>(left));
    const std::uint32_t mask = 0x80000000u >> bit;
    left ^= mask;
    if (!pairs.wants(destination, pairs.sources.order[mark.first + bit])) wanted ^= mask;
  }
  return wanted;
}

/// Calls use(first source, length) for up to 32 sources at a time of the runs around destinations.
template <int count, class Real, class Use>
__device__ __forceinline__ void for_each_word(const NeighborPairs<Real>& pairs, const Position<Real> (&at)[count],
                                              const Real (&limit)[count], Use&& use) {
  Real bound[count];
#pragma unroll
  for (int d = 0; d < count; ++d) bound[d] = pairs.bound_of(limit[d]);
  for_each_run(*pairs.grid, at, bound, [&](std::int32_t first_cell, std::int32_t end_cell) {
    const auto end = static_cast<std::int32_t>(pairs.sources.start(end_cell));
    for (auto j = static_cast<std::int32_t>(pairs.sources.start(first_cell)); j < end; j += 32)
      use(j, ::min(end - j, 32));
  });
}

/// What a thread keeps of a destination while it is marked.
struct MarkedRow {
  int found = 0;
  int marks = 0;
  Mark* to = nullptr;

  __device__ __forceinline__ void add(const Mark& mark, std::int64_t stride) {
    if (mark.bits == 0) return;
    found += __popc(mark.bits);
    if (marks < most_marks) *to = mark;
    ++marks;
    to += stride;
  }
};

/// The count of row i as the list has it, so that a search that is not needed gives the same offsets.
template <class Real>
__device__ __forceinline__ void keep_count(const RowSearch<Real>& search, std::int64_t i) {
  if (i < search.n()) search.count[i] = static_cast<std::int32_t>(search.offsets[i + 1] - search.offsets[i]);
}

/// Notes how many neighbors place k has, and who writes its row.
template <class Real>
__device__ __forceinline__ void finish_row(const RowSearch<Real>& search, std::int64_t k, std::int32_t destination,
                                           const MarkedRow& row) {
  search.count[destination] = row.found;
  search.mark_count[k] = static_cast<std::uint8_t>(::min(row.marks, most_marks));
  if (row.marks <= most_marks_of_row && row.found <= most_in_row) return;
  const RowList list = row.marks <= most_marks && row.found <= most_in_medium_row ? medium_rows : long_rows;
  search.listed[list][atomicAdd(search.listed_count + list, 1)] = static_cast<std::int32_t>(k);
  if (list == long_rows) search.mark_count[k] = 0;  // they are searched again
}

/// Marks the neighbors of places k, k + 1, ..., which are searched together.
template <bool periodic, bool limits, int count, class Real>
__device__ __forceinline__ void mark_together(const RowSearch<Real>& search, std::int64_t k) {
  const NeighborPairs<Real>& pairs = search.pairs;
  Together<count, Real> near;
  std::int32_t destination[count];
  MarkedRow row[count];
#pragma unroll
  for (int d = 0; d < count; ++d) {
    const PackedPoint<Real> point = pairs.destinations.point(k + d);
    near.at[d] = point.at;
    near.limit[d] = pairs.limit_of(k + d);
    destination[d] = static_cast<std::int32_t>(point.number);
    row[d].to = search.marks + k + d;
  }
  if (pairs.has_cell(near.at[0]))
    for_each_word(pairs, near.at, near.limit, [&](std::int32_t j, int length) {
      std::uint32_t bits[count];
      mark_bits<periodic, limits>(pairs, near, j, length, bits);
#pragma unroll
      for (int d = 0; d < count; ++d) {
        Mark mark{bits[d], j};
        const auto own = static_cast<std::uint32_t>(k + d - j);
        if (search.unwanted == Unwanted::own_place && own < 32) mark.bits &= ~(0x80000000u >> own);
        if (search.unwanted == Unwanted::by_number) mark.bits = wanted_of(pairs, destination[d], mark);
        row[d].add(mark, search.n());
      }
    });
#pragma unroll
  for (int d = 0; d < count; ++d) finish_row(search, k + d, destination[d], row[d]);
}

/// Destinations of a thread share the reading of sources where they share rows of cells.
template <bool periodic, bool limits, int count, class Real>
__global__ void __launch_bounds__(mark_threads, 6) mark_neighbors(RowSearch<Real> search) {
  const std::int64_t k = count * thread_index();
  if (!search.is_needed()) {
    for (int d = 0; d < count; ++d) keep_count(search, k + d);
    return;
  }
  if constexpr (count > 1)
    if (k + count <= search.n() && share_rows<count>(search.pairs, k))
      return mark_together<periodic, limits, count>(search, k);
#pragma unroll 1
  for (int d = 0; d < count; ++d)
    if (k + d < search.n()) mark_together<periodic, limits, 1>(search, k + d);
}

/// Several destinations a thread where that leaves enough threads.
template <bool periodic, bool limits, class Real>
void mark(const Queue& queue, const RowSearch<Real>& search, std::int64_t n) {
  constexpr std::int64_t enough_points = 1 << 18;
  if constexpr (!periodic)
    if (n >= enough_points)
      return launch<mark_threads>(queue, (n + marked_together - 1) / marked_together,
                                  mark_neighbors<periodic, limits, marked_together, Real>, search);
  launch<mark_threads>(queue, n, mark_neighbors<periodic, limits, 1, Real>, search);
}

}  // namespace shoal::row_marks
