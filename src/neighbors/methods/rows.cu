// SPDX-License-Identifier: Apache-2.0
// rows: looks through the rows of cells around each point, cut to the ball.
//
// idea           sort the sources by cell, x fastest, so that the cells of a row are one run of memory. Mark: one
// thread
//                a destination tests the runs around it, cut to where its ball can be, and keeps a bit a test. Add up
//                the counts. Write: one thread a destination turns its bits into a row in shared memory, sorts it in
//                registers with a network, and the warp writes 32 rows. Long rows are done by a warp each
// source         Green (2010), "Particle simulation using CUDA"; rows as in DualSPHysics, Dominguez et al. (2013);
//                Batcher (1968), "Sorting networks and their applications"; marks and cuts: shoal
// memory         16 (float) or 32 (double) bytes a point, 192 for the marks, 32 for binning
// atomics        one a row of more than 72 entries, to list it
// deterministic  yes: the list does not depend on the order of the search
// wins when      there are more than some thousand points
// loses when     most points are within one radius: all pairs are tested, as they must be; rows of more than a
//                thousand are sorted slowly
// differs        exact list in one search instead of a fixed number of neighbours; canonical order
#include "core/primitives.hpp"
#include "core/sort_network.cuh"
#include "neighbors/methods/methods.hpp"
#include "neighbors/methods/row_marks.cuh"

namespace shoal {

namespace {

using namespace row_marks;

constexpr int write_threads = 64;
constexpr int medium_threads = 32;
constexpr int long_threads = 128;
constexpr int list_blocks = 132 * 16;  ///< for lists whose length the host does not know
constexpr int most_in_shared = 1024;   ///< of a long row, which is searched again by a warp

/// A row that a thread collects in shared memory, and whether its numbers came in ascending order.
struct CollectedRow {
  std::int32_t* row;
  int count = 0;
  bool ascends = true;
  std::int32_t last = -1;

