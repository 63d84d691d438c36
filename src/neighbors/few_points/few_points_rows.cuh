// SPDX-License-Identifier: Apache-2.0
// The method `rows` on CUDA (rows.cu) for few destinations: more threads for each, in fewer kernels.
#pragma once
#include "core/cuda/warp.cuh"
#include "neighbors/methods/rows_long.cuh"
#include "neighbors/methods/rows_masks.cuh"
#include "neighbors/methods/rows_writer.cuh"

/// A team of threads shares the runs of cells around a destination. One block scans the counts. A warp writes a row.
namespace shoal::neighbors::few_points {

using namespace rows;

constexpr int team = 8;  ///< Threads that search the neighbors of one destination.
constexpr int scan_threads = 1024;
constexpr int scan_items = 15;  ///< Counts of a thread.
constexpr int row_threads = 128;
static_assert(scan_threads * scan_items >= tuning::few_points);

template <class Real>
bool takes(const RowsArguments<Real>& search) {
  return search.pairs.destinations.count <= tuning::few_points;
}

/// Masks of one member of a team, in the order of its runs.
template <int rounds>
struct MemberMasks {
  MaskedRow row;
  int in_round[rounds];  ///< Numbers of masks in each of its runs.
};

/// Searches the runs with numbers member, member + team, ... around a destination.
/// @param kept  [max_masks] out, mask_threads apart
template <bool periodic, bool limits, int rounds, class Real>
__device__ __forceinline__ MemberMasks<rounds> search_runs(const RowsArguments<Real>& search, std::int64_t k,
                                                           const PackedPoint<Real>& destination, int member,
                                                           Mask* kept) {
  const NeighborPairs<Real>& pairs = search.pairs;
  const DestinationGroup<1, Real> group{{destination.position}, {pairs.limit_of(k)}};
  std::int32_t first_cell[rounds] = {};
  std::int32_t end_cell[rounds] = {};
  int run = 0;
  for_each_run(*pairs.grid, destination.position, pairs.bound_of(group.limit[0]),
               [&](std::int32_t first, std::int32_t end) {
#pragma unroll
                 for (int r = 0; r < rounds; ++r) {
                   if (run != r * team + member) continue;
                   first_cell[r] = first;
                   end_cell[r] = end;
                 }
                 ++run;
               });
  MemberMasks<rounds> result{};
  result.row.end = kept;
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    const int before = result.row.masks;
    const auto end = static_cast<std::int32_t>(pairs.sources.start(end_cell[r]));
    for (auto j = static_cast<std::int32_t>(pairs.sources.start(first_cell[r])); j < end; j += 32) {
      std::uint32_t bits[1];
      compute_masks<periodic, limits>(pairs, group, j, ::min(end - j, 32), bits);
      Mask mask{bits[0], j};
      clear_unwanted(search, k, static_cast<std::int32_t>(destination.number), mask);
      result.row.add(mask, mask_threads);
    }
    result.in_round[r] = result.row.masks - before;
  }
  return result;
}

/// Returns the sum over a team.
__device__ __forceinline__ int add_across_team(int value) {
#pragma unroll
  for (int width = team / 2; width > 0; width /= 2) value += __shfl_xor_sync(whole_warp, value, width);
  return value;
}

/// Returns the sum over the lower members of a team.
__device__ __forceinline__ int add_lower_members(int value, int member) {
  int sum = value;
#pragma unroll
  for (int width = 1; width < team; width *= 2) {
    const int lower = __shfl_up_sync(whole_warp, sum, width, team);
    if (member >= width) sum += lower;
  }
  return sum - value;
}

