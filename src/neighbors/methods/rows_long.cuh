// SPDX-License-Identifier: Apache-2.0
// Second stage of the method `rows` on CUDA (rows.cu): rows that are too long for masks.
#pragma once
#include "core/cuda/sort_network.cuh"
#include "core/cuda/warp.cuh"
#include "neighbors/methods/rows_masks.cuh"
#include "neighbors/methods/rows_writer.cuh"

/// A warp searches a long row again while it writes it.
namespace shoal::neighbors::rows {

constexpr int max_in_shared = 1024;  ///< Entries of a long row that is sorted in shared memory.

__device__ __forceinline__ void sort_long_row(std::int32_t* row, std::int64_t count) {
  __syncwarp();
  if (count <= 128) return sort_in_registers<4>(row, static_cast<int>(count));
  if (count <= 256) return sort_in_registers<8>(row, static_cast<int>(count));
  if (count <= 512) return sort_in_registers<16>(row, static_cast<int>(count));
  sort_network::sort_by_warp(row, count);
}

/// Searches and writes a long row with the whole warp, in shared memory if it fits there, else in the list.
/// @param k  sorted index of the destination
template <bool periodic, bool limits, bool ascending, class Real>
__device__ void write_long_row(const RowsArguments<Real>& search, std::int64_t k, std::int32_t* shared_row) {
  const NeighborPairs<Real>& pairs = search.pairs;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const Position<Real> position[1] = {pairs.destinations.position(k)};
  const Real limit[1] = {pairs.limit_of(k)};
  const std::int32_t destination = pairs.destinations.order[k];
  std::int32_t* const list_row = search.indices + search.offsets[destination];
  const std::int64_t count = search.offsets[destination + 1] - search.offsets[destination];
  std::int32_t* const row = count <= max_in_shared ? shared_row : list_row;
  std::int64_t row_length = 0;
  for_each_block(pairs, position, limit, [&](std::int32_t j, int length) {
    bool near = false;
    std::int32_t source = 0;
    if (lane < length) {
      Real within = limit[0];
      if constexpr (limits) within = ::max(within, pairs.sources.limits[j + lane]);
      const PackedPoint<Real> point = pairs.sources.point(j + lane);
      source = static_cast<std::int32_t>(point.number);
      near = pairs.test.template near<periodic>(position[0], point.position, within) &&
             pairs.rule.wants(destination, source);
    }
    const unsigned nearby = __ballot_sync(whole_warp, near);
    if (near) row[row_length + __popc(nearby & ((1u << lane) - 1))] = source;
    row_length += __popc(nearby);
  });
  if constexpr (ascending)
    sort_long_row(row, count);
  else
    __syncwarp();
  if (row == list_row) return;
  for (std::int64_t i = lane; i < count; i += 32) list_row[i] = row[i];
  __syncwarp();
}

}  // namespace shoal::neighbors::rows
