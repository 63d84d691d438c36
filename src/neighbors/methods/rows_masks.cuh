// SPDX-License-Identifier: Apache-2.0
// First stage of the method `rows` on CUDA (rows.cu): neighbor masks.
#pragma once
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "neighbors/neighbors_method.hpp"
#include "neighbors/search/same_cell_row.cuh"
#include "neighbors/tuning.hpp"

/// Tests the runs of cells around each destination, and keeps a mask with one bit for each test.
namespace shoal::neighbors::rows {

constexpr int mask_threads = 128;
constexpr int destinations_per_thread = 2;  ///< If enough threads remain.
constexpr int max_masks = 24;               ///< Masks that a destination may keep.
constexpr int max_masks_of_short_row = 12;  ///< Masks of a short row.
constexpr int max_short_row = 80;           ///< Neighbors of a short row, which two lanes sort.
constexpr int max_medium_row = 128;         ///< Neighbors of a medium row, which two lanes sort in more registers.
constexpr int max_large_row = 160;          ///< Neighbors of a large row, which two lanes sort in still more registers.

/// Lists of the rows that are not short. Large rows have as many masks as medium rows.
enum RowList { medium_rows, large_rows, long_rows };
constexpr int row_lists = 3;

/// Neighbor mask of 32 sources; the highest bit is the first source. Empty masks are not kept.
struct alignas(8) Mask {
  std::uint32_t bits;
  std::int32_t first;  ///< Sorted index of the first source.
};

/// Pairs that are near but not wanted.
enum class Unwanted {
  none,
  same_index,  ///< Only the destination itself, whose sorted indices among destinations and sources are equal.
  by_number    ///< Pairs that PairRule::wants() rejects.
};

/// Arguments of the kernels.
template <class Real>
struct RowsArguments {
  NeighborPairs<Real> pairs;
  Unwanted unwanted;
  Mask* masks;               ///< [max_masks][destinations], in the order of the search; sorted index of the destination
  std::int32_t* count;       ///< [destinations] numbers of neighbors, by number of the destination
  std::uint8_t* mask_count;  ///< [destinations] numbers of masks, by sorted index
  std::int32_t* listed[2];   ///< [destinations] each: sorted indices of the listed rows; see listed_row()
  unsigned* listed_count;    ///< [row_lists] lengths of the lists
  const std::int64_t* offsets;
  std::int64_t room;  ///< Number of entries that fit.
  std::int32_t* indices;
  const int* needed;  ///< See SearchPlan::needed().

