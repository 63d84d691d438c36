// SPDX-License-Identifier: Apache-2.0
// rows: visits the rows of cells around each point, cut to the search sphere.
//
// idea           sort the sources by cell, x fastest: the cells of a row are one run of memory. Test the runs around
//                one or two destinations for each thread into bit masks; scan the counts; two lanes expand the masks of
//                a row in shared memory and sort it in registers by a network. A warp each writes long rows
// source         Green (2010), "Particle simulation using CUDA"; Dominguez et al. (2013); Batcher (1968); masks: shoal
// memory         16 (float) or 32 (double) bytes for each point, 192 for the masks, 32 for binning
// atomics        one for each row of more than 80 entries or 12 masks, to list it
// deterministic  yes: the list does not depend on the order of the search
// wins when      there are more than some thousand points
// loses when     most points are within one radius; rows of more than a thousand entries, whose sort is slow
// deviations     exact list in one search instead of a fixed number of neighbors; canonical order
#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "neighbors/few_points/few_points_rows.cuh"
#include "neighbors/methods/methods.hpp"
#include "neighbors/methods/rows_long.cuh"
#include "neighbors/methods/rows_masks.cuh"
#include "neighbors/methods/rows_writer.cuh"

namespace shoal::neighbors {

namespace {

using namespace rows;

constexpr int write_threads = 128;
constexpr int medium_threads = 64;
constexpr int long_threads = 128;

/// Writes the short rows, and the medium rows if they are few.
template <bool ascending, class Real>
__global__ void __launch_bounds__(write_threads, 7) write_rows(RowsArguments<Real> search) {
  __shared__ alignas(Mask)
      std::int32_t shared_rows[write_threads / 2 * row_room<max_short_row, max_masks_of_short_row>];
  if (!search.writes()) return;
  constexpr int room = row_room<max_short_row, max_masks_of_short_row>;
  const std::int64_t warp_first = thread_index() / 32 * RowHalf::warp_rows;
  const std::int64_t k = warp_first + RowHalf::row_of_warp();
  const bool is_left = write_rows_of_block<ascending, max_short_row, max_masks_of_short_row, 24, max_short_row / 2>(
      search, k, k >= search.n(), shared_rows + RowHalf::row_of_block() * room);
  if (search.has_medium_kernel()) return;
  std::int32_t* const warp_row = shared_rows + threadIdx.x / 32 * RowHalf::warp_rows * room;
  for (unsigned remaining = __ballot_sync(whole_warp, is_left && !RowHalf::is_upper()); remaining != 0;
       remaining &= remaining - 1)
    write_row_by_warp<ascending, 4, 8>(search, warp_first + __ffs(static_cast<int>(remaining)) - 1, warp_row);
}

/// Writes the rows of a list, of at most `max_entries` entries.
template <bool ascending, int max_entries, class Real>
__device__ __forceinline__ void write_listed_rows(const RowsArguments<Real>& search, RowList list,
                                                  std::int32_t* shared_rows) {
  constexpr int block_rows = medium_threads / 2;
  const std::int64_t listed = search.listed_count[list];
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_rows;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * block_rows; first < listed; first += step) {
    const std::int64_t entry = first + RowHalf::row_of_block();
    const bool skips = entry >= listed;
    write_rows_of_block<ascending, max_entries, max_masks, max_entries / 2>(
        search, skips ? 0 : search.listed_row(list, entry), skips,
        shared_rows + RowHalf::row_of_block() * row_room<max_entries, max_masks>);
  }
}

/// Writes the medium and the large rows if they are many.
template <bool ascending, class Real>
__global__ void __launch_bounds__(medium_threads, 8) write_medium_rows(RowsArguments<Real> search) {
  __shared__ alignas(Mask) std::int32_t shared_rows[medium_threads / 2 * row_room<max_large_row, max_masks>];
  if (!search.writes() || !search.has_medium_kernel()) return;
  write_listed_rows<ascending, max_medium_row>(search, medium_rows, shared_rows);
  __syncthreads();
  write_listed_rows<ascending, max_large_row>(search, large_rows, shared_rows);
}

template <bool periodic, bool limits, bool ascending, class Real>
__global__ void __launch_bounds__(long_threads) write_long_rows(RowsArguments<Real> search) {
  __shared__ std::int32_t shared_rows[long_threads / 32][max_in_shared];
  if (!search.writes()) return;
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * long_threads / 32;
  for (std::int64_t r = thread_index() / 32; r < search.listed_count[long_rows]; r += warps)
    write_long_row<periodic, limits, ascending>(search, search.listed_row(long_rows, r), shared_rows[threadIdx.x / 32]);
}

/// Records a list that does not fit.
template <class Real>
__global__ void check_room(RowsArguments<Real> search, Status* status) {
  if (search.is_needed() && !search.fits()) record_overflow(status, search.offsets[search.n()], search.room);
}

/// Computes masks and offsets.
/// @param status  records a list that does not fit; null: the host makes room
template <bool periodic, bool limits, class Real>
void count_neighbors(Scratch& scratch, const RowsArguments<Real>& search, View<const std::int32_t> count,
                     View<std::int64_t> offsets, Status* status) {
  const Queue& queue = scratch.queue();
  fill_bytes(queue, search.listed_count, 0, row_lists * sizeof(unsigned));
  compute_all_masks<periodic, limits>(queue, search, count.count);
  exclusive_scan<std::int32_t>(scratch, count, offsets);
  if (status != nullptr) launch<1>(queue, 1, check_room<Real>, search, status);
}

/// Launches the kernels that write the rows into the room of the list.
template <bool periodic, bool limits, bool ascending, class Real>
void write_list(const NeighborSearch<Real>& search, RowsArguments<Real>& arguments) {
  const Queue& queue = search.queue();
  const std::int64_t n = arguments.pairs.destinations.count;
  if (n == 0) return;
  arguments.indices = search.list.indices.data();
  arguments.room = search.list.indices.count();
  if (few_points::takes(arguments)) return few_points::write_rows<periodic, limits, ascending>(queue, arguments);
  const std::int64_t list_blocks = std::int64_t{tuning::row_list_blocks} * multiprocessors(queue);
  // Few medium and long rows take long but leave most of the device idle: the short rows follow and fill it.
  launch<medium_threads>(queue, list_blocks * medium_threads, write_medium_rows<ascending, Real>, arguments);
  launch<long_threads>(queue, list_blocks * long_threads, write_long_rows<periodic, limits, ascending, Real>,
                       arguments);
  launch<write_threads>(queue, 2 * n, write_rows<ascending, Real>, arguments);
}

/// Writes the rows into the room there is, before the host waits for the length of the list. Writes them again if the
/// list needs more room.
template <class Real, class Write>
void write_and_make_room(const NeighborSearch<Real>& search, Write&& write) {
  const View<const std::int64_t> offsets = search.list.offsets;
  Array<std::int32_t>& indices = search.list.indices;
  const std::int64_t present_room = indices.bytes() / static_cast<std::int64_t>(sizeof(std::int32_t));
  indices.resize(present_room);
  if (present_room > 0) write();
  std::int64_t total = 0;
  copy_bytes(search.queue(), &total, {}, offsets.data + offsets.count - 1, offsets.device, sizeof total);
  const std::int64_t room = search.room_for(total);
  indices.resize(room);
  if (room > present_room) write();
}

template <bool periodic, bool limits, class Real>
void search_rows(const NeighborSearch<Real>& search) {
  const Queue& queue = search.queue();
  Scratch& scratch = search.plan.scratch();
  const NeighborPairs<Real> pairs = search.plan.sorted_pairs(search.sets);
  const std::int64_t n = pairs.destinations.count;
  ScratchFrame frame(scratch);
  RowsArguments<Real> arguments{};
  arguments.pairs = pairs;
  arguments.unwanted = unwanted_of(pairs);
  arguments.masks = frame.array<Mask>(max_masks * n).data;
  const View<std::int32_t> count = frame.array<std::int32_t>(n);
  arguments.count = count.data;
  arguments.mask_count = frame.array<std::uint8_t>(n).data;
  for (std::int32_t*& list : arguments.listed) list = frame.array<std::int32_t>(n).data;
  arguments.listed_count = frame.array<unsigned>(row_lists).data;
  arguments.offsets = search.list.offsets.data();
  arguments.needed = search.plan.needed();
  arguments.room = search.list.indices.count();
  Status* const status = search.may_wait ? nullptr : search.list_status;
  if (few_points::takes(arguments))
    few_points::count_neighbors<periodic, limits>(queue, arguments, search.list.offsets.data(), status);
  else
    count_neighbors<periodic, limits>(scratch, arguments, count, search.list.offsets, status);
  const auto write = [&] {
    search.plan.is_ascending() ? write_list<periodic, limits, true>(search, arguments)
                               : write_list<periodic, limits, false>(search, arguments);
  };
  search.may_wait ? write_and_make_room(search, write) : write();
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const auto with_limits = [&]<bool limits> {
    return search.plan.periodic() ? search_rows<true, limits>(search) : search_rows<false, limits>(search);
  };
  search.plan.uses_source_limits() ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

}  // namespace

const NeighborsMethod rows_cuda{
    {"rows", DeviceKind::cuda, true, "Green (2010); Dominguez et al. (2013)"}, true, true, run<float>, run<double>};

}  // namespace shoal::neighbors
