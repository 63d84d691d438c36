// SPDX-License-Identifier: Apache-2.0
// rows: looks through the rows of cells around each point, cut to the ball.
//
// idea           sort the sources by cell, x fastest, so that the cells of a row are one run of memory. Mark: a thread
//                tests the runs around one or two destinations, cut to where their balls can be, and keeps a bit a
//                test. Add up the counts. Write: two lanes turn the bits of a destination into a row in shared memory
//                and sort it in their registers with a network, and the warp writes 16 rows. Long rows are done by a
//                warp each
// source         Green (2010), "Particle simulation using CUDA"; rows as in DualSPHysics, Dominguez et al. (2013);
//                Batcher (1968), "Sorting networks and their applications"; marks and cuts: shoal
// memory         16 (float) or 32 (double) bytes a point, 192 for the marks, 32 for binning
// atomics        one a row of more than 80 entries or 12 marks, to list it
// deterministic  yes: the list does not depend on the order of the search
// wins when      there are more than some thousand points
// loses when     most points are within one radius: all pairs are tested, as they must be; rows of more than a
//                thousand are sorted slowly
// differs        exact list in one search instead of a fixed number of neighbors; canonical order
#include "core/primitives/primitives.hpp"
#include "neighbors/methods/methods.hpp"
#include "neighbors/methods/rows_marks.cuh"
#include "neighbors/methods/rows_writer.cuh"