/// Computes the masks of all destinations, one team for each.
template <bool periodic, bool limits, class Real>
__global__ void __launch_bounds__(mask_threads, 6) mask_by_teams(RowsArguments<Real> search) {
  constexpr int rounds = ((periodic ? 18 : 9) + team - 1) / team;  // a periodic axis cuts runs in two
  __shared__ Mask kept[max_masks][mask_threads];
  join_chain(true);
  const std::int64_t k = thread_index() / team;
  const int member = static_cast<int>(threadIdx.x % team);
  if (!search.is_needed()) {
    if (member == 0) restore_count(search, k);
    return;
  }
  PackedPoint<Real> destination{};
  MemberMasks<rounds> result{};
  if (k < search.n()) {
    destination = search.pairs.destinations.point(k);
    if (search.pairs.has_cell(destination.position))
      result = search_runs<periodic, limits, rounds>(search, k, destination, member, &kept[0][threadIdx.x]);
  }
  const int neighbors = add_across_team(result.row.neighbors);
  const int masks = add_across_team(result.row.masks);
  const bool is_long = masks > max_masks || neighbors > max_large_row;
  int first = 0;    // first mask of the round
  int earlier = 0;  // masks of this member before the round
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    const int count = result.in_round[r];
    const int begin = first + add_lower_members(count, member);
    for (int m = 0; !is_long && m < count; ++m)
      search.masks[(begin + m) * search.n() + k] = kept[earlier + m][threadIdx.x];
    earlier += count;
    first += add_across_team(count);
  }
  if (k >= search.n() || member > 0) return;
  search.count[destination.number] = neighbors;
  search.mask_count[k] = static_cast<std::uint8_t>(is_long ? 0 : masks);
}

/// Scans the numbers of neighbors, and records a list that does not fit. One block runs it.
/// @param status  null: the list may be too short
template <class Real>
__global__ void __launch_bounds__(scan_threads)
    scan_few_counts(RowsArguments<Real> search, std::int64_t* offsets, Status* status) {
  constexpr int warps = scan_threads / 32;
  __shared__ std::int64_t sums_of_warps[warps];
  join_chain(true);
  const int n = static_cast<int>(search.n());
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int rounds = (n + scan_threads - 1) / scan_threads;
  const int first = warp * rounds * 32 + lane;
  int count[scan_items];
  std::int64_t sum = 0;
#pragma unroll
  for (int r = 0; r < scan_items; ++r) {
    count[r] = r < rounds && first + r * 32 < n ? search.count[first + r * 32] : 0;
    sum += count[r];
  }
  sum = warp_sum(sum);
  if (lane == 0) sums_of_warps[warp] = sum;
  __syncthreads();
  std::int64_t before = warp_sum(lane < warp ? sums_of_warps[lane] : 0);
#pragma unroll
  for (int r = 0; r < scan_items; ++r) {
    const auto inclusive = warp_prefix_sum(std::int64_t{count[r]});
    if (r < rounds && first + r * 32 < n) offsets[first + r * 32] = before + inclusive - count[r];
    before += __shfl_sync(whole_warp, inclusive, 31);
  }
  if (threadIdx.x != scan_threads - 1) return;
  offsets[n] = before;
  if (status != nullptr && search.is_needed() && before > search.room) record_overflow(status, before, search.room);
}

/// Writes each row by one warp.
template <bool periodic, bool limits, bool ascending, class Real>
__global__ void __launch_bounds__(row_threads, 10) write_by_warps(RowsArguments<Real> search) {
  __shared__ std::int32_t shared_rows[row_threads / 32][max_in_shared];
  join_chain(true);
  const std::int64_t k = thread_index() / 32;
  if (k >= search.n() || !search.writes()) return;
  std::int32_t* const row = shared_rows[threadIdx.x / 32];
  if (search.mask_count[k] > 0) return write_row_by_warp<ascending, 2, 4, 8>(search, k, row);
  const std::int32_t destination = search.pairs.destinations.order[k];
  if (search.offsets[destination + 1] > search.offsets[destination])
    write_long_row<periodic, limits, ascending>(search, k, row);
}

/// Computes masks and offsets.
/// @param status  records a list that does not fit; null: the host makes room
template <bool periodic, bool limits, class Real>
void count_neighbors(const Queue& queue, const RowsArguments<Real>& search, std::int64_t* offsets, Status* status) {
  launch_chained<mask_threads>(queue, search.pairs.destinations.count * team, mask_by_teams<periodic, limits, Real>,
                               search);
  launch_chained<scan_threads>(queue, scan_threads, scan_few_counts<Real>, search, offsets, status);
}

template <bool periodic, bool limits, bool ascending, class Real>
void write_rows(const Queue& queue, const RowsArguments<Real>& search) {
  launch_chained<row_threads>(queue, search.pairs.destinations.count * 32,
                              write_by_warps<periodic, limits, ascending, Real>, search);
}

}  // namespace shoal::neighbors::few_points