  __device__ __forceinline__ void add(std::int32_t source) {
    row[count++] = source;
    ascends = ascends && source > last;
    last = source;
  }
};

/// Marks that a row of at most `most` elements may have.
template <int most>
constexpr int marks_of_row = most == most_in_row ? most_marks_of_row : most_marks;

/// A thread's part of shared memory: its row, and behind it the marks that are left. Each of these has a neighbour for
/// the row to come, so that the row cannot reach them if there is room for one element a mark more than the row has.
template <int most>
constexpr int row_room = (most + marks_of_row<most>) | 1;  // odd: equal places of rows are in different banks

/// Copies the marks of place k to the end of a thread's part of shared memory. Returns where they begin.
template <int most, class Real>
__device__ __forceinline__ const std::int32_t* fetch_marks(const RowSearch<Real>& search, std::int64_t k, int marks,
                                                           std::int32_t* shared_row) {
  std::int32_t* const unread = shared_row + row_room<most> - 2 * marks;
#pragma unroll 4
  for (int m = 0; m < marks; ++m) {
    const Mark mark = search.marks[m * search.n() + k];
    unread[2 * m] = static_cast<std::int32_t>(mark.bits);
    unread[2 * m + 1] = mark.first;
  }
  return unread;
}

/// Collects `count` marked sources.
template <class Real>
__device__ __forceinline__ void collect_marked(const RowSearch<Real>& search, const std::int32_t* unread,
                                               std::int32_t destination, int count, CollectedRow& row) {
  constexpr int step = 4;  // reads that are under way at the same time
  const NeighborPairs<Real>& pairs = search.pairs;
  const auto skipped = static_cast<std::int32_t>(search.marked_too_many() != 0 ? destination + pairs.first_destination
                                                                               : std::int64_t{-1});
  Mark mark{0, 0};
  const auto next_place = [&] {
    if (mark.bits == 0) {
      mark = {static_cast<std::uint32_t>(unread[0]), unread[1]};
      unread += 2;
    }
    const int bit = __clz(static_cast<int>(mark.bits));
    mark.bits ^= 0x80000000u >> bit;
    return mark.first + bit;
  };
  const int marked = count + search.marked_too_many();
  for (int i = 0; i < marked; i += step) {
    std::int32_t source[step];
#pragma unroll
    for (int s = 0; s < step; ++s) source[s] = i + s < marked ? __ldg(pairs.sources.order + next_place()) : skipped;
#pragma unroll
    for (int s = 0; s < step; ++s)
      if (i + s < marked && source[s] != skipped) row.add(source[s]);
  }
}

template <int n>
__device__ __forceinline__ void sort_row(std::int32_t* row, int count) {
  std::int32_t key[n];
#pragma unroll
  for (int i = 0; i < n; ++i) key[i] = i < count ? row[i] : 0x7fffffff;
  sort_network::sort_registers(key);
#pragma unroll
  for (int i = 0; i < n; ++i)
    if (i < count) row[i] = key[i];
}

/// Sorts the row of each thread of a warp by a network of the first of `sizes` that is wide enough for the longest.
template <int size, int... sizes>
__device__ __forceinline__ void sort_rows(std::int32_t* row, int count, int longest) {
  if constexpr (sizeof...(sizes) > 0)
    if (longest > size) return sort_rows<sizes...>(row, count, longest);
  sort_row<size>(row, count);
}

/// Sorts and writes the rows of a warp, each collected by one thread at `stride`, of at most `most` elements.
/// @param sizes  of sorting networks, ascending; the last is enough for all
template <int most, int stride, int... sizes>
__device__ __forceinline__ void write_warp(const CollectedRow& collected, std::int64_t begin, std::int32_t* indices) {
  constexpr int reads = (most + 31) / 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (!__all_sync(whole_warp, collected.ascends))
    sort_rows<sizes...>(collected.row, collected.count, __reduce_max_sync(whole_warp, collected.count));
  __syncwarp();
  const std::int32_t* const of_warp = collected.row - lane * stride;
#pragma unroll 4
  for (int r = 0; r < 32; ++r) {
    const int length = __shfl_sync(whole_warp, collected.count, r);
    std::int32_t* const to = indices + __shfl_sync(whole_warp, begin, r) + lane;
    std::int32_t part[reads];
#pragma unroll
    for (int i = 0; i < reads; ++i)
      if (lane + 32 * i < length) part[i] = of_warp[r * stride + lane + 32 * i];
#pragma unroll
    for (int i = 0; i < reads; ++i)
      if (lane + 32 * i < length) to[32 * i] = part[i];
  }
  __syncwarp();
}

/// Collects, sorts and writes the rows of a warp: that of place k by each thread, or none if `skips` or if it is longer
/// than `most`.
template <int most, int... sizes, class Real>
__device__ __forceinline__ void write_rows_of_warp(const RowSearch<Real>& search, std::int64_t k, bool skips,
                                                   std::int32_t* shared_row) {
  std::int64_t begin = 0;
  CollectedRow row{shared_row};
  const int marks = skips ? 0 : search.mark_count[k];
  if (marks > 0 && marks <= marks_of_row<most>) {
    const std::int32_t destination = search.pairs.destinations.order[k];
    const std::int32_t* const unread = fetch_marks<most>(search, k, marks, shared_row);
    begin = search.offsets[destination];
    const std::int64_t count = search.offsets[destination + 1] - begin;
    if (count <= most) collect_marked(search, unread, destination, static_cast<int>(count), row);
  }
  write_warp<most, row_room<most>, sizes...>(row, begin, search.indices);
}

template <class Real>
__global__ void __launch_bounds__(write_threads, 10) write_rows(RowSearch<Real> search) {
  __shared__ std::int32_t rows[write_threads * row_room<most_in_row>];
  if (!search.writes()) return;
  const std::int64_t k = thread_index();
  write_rows_of_warp<most_in_row, 32, 48, 64, most_in_row>(search, k, k >= search.n(),
                                                           rows + threadIdx.x * row_room<most_in_row>);
}

template <class Real>
__global__ void __launch_bounds__(medium_threads) write_medium_rows(RowSearch<Real> search) {
  __shared__ std::int32_t rows[medium_threads * row_room<most_in_medium_row>];
  if (!search.writes() || !search.has_enough_medium_rows()) return;
  const std::int64_t listed = search.listed_count[medium_rows];
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * medium_threads;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * medium_threads; first < listed; first += step) {
    const std::int64_t mine = first + threadIdx.x;
    const bool skips = mine >= listed;
    write_rows_of_warp<most_in_medium_row, 80, 96, 128, most_in_medium_row>(
        search, skips ? 0 : search.listed[medium_rows][mine], skips, rows + threadIdx.x * row_room<most_in_medium_row>);
  }
}

/// Sorts a row in memory by the whole warp, in 32 n registers.
template <int n>
__device__ __forceinline__ void sort_in_registers(std::int32_t* row, int count) {
  std::int32_t key[n];
  const int first = static_cast<int>(threadIdx.x % 32) * n;
#pragma unroll
  for (int i = 0; i < n; ++i) key[i] = first + i < count ? row[first + i] : 0x7fffffff;
  sort_network::sort_across_warp(key);
#pragma unroll
  for (int i = 0; i < n; ++i)
    if (first + i < count) row[first + i] = key[i];
  __syncwarp();
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
      if constexpr (limits) within = max(within, pairs.sources.limits[j + lane]);
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
  const auto write_list = [&](RowList list) {
    for (std::int64_t r = thread_index() / 32; r < search.listed_count[list]; r += warps)
      write_long_row<periodic, limits>(search, search.listed[list][r], rows[threadIdx.x / 32]);
  };
  write_list(long_rows);
  if (!search.has_enough_medium_rows()) write_list(medium_rows);
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
  launch<write_threads>(queue, n, write_rows<Real>, rows);
  if (n > enough_medium_rows)
    launch<medium_threads>(queue, std::int64_t{list_blocks} * medium_threads, write_medium_rows<Real>, rows);
  if (n > 0)
    launch<long_threads>(queue, std::int64_t{list_blocks} * long_threads, write_long_rows<periodic, limits, Real>,
                         rows);
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