namespace shoal {

namespace {

using namespace row_marks;

constexpr int write_threads = 128;
constexpr int medium_threads = 64;
constexpr int long_threads = 128;
constexpr int list_blocks = 132 * 16;  ///< for lists whose length the host does not know
constexpr int most_in_shared = 1024;   ///< of a long row, which is searched again by a warp

template <class Real>
__global__ void __launch_bounds__(write_threads, 7) write_rows(RowSearch<Real> search) {
  __shared__ alignas(Mark) std::int32_t rows[write_threads / 2 * row_room<most_in_row, most_marks_of_row>];
  if (!search.writes()) return;
  const std::int64_t k = thread_index() / 2;
  std::int32_t* const row = rows + threadIdx.x / 2 * row_room<most_in_row, most_marks_of_row>;
  const bool is_left =
      write_rows_of_block<most_in_row, most_marks_of_row, 24, most_in_row / 2>(search, k, k >= search.n(), row);
  if (search.has_enough_medium_rows()) return;
  std::int32_t* const of_warp = rows + threadIdx.x / 32 * 16 * row_room<most_in_row, most_marks_of_row>;
  const std::int64_t first = (thread_index() - threadIdx.x % 32) / 2;
  for (unsigned left = __ballot_sync(whole_warp, is_left && !RowHalf::is_upper()); left != 0; left &= left - 1)
    write_row_by_warp(search, first + (__ffs(static_cast<int>(left)) - 1) / 2, of_warp);
}

template <class Real>
__global__ void __launch_bounds__(medium_threads, 8) write_medium_rows(RowSearch<Real> search) {
  constexpr int at_once = medium_threads / 2;
  __shared__ alignas(Mark) std::int32_t rows[at_once * row_room<most_in_medium_row, most_marks>];
  if (!search.writes() || !search.has_enough_medium_rows()) return;
  const std::int64_t listed = search.listed_count[medium_rows];
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * at_once;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * at_once; first < listed; first += step) {
    const std::int64_t mine = first + threadIdx.x / 2;
    const bool skips = mine >= listed;
    write_rows_of_block<most_in_medium_row, most_marks, 56, most_in_medium_row / 2>(
        search, skips ? 0 : search.listed[medium_rows][mine], skips,
        rows + threadIdx.x / 2 * row_room<most_in_medium_row, most_marks>);
  }
}

__device__ __forceinline__ void sort_long_row(std::int32_t* row, std::int64_t count) {
  __syncwarp();
  if (count <= 128) return sort_in_registers<4>(row, static_cast<int>(count));
  if (count <= 256) return sort_in_registers<8>(row, static_cast<int>(count));
  if (count <= 512) return sort_in_registers<16>(row, static_cast<int>(count));
  sort_network::sort_by_warp(row, count);
}

/// Writes the row of destination k by the whole warp: sorted in shared memory if it fits there, else in its place.
template <bool periodic, bool limits, class Real>
__device__ void write_long_row(const RowSearch<Real>& search, std::int64_t k, std::int32_t* shared_row) {
  const NeighborPairs<Real>& pairs = search.pairs;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const Position<Real> at[1] = {pairs.destinations.at(k)};
  const Real limit[1] = {pairs.limit_of(k)};
  const std::int32_t destination = pairs.destinations.order[k];
  std::int32_t* const to = search.indices + search.offsets[destination];
  const std::int64_t count = search.offsets[destination + 1] - search.offsets[destination];
  std::int32_t* const row = count <= most_in_shared ? shared_row : to;
  std::int64_t found = 0;
  for_each_word(pairs, at, limit, [&](std::int32_t j, int length) {
    bool near = false;
    std::int32_t source = 0;
    if (lane < length) {
      Real within = limit[0];
      if constexpr (limits) within = ::max(within, pairs.sources.limits[j + lane]);
      source = pairs.sources.order[j + lane];
      near = pairs.test.template near<periodic>(at[0], pairs.sources.at(j + lane), within) &&
             pairs.wants(destination, source);
    }
    const unsigned nearby = __ballot_sync(whole_warp, near);
    if (near) row[found + __popc(nearby & ((1u << lane) - 1))] = source;
    found += __popc(nearby);
  });
  sort_long_row(row, count);
  if (row == to) return;
  for (std::int64_t i = lane; i < count; i += 32) to[i] = row[i];
  __syncwarp();
}

template <bool periodic, bool limits, class Real>
__global__ void __launch_bounds__(long_threads) write_long_rows(RowSearch<Real> search) {
  __shared__ std::int32_t rows[long_threads / 32][most_in_shared];
  if (!search.writes()) return;
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * long_threads / 32;
  for (std::int64_t r = thread_index() / 32; r < search.listed_count[long_rows]; r += warps)
    write_long_row<periodic, limits>(search, search.listed[long_rows][r], rows[threadIdx.x / 32]);
}

template <class Real>
__global__ void check_room(RowSearch<Real> search, Status* status) {
  if (search.is_needed() && !search.fits()) record_overflow(status, search.offsets[search.n()], search.room);
}

/// Room for as many entries as the offsets say. Waits for the queue.
template <class Real>
void make_room(const NeighborSearch<Real>& search) {
  const View<const std::int64_t> offsets = search.list.offsets;
  std::int64_t total = 0;
  copy_bytes(search.queue(), &total, {}, offsets.data + offsets.count - 1, offsets.device, sizeof total);
  search.list.indices.resize(search.room_for(total));
}

template <bool periodic, bool limits, class Real>
void search_rows(const NeighborSearch<Real>& search) {
  const Queue& queue = search.queue();
  const NeighborPairs<Real> pairs = search.sorted_pairs();
  const std::int64_t n = pairs.destinations.count;
  ScratchFrame frame(search.scratch);
  RowSearch<Real> rows{};
  rows.pairs = pairs;
  rows.unwanted = unwanted_of(pairs);
  rows.marks = frame.array<Mark>(most_marks * n).data;
  const View<std::int32_t> count = frame.array<std::int32_t>(n);
  rows.count = count.data;
  rows.mark_count = frame.array<std::uint8_t>(n).data;
  for (std::int32_t*& list : rows.listed) list = frame.array<std::int32_t>(n).data;
  rows.listed_count = frame.array<unsigned>(2).data;
  rows.offsets = search.list.offsets.data();
  rows.needed = search.needed;
  fill_bytes(queue, rows.listed_count, 0, 2 * sizeof(unsigned));
  mark<periodic, limits>(queue, rows, n);
  exclusive_scan<std::int32_t>(search.scratch, count, search.list.offsets);
  if (search.may_wait) make_room(search);
  rows.indices = search.list.indices.data();
  rows.room = search.list.indices.count();
  if (!search.may_wait) launch<1>(queue, 1, check_room<Real>, rows, search.list_status);
  if (n == 0) return;
  // Where they are few, they need more time than work.
  launch<medium_threads>(queue, std::int64_t{list_blocks} * medium_threads, write_medium_rows<Real>, rows);
  launch<long_threads>(queue, std::int64_t{list_blocks} * long_threads, write_long_rows<periodic, limits, Real>, rows);
  launch<write_threads>(queue, 2 * n, write_rows<Real>, rows);
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const auto with_limits = [&]<bool limits> {
    return search.periodic ? search_rows<true, limits>(search) : search_rows<false, limits>(search);
  };
  search.sources_decide() ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

}  // namespace

const NeighborsMethod neighbors_rows_cuda{
    {"rows", DeviceKind::cuda, true, "Green (2010); Dominguez et al. (2013)"}, true, run<float>, run<double>};

}  // namespace shoal