  __device__ std::int64_t n() const { return pairs.destinations.count; }
  __device__ bool is_needed() const { return neighbors::is_needed(needed); }
  __device__ bool fits() const { return offsets[n()] <= room; }
  __device__ bool writes() const { return is_needed() && fits(); }
  /// Sorted index of row i of a list, in any order. Two lists share an array, which one of them fills from its end.
  __device__ std::int32_t& listed_row(RowList list, std::int64_t i) const {
    return list == large_rows ? listed[1][n() - 1 - i] : listed[list == long_rows ? 1 : 0][i];
  }
  /// Returns true if medium and large rows have a kernel of their own. Few of them are written by the kernel of the
  /// short rows.
  __device__ bool has_medium_kernel() const { return listed_count[medium_rows] + listed_count[large_rows] > n() / 64; }
};

/// Shifts `bits` left and appends the sign of a − b: 1 if a < b.
__device__ __forceinline__ std::uint32_t shift_in_sign(std::uint32_t bits, float a, float b) {
  return __funnelshift_l(__float_as_uint(a - b), bits, 1);
}
__device__ __forceinline__ std::uint32_t shift_in_sign(std::uint32_t bits, double a, double b) {
  return __funnelshift_l(static_cast<std::uint32_t>(__double2hiint(a - b)), bits, 1);
}

/// Destinations that a thread tests together.
template <int count, class Real>
struct DestinationGroup {
  Position<Real> position[count];
  Real limit[count];  ///< m²
};

/// Computes the masks of the sources [j, j + length) for each destination; length ≤ 32. Reads up to three more sources.
template <bool periodic, bool limits, int count, class Real>
__device__ __forceinline__ void compute_masks(const NeighborPairs<Real>& pairs,
                                              const DestinationGroup<count, Real>& group, std::int32_t j, int length,
                                              std::uint32_t (&bits)[count]) {
  constexpr int step = 4;
#pragma unroll
  for (int d = 0; d < count; ++d) bits[d] = 0;
  int tested = 0;
  for (; tested < length; tested += step) {
#pragma unroll
    for (int s = 0; s < step; ++s) {
      const Position<Real> source = pairs.sources.position(j + tested + s);
      Real source_limit = 0;
      if constexpr (limits) source_limit = pairs.sources.limits[j + tested + s];
#pragma unroll
      for (int d = 0; d < count; ++d) {
        const Real within = limits ? ::max(group.limit[d], source_limit) : group.limit[d];
        const Real squared =
            PairTest<Real>::squared(pairs.test.template displacement<periodic>(group.position[d], source));
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
  if (pairs.rule.half) return Unwanted::by_number;
  if (!pairs.rule.excludes_self()) return Unwanted::none;
  return pairs.destinations.packed == pairs.sources.packed ? Unwanted::same_index : Unwanted::by_number;
}

/// Returns the bits of a mask whose pairs of numbers are wanted.
template <class Real>
__device__ std::uint32_t wanted_bits(const NeighborPairs<Real>& pairs, std::int64_t destination, const Mask& mask) {
  std::uint32_t wanted = mask.bits;
  for (std::uint32_t remaining = mask.bits; remaining != 0;) {
    const int place = __clz(static_cast<int>(remaining));
    const std::uint32_t bit = 0x80000000u >> place;
    remaining ^= bit;
    if (!pairs.rule.wants(destination, pairs.sources.order[mask.first + place])) wanted ^= bit;
  }
  return wanted;
}

/// Clears the bits of a mask whose pairs are not wanted.
/// @param k  sorted index of the destination
template <class Real>
__device__ __forceinline__ void clear_unwanted(const RowsArguments<Real>& search, std::int64_t k,
                                               std::int32_t destination, Mask& mask) {
  const auto self = static_cast<std::uint32_t>(k - mask.first);
  if (search.unwanted == Unwanted::same_index && self < 32) mask.bits &= ~(0x80000000u >> self);
  if (search.unwanted == Unwanted::by_number) mask.bits = wanted_bits(search.pairs, destination, mask);
}

/// Calls use(first source, length) for up to 32 consecutive sources at a time, of all runs around the destinations.
template <int count, class Real, class Use>
__device__ __forceinline__ void for_each_block(const NeighborPairs<Real>& pairs,
                                               const Position<Real> (&position)[count], const Real (&limit)[count],
                                               Use&& use) {
  Real bound[count];
#pragma unroll
  for (int d = 0; d < count; ++d) bound[d] = pairs.bound_of(limit[d]);
  for_each_run(*pairs.grid, position, bound, [&](std::int32_t first_cell, std::int32_t end_cell) {
    const auto end = static_cast<std::int32_t>(pairs.sources.start(end_cell));
    for (auto j = static_cast<std::int32_t>(pairs.sources.start(first_cell)); j < end; j += 32)
      use(j, ::min(end - j, 32));
  });
}

/// Masks of one destination while its thread computes them.
struct MaskedRow {
  int neighbors = 0;    ///< Number of set bits.
  int masks = 0;        ///< Number of masks, also those that are not kept.
  Mask* end = nullptr;  ///< Memory of the next mask.

  __device__ __forceinline__ void add(const Mask& mask, std::int64_t stride) {
    if (mask.bits == 0) return;
    neighbors += __popc(mask.bits);
    if (masks < max_masks) *end = mask;
    ++masks;
    end += stride;
  }
};

/// Restores the count of row i from the list, so that a search that is not needed gives the same offsets.
template <class Real>
__device__ __forceinline__ void restore_count(const RowsArguments<Real>& search, std::int64_t i) {
  if (i < search.n()) search.count[i] = static_cast<std::int32_t>(search.offsets[i + 1] - search.offsets[i]);
}

/// Stores the number of neighbors of a destination, and lists its row if it is not short.
template <class Real>
__device__ __forceinline__ void finish_row(const RowsArguments<Real>& search, std::int64_t k, std::int32_t destination,
                                           const MaskedRow& row) {
  search.count[destination] = row.neighbors;
  search.mask_count[k] = static_cast<std::uint8_t>(::min(row.masks, max_masks));
  if (row.masks <= max_masks_of_short_row && row.neighbors <= max_short_row) return;
  const RowList list = row.masks > max_masks || row.neighbors > max_large_row ? long_rows
                       : row.neighbors > max_medium_row                       ? large_rows
                                                                              : medium_rows;
  search.listed_row(list, atomicAdd(search.listed_count + list, 1)) = static_cast<std::int32_t>(k);
  if (list == long_rows) search.mask_count[k] = 0;  // the search of a long row is repeated when it is written
}

/// Computes the masks of the destinations with sorted indices k to k + count - 1.
template <bool periodic, bool limits, int count, class Real>
__device__ __forceinline__ void mask_together(const RowsArguments<Real>& search, std::int64_t k) {
  const NeighborPairs<Real>& pairs = search.pairs;
  DestinationGroup<count, Real> group;
  std::int32_t destination[count];
  MaskedRow row[count];
#pragma unroll
  for (int d = 0; d < count; ++d) {
    const PackedPoint<Real> point = pairs.destinations.point(k + d);
    group.position[d] = point.position;
    group.limit[d] = pairs.limit_of(k + d);
    destination[d] = static_cast<std::int32_t>(point.number);
    row[d].end = search.masks + k + d;
  }
  if (pairs.has_cell(group.position[0]))
    for_each_block(pairs, group.position, group.limit, [&](std::int32_t j, int length) {
      std::uint32_t bits[count];
      compute_masks<periodic, limits>(pairs, group, j, length, bits);
#pragma unroll
      for (int d = 0; d < count; ++d) {
        Mask mask{bits[d], j};
        clear_unwanted(search, k + d, destination[d], mask);
        row[d].add(mask, search.n());
      }
    });
#pragma unroll
  for (int d = 0; d < count; ++d) finish_row(search, k + d, destination[d], row[d]);
}

/// Computes the masks of all destinations. Destinations of one thread in one row of cells share the loads of sources.
template <bool periodic, bool limits, int count, class Real>
__global__ void __launch_bounds__(mask_threads, 6) mask_neighbors(RowsArguments<Real> search) {
  const std::int64_t k = count * thread_index();
  if (!search.is_needed()) {
    for (int d = 0; d < count; ++d) restore_count(search, k + d);
    return;
  }
  if constexpr (count > 1)
    if (k + count <= search.n() && in_same_cell_row<count>(search.pairs, k))
      return mask_together<periodic, limits, count>(search, k);
#pragma unroll 1
  for (int d = 0; d < count; ++d)
    if (k + d < search.n()) mask_together<periodic, limits, 1>(search, k + d);
}

/// Launches mask_neighbors() with several destinations for each thread if enough threads remain.
template <bool periodic, bool limits, class Real>
void compute_all_masks(const Queue& queue, const RowsArguments<Real>& search, std::int64_t n) {
  if constexpr (!periodic)
    if (n >= tuning::min_points_for_pairs)
      return launch<mask_threads>(queue, (n + destinations_per_thread - 1) / destinations_per_thread,
                                  mask_neighbors<periodic, limits, destinations_per_thread, Real>, search);
  launch<mask_threads>(queue, n, mask_neighbors<periodic, limits, 1, Real>, search);
}

}  // namespace shoal::neighbors::rows
